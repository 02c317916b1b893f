//! Expansion of the keys of one layer: a row of children for each key, and the distinct keys of the next layer.
//!
//! In batches: threads make the children of stretches of keys into buffers by partition, then merge the buffers, one
//! partition to a thread. Places of keys therefore depend on the order of the stretches alone.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::inclusion::Inclusion;
use super::keys::{COPY, Keys, PARTITIONS, Partition, hash, join};
use super::rows::Rows;
use super::steps::{DONE, StepLayer, Steps};
use crate::formula::{FALSE, Formula, Known, MAX_SIDES, OPEN, TRUE, Table};

/// Keys whose children one task makes before they are merged.
const STRETCH: usize = 1 << 11;
/// Stretches in a batch: bounds the buffers.
const BATCH: usize = 64;
/// Stands for "the image is full here" in a key whose formula waits for the side sets.
const FULL: u32 = u32::MAX;
/// How many keys ahead rows are touched.
const AHEAD: usize = 2;
/// Keys looked up at a time.
const GROUP: usize = 32;
/// Members stay below this, so that signed comparison orders them.
const MEMBER_BITS: u32 = 31;

/// Members that another one includes are dropped, if at all, where at most so many endings remain.
const FILTERED_ENDINGS: usize = 19_683;

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

/// How a member is packed into 32 bits in one layer: relation state above (0 for done), state of the set below.
#[derive(Clone, Copy, Debug)]
struct Packing {
    bits: u32,
}

impl Packing {
    #[inline]
    fn pack(self, m: u32, q: u32) -> u32 {
        m << self.bits | q
    }

