//! Expansion of the keys of one layer: a row of children for each key, and the distinct keys of the next layer.
//!
//! In batches: threads make the children of stretches of keys into buffers by partition, then merge the buffers, one
//! partition to a thread. Places of keys therefore depend on the order of the stretches alone. The next layer's keys may be
//! dealt to lists by letter first, for work on one list at a time.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::{FALSE, Formula, Known, MAX_SIDES, OPEN, TRUE, Table};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::children::{FULL, Lists, Packing, View, flipped, sort};
use super::deal::{Made, merge};
use super::keys::{COPY, Keys, PARTITIONS, Partition, hash};
use super::rows::Rows;
use super::steps::{DONE, Steps};

/// Keys whose children one task makes before they are merged.
const STRETCH: usize = 1 << 11;
/// Stretches in a batch: bounds the buffers.
const BATCH: usize = 64;
/// How many keys ahead rows are read.
const AHEAD: usize = 6;
/// Members stay below this, so that signed comparison orders them.
const MEMBER_BITS: u32 = 31;

/// What a residual turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// Every continuation has this value.
    Constant(bool),
    /// The residual of this state of the first side set.
    Copy(u32),
    /// A key, left in the scratch buffer.
    Key,
}

/// Called now and then with the bytes of keys and rows under work: whether to go on.
pub(super) type Check<'a> = &'a dyn Fn(u64) -> Result<()>;

