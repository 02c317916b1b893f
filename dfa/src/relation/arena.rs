//! Relations under construction: steps, unions, compositions and inverses.

use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashMap;

use crate::automaton::Dfa;
use crate::condition::Product;
use crate::error::{Error, Result};
use crate::moves::{Change, Step};
use crate::shape::{Letter, Shape};
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::{IDENTITY, NOTHING};

type Row = Vec<(Letter, Letter, u32)>;

/// The limits of a compilation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    /// The maximum number of bytes.
    pub(crate) memory: u64,
    /// Stops the compilation when it is set.
    pub(crate) interrupt: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// No limits.
    pub(crate) const NONE: Self = Self { memory: u64::MAX, interrupt: None };
}

/// A step whose conditions are compiled.
struct Compiled<'a> {
    pre: Product,
    post: Product,
    changes: &'a [Change],
}

/// Hash-consed rows of relations under construction, and the memo tables of the operations on them.
pub(super) struct Arena<'a> {
    pub(super) shape: &'a Shape,
    pub(super) rows: Vec<Vec<Row>>,
    numbers: Vec<HashMap<Row, u32>>,
    unions: HashMap<(usize, u32, u32), u32>,
    compositions: HashMap<(usize, u32, u32), u32>,
    inverses: HashMap<(usize, u32), u32>,
    /// The number of bytes of all rows, of which there are two copies.
    row_bytes: u64,
    limits: Limits<'a>,
}

impl<'a> Arena<'a> {
    pub(super) fn new(shape: &'a Shape, limits: Limits<'a>) -> Self {
        let n = shape.num_layers();
        Self {
            shape,
            rows: vec![Vec::new(); n],
            numbers: vec![HashMap::new(); n],
            unions: HashMap::new(),
            compositions: HashMap::new(),
            inverses: HashMap::new(),
            row_bytes: 0,
            limits,
        }
    }