    /// (relation state, state of the set).
    #[inline]
    fn unpack(self, member: u32) -> (u32, u32) {
        (member >> self.bits, member & ((1 << self.bits) - 1))
    }
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
    packings: Vec<Packing>,
    /// Once there, members that another one includes are dropped.
    inclusion: OnceLock<Inclusion>,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(
        set: &'a Dfa,
        complement: bool,
        steps: &'a Steps,
        sides: &'a [&'a Dfa],
        formula: &'a Formula,
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
        Ok(Self { set, flip, steps, sides, formula, table, packings, inclusion: OnceLock::new() })
    }

    /// Drops members that another one includes from now on, if children of `layer` are in the last layers. Takes as long as it
    /// saves, but half of the memory goes.
    pub(super) fn start_filter(&self, layer: usize) {
        let first = first_filtered(self.shape());
        if layer + 1 >= first {
            self.inclusion.get_or_init(|| Inclusion::new(self.set, first));
        }
    }

    pub(super) fn shape(&self) -> &'a Shape {
        self.set.shape()
    }

    pub(super) fn sides(&self) -> &'a [&'a Dfa] {
        self.sides
    }

    pub(super) fn formula(&self) -> &'a Formula {
        self.formula
    }

    /// More than any member of a layer.
    pub(super) fn member_limit(&self, layer: usize) -> u32 {
        let steps = self.steps.layers.get(layer).map_or(0, |steps| steps.num_states() as u32);
        (steps + 1) << self.packings[layer].bits
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.inclusion.get().map_or(0, Inclusion::bytes)
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
        let (child, len) = self.settle(0, out, len, full);
        out.truncate(len);
        child
    }

    /// What expansion reads of one layer.
    pub(super) fn view(&self, layer: usize) -> View<'_> {
        View {
            letters: self.shape().letters(layer),
            flip: self.flip,
            rows: self.set.raw_rows(layer),
            steps: &self.steps.layers[layer],
            here: self.packings[layer],
            next: self.packings[layer + 1],
            sides: self.sides.iter().map(|side| side.raw_rows(layer)).collect(),
        }
    }

    /// Evaluates what is known of a child in `layer`, drops what its value does not depend on, and sorts and filters members.
    #[inline]
    fn settle(&self, layer: usize, list: &mut [u32], len: usize, full: bool) -> (Child, usize) {
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
            Known::FirstSide => return (Child::Copy(list[0]), 0),
            Known::Depends(depends) => depends,
        };
        for (j, state) in list[..sides].iter_mut().enumerate() {
            if *state >= FIRST && depends >> (j + 1) & 1 == 0 {
                *state = REJECT;
            }
        }
        let len = match (depends & 1 == 1, full) {
            (true, _) => {
                let kept = sort(&mut list[sides..len]);
                sides + self.filter(layer, &mut list[sides..sides + kept])
            }
            (false, true) => {
                list[sides] = FULL;
                sides + 1
            }
            (false, false) => sides,
        };
        (Child::Key, len)
    }

    /// Drops members that another one includes; they are sorted, so that those of one relation state are neighbours. Returns how
    /// many stay.
    #[inline]
    fn filter(&self, layer: usize, members: &mut [u32]) -> usize {
        let Some(inclusion) = self.inclusion.get().filter(|_| members.len() > 1) else {
            return members.len();
        };
        let packing = self.packings[layer];
        let (mut kept, mut start) = (0, 0);
        while start < members.len() {
            let (m, _) = packing.unpack(members[start]);
            let same = members[start..].iter().take_while(|&&member| packing.unpack(member).0 == m).count();
            let group = start..start + same;
            start = group.end;
            kept = self.filter_group((inclusion, layer), members, group, kept);
        }
        kept
    }

    /// The same for a group with one relation state, whose members go to `kept` and after.
    fn filter_group(
        &self,
        (inclusion, layer): (&Inclusion, usize),
        members: &mut [u32],
        group: Range<usize>,
        mut kept: usize,
    ) -> usize {
        if group.len() == 1 {
            members[kept] = members[group.start];
            return kept + 1;
        }
        let packing = self.packings[layer];
        let states: SmallVec<[u32; 16]> =
            members[group.clone()].iter().map(|&x| packing.unpack(x).1).collect();
        for (i, at) in group.enumerate() {
            // Of the complement, if that is moved: then the larger residual is the included one.
            let covers = |other: u32, state: u32| match (other, state) {
                (ACCEPT, _) => true,
                (_, ACCEPT) => false,
                _ if self.flip == 1 => inclusion.is_subset(layer, other, state),
                _ => inclusion.is_subset(layer, state, other),
            };
            if !states.iter().enumerate().any(|(j, &other)| j != i && covers(other, states[i])) {
                members[kept] = members[at];
                kept += 1;
            }
        }
        kept
    }

    /// Members of a key as [`View::advance`] takes them, or `None` where the image is full.
    pub(super) fn members<'k>(&self, key: &'k [u32]) -> Option<&'k [u32]> {
        let members = &key[self.sides.len()..];
        if members.first() == Some(&FULL) { None } else { Some(members) }
    }

    /// Rows of all `keys` of `layer`, and the keys of the next layer. Keys are given back as they are expanded; `check` is
    /// told the bytes of what is under work.
    pub(super) fn layer(&self, layer: usize, mut keys: Keys, check: Check<'_>) -> Result<(Rows, Keys)> {
        let letters = self.shape().letters(layer);
        let mut rows: Vec<Vec<u32>> =
            keys.partitions.iter().map(|p| Vec::with_capacity(p.len() * letters)).collect();
        let mut next = Keys::new();
        let mut open = 0;
        for batch in keys.stretches(STRETCH).chunks(BATCH) {
            if let Some(&(first, _, _)) = batch.first() {
                keys.partitions[open..first].iter_mut().for_each(|done| *done = Partition::default());
                open = first;
            }
            let rows_bytes = rows.iter().map(|r| 4 * r.capacity() as u64).sum::<u64>();
            check(keys.bytes() + next.bytes() + rows_bytes)?;
            let made: Vec<Made> = batch
                .par_iter()
                .map(|&(p, from, to)| self.make(layer, &keys.partitions[p], from, to))
                .collect();
            let places: Vec<Vec<Vec<u32>>> = next
                .partitions
                .par_iter_mut()
                .enumerate()
                .map(|(p, partition)| made.iter().map(|m| m.outboxes[p].merge(partition)).collect())
                .collect::<Option<_>>()
                .ok_or(Error::TooManyStates { layer, limit: u64::from(u32::MAX) })?;
            let targets: Vec<Vec<u32>> = made
                .into_par_iter()
                .enumerate()
                .map(|(i, made)| made.number(|partition| &places[partition][i]))
                .collect();
            for (&(p, _, _), targets) in batch.iter().zip(&targets) {
                rows[p].extend_from_slice(targets);
            }
        }
        next.partitions.par_iter_mut().for_each(Partition::close);
        Ok((Rows(rows), next))
    }

    fn make(&self, layer: usize, partition: &Partition, from: usize, to: usize) -> Made {
        let view = self.view(layer);
        let mut made = Made {
            targets: Vec::with_capacity((to - from) * view.letters),
            outboxes: (0..PARTITIONS).map(|_| Outbox::with_room_for((to - from) * view.letters)).collect(),
        };
        let mut lists = Lists::new(view.letters);
        for place in from..to {
            if place + AHEAD < to {
                view.touch(partition.key(place + AHEAD));
            }
            lists.fill(&view, partition.key(place));
            for letter in 0..view.letters {
                let (list, len, full) = lists.get(letter);
                made.targets.push(match self.settle(layer + 1, list, len, full) {
                    (Child::Constant(value), _) => u32::from(value),
                    (Child::Copy(state), _) => COPY | state,
                    (Child::Key, len) => {
                        let (p, tag) = hash(&list[..len]);
                        made.outboxes[p].push(&list[..len], tag);
                        FIRST + p as u32
                    }
                });
            }
        }
        made
    }
}