/// What all expansions of one pass share.
pub(super) struct Expansion<'a> {
    set: &'a Dfa,
    /// 1 to swap the constants of the set: its complement is moved.
    flip: u32,
    steps: &'a Steps,
    sides: &'a [&'a Dfa],
    formula: &'a Formula,
    table: Table,
    /// Whether children are copied from the first side set where only that bears on them.
    copies: bool,
    packings: Vec<Packing>,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(
        (set, complement): (&'a Dfa, bool),
        steps: &'a Steps,
        sides: &'a [&'a Dfa],
        formula: &'a Formula,
        copies: bool,
    ) -> Result<Self> {
        let n = set.shape().num_layers();
        let mut packings = Vec::with_capacity(n + 1);
        for layer in 0..=n {
            let inner = layer < n;
            let states = if inner { set.num_states_in(layer) as u32 + FIRST } else { FIRST };
            let relation_states = if inner { steps.layers[layer].num_states() as u32 + 1 } else { 1 };
            let bits = u32::BITS - states.leading_zeros();
            let above = u32::BITS - relation_states.leading_zeros();
            if bits + above > MEMBER_BITS {
                return Err(Error::TooManyStates { layer, limit: 1 << MEMBER_BITS.saturating_sub(above) });
            }
            packings.push(Packing { bits });
        }
        let flip = u32::from(complement);
        let table = Table::new(formula);
        Ok(Self { set, flip, steps, sides, formula, table, copies, packings })
    }

    pub(super) fn shape(&self) -> &'a Shape {
        self.set.shape()
    }

    pub(super) fn sides(&self) -> &'a [&'a Dfa] {
        self.sides
    }

    /// Bytes of the set that is moved.
    pub(super) fn moved_bytes(&self) -> u64 {
        self.set.bytes()
    }

    pub(super) fn formula(&self) -> &'a Formula {
        self.formula
    }

    /// More than any member of a layer.
    pub(super) fn member_limit(&self, layer: usize) -> u32 {
        let steps = self.steps.layers.get(layer).map_or(0, |steps| steps.num_states() as u32);
        (steps + 1) << self.packings[layer].bits
    }

    /// The key of the whole result.
    pub(super) fn root(&self, out: &mut Vec<u32>) -> Child {
        out.extend(self.sides.iter().map(|side| side.raw_root()));
        let q = flipped(self.set.raw_root(), self.flip);
        let mut full = false;
        if q != REJECT {
            for &m in &self.steps.roots {
                full |= m == DONE && q == ACCEPT;
                out.push(self.packings[0].pack(m, q));
            }
        }
        // Room for the mark of a full image.
        let len = out.len();
        out.push(REJECT);
        let (child, len) = self.settle(out, len, full);
        out.truncate(len);
        child
    }

    /// What expansion reads of one layer.
    pub(super) fn view(&self, layer: usize) -> View<'_> {
        View {
            letters: self.shape().num_letters(layer),
            flip: self.flip,
            rows: self.set.raw_rows(layer),
            steps: &self.steps.layers[layer],
            here: self.packings[layer],
            next: self.packings[layer + 1],
            sides: self.sides.iter().map(|side| side.raw_rows(layer)).collect(),
        }
    }

    /// Evaluates what is known of a child in `layer`, drops what its value does not depend on, and sorts members.
    #[inline]
    fn settle(&self, list: &mut [u32], len: usize, full: bool) -> (Child, usize) {
        let sides = self.sides.len();
        let mut known = [FALSE; MAX_SIDES + 1];
        known[0] = match (full, len > sides) {
            (true, _) => TRUE,
            (false, true) => OPEN,
            (false, false) => FALSE,
        };
        for (slot, &state) in known[1..].iter_mut().zip(&list[..sides]) {
            *slot = state.min(FIRST) as u8;
        }
        let depends = match self.table.get(&known[..=sides]) {
            Known::Constant(value) => return (Child::Constant(value), 0),
            Known::FirstSide if self.copies => return (Child::Copy(list[0]), 0),
            Known::FirstSide => 1 << 1,
            Known::Depends(depends) => depends,
        };
        for (j, state) in list[..sides].iter_mut().enumerate() {
            if *state >= FIRST && depends >> (j + 1) & 1 == 0 {
                *state = REJECT;
            }
        }
        let len = match (depends & 1 == 1, full) {
            (true, _) => sides + sort(&mut list[sides..len]),
            (false, true) => {
                list[sides] = FULL;
                sides + 1
            }
            (false, false) => sides,
        };
        (Child::Key, len)
    }

    /// Members of a key as [`View::advance`] takes them, or `None` where the image is full.
    pub(super) fn members<'k>(&self, key: &'k [u32]) -> Option<&'k [u32]> {
        let members = &key[self.sides.len()..];
        if members.first() == Some(&FULL) { None } else { Some(members) }
    }

    /// Rows of all `keys` of `layer`, and the keys of the next layer: in one list, or `by_letter` in one for each letter, where a row
    /// has the numbers of the letter's list in its column. Keys are given back as they are expanded; `check` is told the bytes of
    /// what is under work.
    pub(super) fn layer(
        &self,
        layer: usize,
        mut keys: Keys,
        by_letter: bool,
        check: Check<'_>,
    ) -> Result<(Rows, Vec<Keys>)> {
        let letters = self.shape().num_letters(layer);
        let mut rows: Vec<Vec<u32>> =
            keys.partitions.iter().map(|p| Vec::with_capacity(p.len() * letters)).collect();
        let mut next: Vec<Keys> = (0..if by_letter { letters } else { 1 }).map(|_| Keys::new()).collect();
        let stretches = keys.stretches(STRETCH);
        let children = letters * keys.len().min(STRETCH);
        let mut made: Vec<Made> =
            (0..stretches.len().min(BATCH)).map(|_| Made::new(next.len(), children)).collect();
        let mut open = 0;
        for batch in stretches.chunks(BATCH) {
            if let Some(&(first, _, _)) = batch.first() {
                keys.partitions[open..first].iter_mut().for_each(|done| *done = Partition::default());
                open = first;
            }
            let rows_bytes = rows.iter().map(|r| 4 * r.capacity() as u64).sum::<u64>();
            check(keys.bytes() + next.iter().map(Keys::bytes).sum::<u64>() + rows_bytes)?;
            let made = &mut made[..batch.len()];
            made.par_iter_mut().zip(batch).for_each(|(made, &(p, from, to))| {
                self.make(layer, &keys.partitions[p], (from, to), by_letter, made)
            });
            let partitions = next.iter_mut().flat_map(|keys| &mut keys.partitions).collect();
            merge(made, partitions).ok_or(Error::TooManyStates { layer, limit: u64::from(u32::MAX) })?;
            made.par_iter_mut().for_each(Made::number);
            for (&(p, _, _), made) in batch.iter().zip(&*made) {
                rows[p].extend_from_slice(&made.targets);
            }
        }
        next.iter_mut().for_each(|keys| keys.partitions.par_iter_mut().for_each(Partition::close));
        Ok((Rows(rows), next))
    }

    /// Makes the children of the keys in places `from` to `to` of a partition, in outboxes for the partitions of one list or of one a
    /// letter.
    fn make(
        &self,
        layer: usize,
        partition: &Partition,
        (from, to): (usize, usize),
        by_letter: bool,
        made: &mut Made,
    ) {
        let view = self.view(layer);
        made.clear();
        let mut lists = Lists::new(view.letters);
        for place in from..to {
            if place + AHEAD < to {
                view.touch(partition.key(place + AHEAD));
            }
            lists.fill(&view, partition.key(place));
            for letter in 0..view.letters {
                let (list, len, full) = lists.get(letter);
                made.targets.push(match self.settle(list, len, full) {
                    (Child::Constant(value), _) => u32::from(value),
                    (Child::Copy(state), _) => COPY | state,
                    (Child::Key, len) => {
                        let (p, tag) = hash(&list[..len]);
                        let outbox = if by_letter { letter * PARTITIONS + p } else { p };
                        made.outboxes[outbox].push(&list[..len], tag);
                        FIRST + outbox as u32
                    }
                });
            }
        }
    }
}