    /// Returns an error if the arena holds too many bytes or the user stops the work. It is called between operations on whole
    /// relations, which are small.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] or [`Error::Interrupted`].
    pub(super) fn must_go_on(&self) -> Result<()> {
        if self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        let needed_bytes = self.bytes();
        if needed_bytes > self.limits.memory {
            let limit_bytes = self.limits.memory;
            return Err(Error::OutOfMemory { what: "the moves of a game", needed_bytes, limit_bytes });
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let numbers: usize = self.numbers.iter().map(HashMap::allocation_size).sum();
        let memo = self.unions.allocation_size() + self.compositions.allocation_size();
        self.row_bytes + (numbers + memo + self.inverses.allocation_size()) as u64
    }

    fn state(&mut self, layer: usize, row: Row) -> u32 {
        let is_identity = row.len() == self.shape.num_letters(layer)
            && row.iter().all(|&(before, after, target)| before == after && target == IDENTITY);
        if row.is_empty() {
            return NOTHING;
        }
        if is_identity {
            return IDENTITY;
        }
        let (rows, row_bytes) = (&mut self.rows[layer], &mut self.row_bytes);
        *self.numbers[layer].entry(row).or_insert_with_key(|row| {
            let bytes = 2 * size_of_val(row.as_slice()) + size_of::<Row>();
            *row_bytes += bytes as u64;
            rows.push(row.clone());
            rows.len() as u32 + 1
        })
    }

    fn row(&self, layer: usize, state: u32) -> Row {
        match state {
            NOTHING => Row::new(),
            IDENTITY => {
                (0..self.shape.num_letters(layer)).map(|a| (a as Letter, a as Letter, IDENTITY)).collect()
            }
            s => self.rows[layer][s as usize - 2].clone(),
        }
    }

    /// Builds the relation of a step, `{ (x, y) : x ∈ pre, y ∈ post, y is x with the changes applied }`.
    pub(super) fn step(&mut self, step: &Step) -> Result<u32> {
        let (pre, post) = (step.pre.product(self.shape)?, step.post.product(self.shape)?);
        let start = |set: Option<&Dfa>| set.map_or(ACCEPT, Dfa::raw_root);
        let roots = (start(pre.automaton()), start(post.automaton()));
        let step = Compiled { pre, post, changes: &step.changes };
        Ok(self.step_at(&step, 0, roots, &mut HashMap::new()))
    }

    fn step_at(
        &mut self,
        step: &Compiled<'_>,
        layer: usize,
        (pre, post): (u32, u32),
        memo: &mut HashMap<(usize, u32, u32), u32>,
    ) -> u32 {
        if pre == REJECT || post == REJECT {
            return NOTHING;
        }
        if layer == self.shape.num_layers() {
            return IDENTITY;
        }
        if let Some(&known) = memo.get(&(layer, pre, post)) {
            return known;
        }
        let follow = |set: Option<&Dfa>, state: u32, letter: Letter| match set {
            Some(dfa) if state >= FIRST => dfa.raw_target(layer, state, letter),
            _ => state,
        };
        let pairs: Vec<(Letter, Letter)> = match step.changes.iter().find(|c| c.layer == layer) {
            Some(change) => change.pairs.clone(),
            None => (0..self.shape.num_letters(layer)).map(|a| (a as Letter, a as Letter)).collect(),
        };
        let mut row = Row::new();
        for (before, after) in pairs {
            if !step.pre.allows(layer, before) || !step.post.allows(layer, after) {
                continue;
            }
            let (p, q) =
                (follow(step.pre.automaton(), pre, before), follow(step.post.automaton(), post, after));
            let target = self.step_at(step, layer + 1, (p, q), memo);
            if target != NOTHING {
                row.push((before, after, target));
            }
        }
        row.sort_unstable();
        row.dedup();
        let state = self.state(layer, row);
        memo.insert((layer, pre, post), state);
        state
    }

    pub(super) fn union(&mut self, layer: usize, r: u32, s: u32) -> u32 {
        if r == s || s == NOTHING {
            return r;
        }
        if r == NOTHING {
            return s;
        }
        let key = (layer, r.min(s), r.max(s));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut all: Row = self.row(layer, r);
        all.extend(self.row(layer, s));
        let merged = self.merge(layer, all);
        self.unions.insert(key, merged);
        merged
    }

    /// Returns the state whose row contains these pairs. If a pair occurs several times, the union of its targets is
    /// used.
    fn merge(&mut self, layer: usize, mut pairs: Row) -> u32 {
        pairs.sort_unstable();
        let mut row = Row::with_capacity(pairs.len());
        for (before, after, target) in pairs {
            match row.last().copied() {
                Some((b, a, t)) if (b, a) == (before, after) => {
                    let joined = self.union(layer + 1, t, target);
                    row.pop();
                    row.push((b, a, joined));
                }
                _ => row.push((before, after, target)),
            }
        }
        self.state(layer, row)
    }

    /// Computes the composition `{ (x, z) : (x, y) ∈ r and (y, z) ∈ s for some y }`.
    pub(super) fn compose(&mut self, layer: usize, r: u32, s: u32) -> u32 {
        if r == NOTHING || s == NOTHING {
            return NOTHING;
        }
        if r == IDENTITY {
            return s;
        }
        if s == IDENTITY {
            return r;
        }
        if let Some(&known) = self.compositions.get(&(layer, r, s)) {
            return known;
        }
        let (first, second) = (self.row(layer, r), self.row(layer, s));
        let mut pairs = Row::new();
        for &(x, y, t) in &first {
            for &(_, z, u) in second.iter().filter(|p| p.0 == y) {
                let target = self.compose(layer + 1, t, u);
                if target != NOTHING {
                    pairs.push((x, z, target));
                }
            }
        }
        let state = self.merge(layer, pairs);
        self.compositions.insert((layer, r, s), state);
        state
    }

    /// Computes the inverse `{ (y, x) : (x, y) ∈ r }`.
    pub(super) fn inverse(&mut self, layer: usize, r: u32) -> u32 {
        if r == NOTHING || r == IDENTITY {
            return r;
        }
        if let Some(&known) = self.inverses.get(&(layer, r)) {
            return known;
        }
        let mut row = self.row(layer, r);
        for entry in &mut row {
            *entry = (entry.1, entry.0, self.inverse(layer + 1, entry.2));
        }
        row.sort_unstable();
        let state = self.state(layer, row);
        self.inverses.insert((layer, r), state);
        state
    }
}