/// First layer with at most [`FILTERED_ENDINGS`] endings.
fn first_filtered(shape: &Shape) -> usize {
    let mut endings = 1usize;
    let fits = |&layer: &usize| {
        endings = endings.saturating_mul(shape.letters(layer));
        endings <= FILTERED_ENDINGS
    };
    (0..shape.num_layers()).rev().take_while(fits).last().unwrap_or(shape.num_layers())
}

/// A state of a set whose constants are swapped if `flip` is 1.
#[inline]
fn flipped(state: u32, flip: u32) -> u32 {
    state ^ (flip & u32::from(state < FIRST))
}

/// What expansion reads of one layer, at hand.
pub(super) struct View<'a> {
    pub(super) letters: usize,
    flip: u32,
    rows: &'a [u32],
    steps: &'a StepLayer,
    here: Packing,
    next: Packing,
    /// Rows of the side sets.
    sides: SmallVec<[&'a [u32]; MAX_SIDES]>,
}

impl View<'_> {
    /// Reads a word of what the members of `key` will need, so that it is at hand then.
    #[inline]
    fn touch(&self, key: &[u32]) {
        let members = &key[self.sides.len()..];
        let word = |&member: &u32| {
            let (_, q) = self.here.unpack(member);
            self.rows.get(q.wrapping_sub(FIRST) as usize * self.letters).copied().unwrap_or(0)
        };
        std::hint::black_box(members.iter().map(word).fold(0, |all, word| all ^ word));
    }

    /// What a member becomes: calls `emit` with each letter and a member of the next layer, or [`REJECT`] for nothing, or
    /// [`ACCEPT`] where everything follows.
    #[inline(always)]
    pub(super) fn advance(&self, member: u32, mut emit: impl FnMut(usize, u32)) {
        let (m, q) = self.here.unpack(member);
        if m == DONE {
            let start = (q - FIRST) as usize * self.letters;
            for (letter, &t) in self.rows[start..start + self.letters].iter().enumerate() {
                emit(letter, flipped(t, self.flip));
            }
            return;
        }
        let row = match q {
            ACCEPT => None,
            _ => self.rows.get((q - FIRST) as usize * self.letters..),
        };
        for letter in 0..self.letters {
            for &(before, target) in self.steps.group(m, letter) {
                let t = row.map_or(ACCEPT, |row| flipped(row[usize::from(before)], self.flip));
                emit(letter, if t == REJECT || target == DONE { t } else { self.next.pack(target, t) });
            }
        }
    }
}

/// The children of one key before they are settled: for each letter the side sets' states, then members.
struct Lists {
    letters: usize,
    /// One list after the other, `stride` words each.
    words: Vec<u32>,
    stride: usize,
    lens: Vec<usize>,
    full: Vec<bool>,
}

impl Lists {
    fn new(letters: usize) -> Self {
        Self { letters, words: Vec::new(), stride: 0, lens: vec![0; letters], full: vec![false; letters] }
    }

    #[inline]
    fn get(&mut self, letter: usize) -> (&mut [u32], usize, bool) {
        let start = letter * self.stride;
        (&mut self.words[start..start + self.stride], self.lens[letter], self.full[letter])
    }

    /// Takes the children of `key`.
    #[inline]
    fn fill(&mut self, view: &View<'_>, key: &[u32]) {
        let (sides, members) = key.split_at(view.sides.len());
        // One word more: every target is written, and then counted if it is a member.
        let needed = sides.len() + members.len() * view.steps.max_group() + 1;
        if needed > self.stride {
            self.stride = needed;
            self.words.resize(needed * self.letters, 0);
        }
        self.full.fill(false);
        self.lens.fill(sides.len());
        for (j, (&state, rows)) in sides.iter().zip(&view.sides).enumerate() {
            for letter in 0..self.letters {
                self.words[letter * self.stride + j] = match state {
                    REJECT | ACCEPT => state,
                    state => rows[(state - FIRST) as usize * self.letters + letter],
                };
            }
        }
        if members.first() == Some(&FULL) {
            return self.full.fill(true);
        }
        for &member in members {
            view.advance(member, |letter, t| {
                let len = &mut self.lens[letter];
                self.words[letter * self.stride + *len] = t;
                *len += usize::from(t >= FIRST);
                self.full[letter] |= t == ACCEPT;
            });
        }
    }
}

/// Children of a stretch of keys that go to one partition, with their tags.
struct Outbox {
    words: Vec<u32>,
    /// (end in `words`, tag).
    ends: Vec<(u32, u32)>,
}

impl Outbox {
    /// An outbox for its share of `children`, which are spread evenly.
    fn with_room_for(children: usize) -> Self {
        let share = children / PARTITIONS + children / PARTITIONS / 2 + 8;
        Self { words: Vec::with_capacity(8 * share), ends: Vec::with_capacity(share) }
    }

    fn push(&mut self, key: &[u32], tag: u32) {
        self.words.extend_from_slice(key);
        self.ends.push((self.words.len() as u32, tag));
    }

    /// Places of the keys in the partition. In groups, a step of all look-ups after the other, so that misses overlap.
    fn merge(&self, partition: &mut Partition) -> Option<Vec<u32>> {
        let mut start = 0;
        let mut places = Vec::with_capacity(self.ends.len());
        let mut candidates = [None; GROUP];
        let mut spans = [(0, 0); GROUP];
        for group in self.ends.chunks(GROUP) {
            for (candidate, &(_, tag)) in candidates.iter_mut().zip(group) {
                *candidate = partition.candidate(tag);
            }
            for (span, candidate) in spans.iter_mut().zip(&candidates) {
                *span = candidate.map_or((0, 0), |place| partition.span(place));
            }
            for (&(end, tag), (candidate, &span)) in group.iter().zip(candidates.iter().zip(&spans)) {
                let key = &self.words[start..end as usize];
                start = end as usize;
                places.push(match candidate {
                    Some(place) if partition.words(span) == key => *place,
                    _ => partition.insert(tag, key)?,
                });
            }
        }
        Some(places)
    }
}

/// One stretch's children before merging.
struct Made {
    /// 0, 1, a copy, or 2 + partition: the next child of that partition's outbox.
    targets: Vec<u32>,
    outboxes: Vec<Outbox>,
}

impl Made {
    /// Key numbers for "next child of partition p".
    fn number<'p>(mut self, places: impl Fn(usize) -> &'p Vec<u32>) -> Vec<u32> {
        let mut seen = [0usize; PARTITIONS];
        for target in self.targets.iter_mut().filter(|t| (FIRST..COPY).contains(*t)) {
            let p = (*target - FIRST) as usize;
            *target = join(p, places(p)[seen[p]]);
            seen[p] += 1;
        }
        self.targets
    }
}

/// Sorts members and drops repeated ones; returns how many stay.
#[inline]
fn sort(members: &mut [u32]) -> usize {
    match members.len() {
        0 | 1 => members.len(),
        2..=8 => sort_by_rank::<8>(members),
        9..=16 => sort_by_rank::<16>(members),
        17..=32 => sort_by_rank::<32>(members),
        _ => {
            members.sort_unstable();
            let mut kept = 1;
            for i in 1..members.len() {
                members[kept] = members[i];
                kept += usize::from(members[i] != members[kept - 1]);
            }
            kept
        }
    }
}

/// Puts each of at most `N` members where the number of lesser ones says: no branch to predict. Equal ones fall together
/// and leave holes.
#[inline]
fn sort_by_rank<const N: usize>(members: &mut [u32]) -> usize {
    const HOLE: i32 = i32::MAX;
    let mut padded = [HOLE; N];
    for (slot, &x) in padded.iter_mut().zip(members.iter()) {
        *slot = x as i32;
    }
    let mut placed = [HOLE; N];
    for &x in &padded[..members.len()] {
        // Minus one for each lesser one: the sign of a difference of two that are not negative.
        let rank: i32 = padded.iter().map(|&y| (y - x) >> 31).sum();
        placed[rank.unsigned_abs() as usize % N] = x;
    }
    let mut kept = 0;
    for &x in &placed[..members.len()] {
        members[kept] = x as u32;
        kept += usize::from(x != HOLE);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_orders_members_drops_repeated_ones_and_leaves_sides_alone() {
        let mut x = 12345u32;
        for len in 0..70usize {
            for range in [2, 5, 100, 1 << 30] {
                let mut key = vec![9, 7];
                for _ in 0..len {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    key.push(2 + (x >> 1) % range);
                }
                let mut expected: Vec<u32> = key[2..].to_vec();
                expected.sort_unstable();
                expected.dedup();
                let kept = sort(&mut key[2..]);
                assert_eq!(key[..2], [9, 7]);
                assert_eq!(key[2..2 + kept], expected, "{len} members");
            }
        }
    }
}
