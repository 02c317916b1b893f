//! States of the inputs in the last layers, and their residuals as rows of bits.
//!
//! From the last layer back, a layer's rows are first made over pairs of a letter and a class of the next layer, then pairs whose
//! bits are equal in all rows become one class. Bits of the image count only at *bearing* pairs, where the side sets
//! leave the value to it; elsewhere they are taken to be 0. Members of a move under way whose children have equal rows share a row:
//! of the set's words only those count that have what the move takes where it takes it.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::error::Result;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::bits::{Bits, ones, unite_bits};
use super::classes::Classes;
use super::columns::{BLOCK, Columns, columns_of};
use super::expand::Check;
use super::inputs::{IMAGE, Inputs, Wanted};
use super::keys::{Partition, hash};
use super::steps::DONE;

/// Members that a task works on.
const STRETCH: usize = 1 << 12;
/// Members of each input that are looked at first, so that tasks begin with nearly all differences between columns.
const SAMPLE: usize = 1 << 8;

/// Bytes for each member whose children are compared, beside those of the children: where to find them.
const BYTES_AT_WORK: usize = 24;
/// Bytes for each child: a letter and a number, and room to grow.
const BYTES_A_CHILD: usize = 16;

/// A set of members, collected by several threads.
pub(super) struct Collector(Vec<AtomicU64>);

impl Collector {
    /// For members below `limit`.
    pub(super) fn new(limit: u32) -> Self {
        let mut words = Vec::new();
        words.resize_with(limit as usize / 64 + 1, AtomicU64::default);
        Self(words)
    }

    /// Adds a member.
    #[inline]
    pub(super) fn add(&self, member: u32) {
        let (word, bit) = (&self.0[member as usize / 64], 1 << (member % 64));
        // Most have been added before: reading alone leaves the line with every thread.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Adds `members`, which are looked for all at once first.
    fn add_all(&self, members: &[u32]) {
        let word = |&member: &u32| self.0[member as usize / 64].load(Ordering::Relaxed);
        black_box(members.iter().map(word).fold(0, |all, word| all ^ word));
        members.iter().for_each(|&member| self.add(member));
    }

    /// Number of members.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum()
    }

    /// The members in ascending order, and the place of each.
    fn finish(self) -> Found {
        let mut members = Vec::with_capacity(self.len());
        let mut places = Vec::with_capacity(self.0.len());
        for (i, word) in self.0.into_iter().enumerate() {
            let mut bits = word.into_inner();
            places.push((bits, members.len() as u32));
            while bits != 0 {
                members.push(i as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        Found { members, places: Places(places) }
    }
}

/// Members in ascending order.
struct Found {
    members: Vec<u32>,
    places: Places,
}

/// The place of each member in ascending order: per 64 numbers which are members, and how many come before.
struct Places(Vec<(u64, u32)>);

impl Places {
    #[inline]
    fn of(&self, member: u32) -> usize {
        let (bits, before) = self.0[member as usize / 64];
        before as usize + (bits & ((1 << (member % 64)) - 1)).count_ones() as usize
    }
}

/// Rows of bits of states of one input.
pub(super) struct Members {
    places: Places,
    /// Number of the row of each state, by place; empty where each has the row of its place.
    numbers: Vec<u32>,
    bits: Bits,
}

impl Members {
    /// The number of a member's row: members with equal numbers have equal residuals, where these bear on the value.
    #[inline]
    pub(super) fn number(&self, member: u32) -> u32 {
        let place = self.places.of(member);
        self.numbers.get(place).copied().unwrap_or(place as u32)
    }

    /// The row of one of the members.
    #[inline]
    pub(super) fn row(&self, member: u32) -> &[u64] {
        self.numbered(self.number(member))
    }

    /// The row with a number.
    #[inline]
    pub(super) fn numbered(&self, number: u32) -> &[u64] {
        self.bits.row(number as usize)
    }

    /// Reads of that row what makes it be at hand soon.
    #[inline]
    pub(super) fn touch(&self, number: u32) -> u64 {
        self.bits.touch(number as usize)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.bits.bytes() + 16 * self.places.0.len() as u64 + 4 * self.numbers.capacity() as u64
    }
}

/// Rows of bits of the states of all inputs in one layer: a bit for each class of endings that none of them, and of those in
/// the layers before none, tells apart where the value depends on it.
pub(super) struct Residuals {
    pub(super) layer: usize,
    /// By input.
    pub(super) rows: Vec<Members>,
    /// Bits of a row.
    pub(super) len: usize,
    /// Classes of this layer and all after it.
    pub(super) classes: Vec<Classes>,
}

/// What there is in one layer.
struct Level {
    states: Vec<Found>,
    beside: Vec<Vec<u32>>,
}

impl Residuals {
    /// Residuals of what is `wanted` of the first layer of `inputs`, or, where a row of those would take more than `most` bits or
    /// all rows more than `room` bytes, of what follows it in the first layer where they do not.
    ///
    /// Cost: for each layer a hash of each state's children, and different rows times classes of the layer below, twice.
    ///
    /// # Errors
    /// Those of `check`, which is told the bytes under work.
    pub(super) fn new(
        inputs: &Inputs<'_>,
        wanted: Wanted,
        (most, room): (usize, u64),
        check: Check<'_>,
    ) -> Result<Self> {
        let num_layers = inputs.expansion.shape().num_layers();
        let mut levels = vec![Level::new(wanted)];
        for layer in inputs.from()..num_layers {
            let next = Level::new(levels[levels.len() - 1].next(inputs, layer));
            levels.push(next);
            check(levels.iter().map(Level::bytes).sum())?;
        }
        let mut below = Self::end(num_layers, levels.pop());
        while let Some(mut level) = levels.pop() {
            let maker = Maker { inputs, layer: below.layer - 1, below: &below };
            if maker.num_pairs() > most {
                break;
            }
            let held = levels.iter().map(Level::bytes).sum::<u64>() + below.bytes();
            check(held + level.bytes() + maker.bytes_to_merge(&level))?;
            let numbers = maker.merge(&mut level);
            let bearing = maker.bearing(&level.beside);
            // In the first layer there is nothing to be saved above.
            let columns = if levels.is_empty() {
                Columns::apart(maker.num_pairs())
            } else {
                maker.columns(&level, &bearing)
            };
            let classes = Classes::new(maker.num_letters(), below.len, &columns);
            let bytes = (8 * classes.len().div_ceil(64) * level.len()) as u64;
            if bytes > room {
                break;
            }
            check(held + level.bytes() + 4 * numbers[IMAGE].len() as u64 + bytes)?;
            let rows: Vec<Bits> = maker.rows(&level, &bearing, &classes);
            let layer = maker.layer;
            let rows = level.states.into_iter().zip(numbers).zip(rows);
            let members =
                |((found, numbers), bits): ((Found, _), _)| Members { places: found.places, numbers, bits };
            let rows = rows.map(members).collect();
            let len = classes.len();
            let mut all = below.classes;
            all.insert(0, classes);
            below = Self { layer, rows, len, classes: all };
        }
        Ok(below)
    }

    /// The layer after the last: one ending, the empty one.
    fn end(layer: usize, level: Option<Level>) -> Self {
        let of_one = |found: Found| {
            let rows = vec![1; found.members.len()];
            Members { bits: Bits { len: 1, words: 1, rows }, numbers: Vec::new(), places: found.places }
        };
        let rows = level.into_iter().flat_map(|level| level.states).map(of_one).collect();
        Self { layer, rows, len: 1, classes: Vec::new() }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.iter().map(Members::bytes).sum()
    }
}

impl Level {
    /// Number of states.
    fn len(&self) -> usize {
        self.states.iter().map(|found| found.members.len()).sum()
    }

    /// Bytes held.
    fn bytes(&self) -> u64 {
        let of = |found: &Found| 4 * found.members.capacity() + 16 * found.places.0.capacity();
        self.states.iter().map(of).sum::<usize>() as u64
    }

    fn new(wanted: Wanted) -> Self {
        Self {
            states: wanted.states.into_iter().map(Collector::finish).collect(),
            beside: wanted.beside.into_iter().map(|states| states.finish().members).collect(),
        }
    }

    /// What follows in the next layer.
    fn next(&self, inputs: &Inputs<'_>, layer: usize) -> Wanted {
        let next = inputs.none(layer + 1);
        for (input, found) in self.states.iter().enumerate() {
            found.members.par_chunks(BLOCK).with_min_len(STRETCH / BLOCK).for_each(|states| {
                let mut children: SmallVec<[u32; 4 * BLOCK]> = SmallVec::new();
                for &state in states {
                    inputs.advance(input, layer, state, |_, child| children.push(child));
                }
                children.retain(|child| *child >= FIRST);
                next.states[input].add_all(&children);
            });
        }
        for (j, states) in self.beside.iter().enumerate() {
            for &state in states {
                if state < FIRST {
                    next.beside[j].add(state);
                } else {
                    inputs.advance(j + 1, layer, state, |_, child| next.beside[j].add(child));
                }
            }
        }
        next
    }
}

/// Members of one state of the relation.
struct Merged {
    /// Those with a row of their own.
    distinct: Vec<u32>,
    /// The number of the row of each.
    numbers: Vec<u32>,
}

/// Makes the rows of one layer from those of the next.
struct Maker<'a, 'b> {
    inputs: &'a Inputs<'b>,
    layer: usize,
    below: &'a Residuals,
}

impl Maker<'_, '_> {
    fn num_letters(&self) -> usize {
        self.inputs.expansion.shape().num_letters(self.layer)
    }

    /// Leaves of the image's members one of those whose residuals are seen to be equal, from their children's, and numbers all.
    fn merge(&self, level: &mut Level) -> Vec<Vec<u32>> {
        let found = &mut level.states[IMAGE];
        let moves = self.moves(&found.members);
        let merged: Vec<Merged> = moves.into_par_iter().map(|members| self.merge_move(members)).collect();
        let mut numbers = Vec::with_capacity(found.members.len());
        let mut first = 0;
        for merged in &merged {
            numbers.extend(merged.numbers.iter().map(|number| first + number));
            first += merged.distinct.len() as u32;
        }
        found.members = merged.into_iter().flat_map(|merged| merged.distinct).collect();
        let mut all = vec![Vec::new(); level.states.len()];
        all[IMAGE] = numbers;
        all
    }

    /// Bytes that [`Maker::merge`] needs beside the level: numbers and members twice for a while, and the children of those at work,
    /// of mostly one a letter.
    fn bytes_to_merge(&self, level: &Level) -> u64 {
        let members = &level.states[IMAGE].members;
        let moves = self.moves(members).into_iter().filter(|members| self.may_merge(members));
        let largest = moves.map(<[u32]>::len).max().unwrap_or(0) * rayon::current_num_threads();
        let at_work = BYTES_AT_WORK + BYTES_A_CHILD * self.num_letters();
        (16 * members.len() + at_work * largest.min(members.len())) as u64
    }

    /// Whether rows of members of one state of the relation may be equal: not those of a move that is done, states of a minimal
    /// automaton.
    fn may_merge(&self, members: &[u32]) -> bool {
        members.first().is_some_and(|&first| self.inputs.relation_state(self.layer, first) != DONE)
    }

    /// The `members`, which ascend, by states of the relation.
    fn moves<'m>(&self, mut members: &'m [u32]) -> Vec<&'m [u32]> {
        let state = |member| self.inputs.relation_state(self.layer, member);
        let mut moves = Vec::new();
        while let Some(&first) = members.first() {
            let (own, rest) = members.split_at(members.partition_point(|&m| state(m) == state(first)));
            moves.push(own);
            members = rest;
        }
        moves
    }

    /// Merges `members` of one state of the relation.
    fn merge_move(&self, members: &[u32]) -> Merged {
        let apart = || Merged { distinct: members.to_vec(), numbers: (0..members.len() as u32).collect() };
        if !self.may_merge(members) {
            return apart();
        }
        let mut keys = Partition::default();
        let mut merged = Merged { distinct: Vec::new(), numbers: Vec::with_capacity(members.len()) };
        let (mut words, mut ends, mut tags) = (Vec::new(), Vec::new(), Vec::new());
        // As in `pairs`: what is looked up for all is on its way from memory at once.
        for members in members.chunks(BLOCK) {
            let mut children: SmallVec<[(u32, u32, u32); 4 * BLOCK]> = SmallVec::new();
            for (i, &member) in members.iter().enumerate() {
                self.inputs.advance(IMAGE, self.layer, member, |letter, child| {
                    if child != REJECT {
                        children.push((i as u32, letter as u32, child));
                    }
                });
            }
            for (_, _, child) in children.iter_mut().filter(|child| child.2 != ACCEPT) {
                *child = FIRST + self.below.rows[IMAGE].number(*child);
            }
            children.sort_unstable();
            children.dedup();
            words.clear();
            ends.clear();
            tags.clear();
            let mut children = children.as_slice();
            for i in 0..members.len() as u32 {
                let start = words.len();
                let (own, rest) = children.split_at(children.partition_point(|child| child.0 == i));
                words.extend(own.iter().flat_map(|&(_, letter, child)| [letter, child]));
                tags.push(hash(&words[start..]).1);
                ends.push(words.len());
                children = rest;
            }
            black_box(tags.iter().fold(0, |all, &tag| all ^ keys.candidate(tag).unwrap_or(0)));
            let mut start = 0;
            for ((&member, &tag), &end) in members.iter().zip(&tags).zip(&ends) {
                // More than 2^25 different ones, or 2^32 words, are left as they are.
                let Some(number) = keys.insert(tag, &words[start..end]) else { return apart() };
                if number as usize == merged.distinct.len() {
                    merged.distinct.push(member);
                }
                merged.numbers.push(number);
                start = end;
            }
        }
        merged
    }

    /// Number of pairs of a letter and a class below.
    fn num_pairs(&self) -> usize {
        self.num_letters() * self.below.len
    }

    /// The `rows` of `states` over all pairs, the image's where it bears on the value. Rows of the next layer are looked up and
    /// read for all states before they are united, so that many are on their way from memory at once.
    fn pairs(&self, input: usize, states: &[u32], bearing: &Bearing, rows: &mut [u64]) {
        let (words, len, below) = (bearing.pairs.len(), self.below.len, &self.below.rows[input]);
        rows.fill(0);
        let mut children: SmallVec<[(usize, usize, u32); 4 * BLOCK]> = SmallVec::new();
        for (i, &state) in states.iter().enumerate() {
            let row = &mut rows[i * words..(i + 1) * words];
            self.inputs.advance(input, self.layer, state, |letter, child| match child {
                REJECT => {}
                ACCEPT => unite_bits(row, letter * len, &bearing.full, 0, len),
                child => children.push((i, letter, child)),
            });
        }
        children.iter_mut().for_each(|(_, _, child)| *child = below.number(*child));
        black_box(children.iter().fold(0, |all, &(_, _, number)| all ^ below.touch(number)));
        for (i, letter, number) in children {
            let row = &mut rows[i * words..(i + 1) * words];
            unite_bits(row, letter * len, below.numbered(number), 0, len);
        }
        if input == IMAGE {
            let rows = rows.chunks_mut(words);
            rows.for_each(|row| row.iter_mut().zip(&bearing.pairs).for_each(|(word, bears)| *word &= bears));
        }
    }

    /// Which pairs have equal bits in all rows.
    fn columns(&self, level: &Level, bearing: &Bearing) -> Columns {
        let mut columns = Columns::new(self.num_pairs());
        for (input, found) in level.states.iter().enumerate() {
            let step = (found.members.len() / SAMPLE).max(1);
            let sample: Vec<u32> = found.members.iter().copied().step_by(step).collect();
            self.blocks(input, &sample, bearing, |block| columns.refine(block));
        }
        let of_stretch = |(input, stretch): (usize, &[u32])| {
            let mut own = columns.clone();
            self.blocks(input, stretch, bearing, |block| own.refine(block));
            own
        };
        let stretches = stretches(&level.states).into_par_iter();
        stretches.map(of_stretch).reduce(|| columns.clone(), |a, b| a.meet(&b))
    }

    /// Calls `take` with the columns of each [`BLOCK`] of rows over pairs.
    fn blocks(&self, input: usize, states: &[u32], bearing: &Bearing, mut take: impl FnMut(&[u64])) {
        let words = bearing.pairs.len();
        let (mut rows, mut columns) = (vec![0; BLOCK * words], Vec::with_capacity(BLOCK * words));
        for states in states.chunks(BLOCK) {
            self.pairs(input, states, bearing, &mut rows[..states.len() * words]);
            columns_of(&rows[..states.len() * words], words, &mut columns);
            take(&columns);
        }
    }

    /// Pairs at which the value may depend on the image, whatever the key.
    fn bearing(&self, beside: &[Vec<u32>]) -> Bearing {
        let len = self.num_pairs();
        let mut bearing = Bearing { full: ones(self.below.len), pairs: ones(len) };
        let all = bearing.pairs.clone();
        // Where a state has a zero, where one has a one.
        let possible = |j: usize, states: &[u32]| {
            let mut found = [vec![0; all.len()], vec![0; all.len()]];
            let mut row = vec![0; all.len()];
            for &state in states {
                match state {
                    REJECT => row.fill(0),
                    ACCEPT => row.copy_from_slice(&all),
                    state => self.pairs(j + 1, &[state], &bearing, &mut row),
                }
                for (i, word) in row.iter().enumerate() {
                    found[0][i] |= !word & all[i];
                    found[1][i] |= word;
                }
            }
            found
        };
        let unite = |mut a: [Vec<u64>; 2], b: [Vec<u64>; 2]| {
            a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a |= b);
            a
        };
        let nothing = || [vec![0; all.len()], vec![0; all.len()]];
        let of_side = |(j, states): (usize, &Vec<u32>)| {
            states.par_chunks(STRETCH).map(|states| possible(j, states)).reduce(nothing, unite)
        };
        let sides: Vec<[Vec<u64>; 2]> = beside.iter().enumerate().map(of_side).collect();
        let bears = self.inputs.bearing(&sides, all.len());
        bearing.pairs.iter_mut().zip(bears).for_each(|(word, bears)| *word &= bears);
        bearing
    }

    /// The rows of all states over `classes`.
    fn rows(&self, level: &Level, bearing: &Bearing, classes: &Classes) -> Vec<Bits> {
        let apart = classes.len() == self.num_pairs();
        let of_input = |(input, found): (usize, &Found)| {
            let mut bits = Bits::new(classes.len());
            let len = found.members.len() * bits.words;
            bits.rows = rayon::iter::repeat_n(0, len).with_min_len(STRETCH).collect();
            let of_stretch = |(rows, states): (&mut [u64], &[u32])| {
                if apart {
                    let rows = rows.chunks_mut(BLOCK * bits.words).zip(states.chunks(BLOCK));
                    return rows.for_each(|(rows, states)| self.pairs(input, states, bearing, rows));
                }
                let mut blocks = rows.chunks_mut(BLOCK * bits.words);
                self.blocks(input, states, bearing, |columns| {
                    blocks.next().into_iter().for_each(|rows| classes.pick(columns, rows));
                });
            };
            let rows = bits.rows.par_chunks_mut(STRETCH * bits.words);
            rows.zip(found.members.par_chunks(STRETCH)).for_each(of_stretch);
            bits
        };
        level.states.iter().enumerate().map(of_input).collect()
    }
}

/// Where the image bears on the value.
struct Bearing {
    /// All classes of the next layer.
    full: Vec<u64>,
    pairs: Vec<u64>,
}

/// The members of all inputs in stretches.
fn stretches(states: &[Found]) -> Vec<(usize, &[u32])> {
    let of_input = |(input, found)| -> (usize, &Found) { (input, found) };
    states
        .iter()
        .enumerate()
        .map(of_input)
        .flat_map(|(input, found)| found.members.chunks(STRETCH).map(move |stretch| (input, stretch)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::expand::Expansion;
    use super::super::steps::Steps;
    use super::*;
    use crate::formula::Formula;
    use crate::relation::compile;
    use crate::{Dfa, MoveGraph, Shape, Step};

    /// Back along a move of a stone from cell 0 to cell 3 only endings with a stone on cell 3 count.
    #[test]
    fn members_of_a_move_under_way_share_a_row_if_only_what_it_takes_there_tells_them_apart() -> Result<()> {
        let shape = Shape::uniform(5, 3)?;
        let mut graph = MoveGraph::new(shape.clone());
        graph.add(Step::identity().change(0, 1, 0).change(3, 0, 1))?;
        let relations: Vec<_> = compile(&graph)?.into_iter().map(|(_, backward)| backward).collect();
        let steps = Steps::new(&shape, &relations);
        // By the letter of cell 1: with a stone on cell 3 the first two are alike, else all differ.
        let kept = |w: &[u8]| match (w[3], w[1]) {
            (1, before) => (w[4] + w[2]) % 3 == before / 2,
            (_, before) => w[4] == before,
        };
        let words = (0..243u32).map(|n| (0..5).map(|i| (n / 3u32.pow(i) % 3) as u8).collect::<Vec<_>>());
        let set = Dfa::from_step(
            &shape,
            Vec::new(),
            |_, w: &Vec<u8>, a| Some([&w[..], &[a]].concat()),
            |w| kept(w),
        )?;
        assert_eq!(words.filter(|w| set.contains(w)).count() as u128, set.count()?);
        let formula = Formula::new(0, |image, _| image);
        let expansion = Expansion::new((&set, false), &steps, &[], &formula, true)?;
        let inputs = Inputs::new(&expansion, 2);
        let states: Vec<u32> = (FIRST..FIRST + set.num_states_in(2) as u32).collect();
        let under_way: Vec<u32> = (1..=steps.layers[2].num_states() as u32)
            .flat_map(|m| states.iter().map(move |&q| (m, q)))
            .map(|(m, q)| expansion.view(2).here.pack(m, q))
            .collect();
        let wanted = inputs.none(2);
        under_way.iter().for_each(|&member| wanted.states[IMAGE].add(member));
        let residuals = Residuals::new(&inputs, wanted, (usize::MAX, u64::MAX), &|_| Ok(()))?;
        let rows = &residuals.rows[IMAGE];
        let numbers: std::collections::BTreeSet<u32> =
            under_way.iter().map(|&member| rows.number(member)).collect();
        let different: std::collections::BTreeSet<&[u64]> =
            under_way.iter().map(|&member| rows.row(member)).collect();
        assert_eq!((states.len(), under_way.len()), (3, 3 * steps.layers[2].num_states()));
        assert_eq!(numbers.len(), different.len());
        assert!(different.len() < under_way.len(), "{} rows of {} members", different.len(), under_way.len());
        Ok(())
    }

    #[test]
    fn places_count_the_members_before() {
        let collector = Collector::new(1000);
        let wanted: Vec<u32> = (0..1000).filter(|n| n * n % 7 == 2 || n % 64 == 63).collect();
        wanted.iter().rev().for_each(|&n| collector.add(n));
        wanted.iter().for_each(|&n| collector.add(n));
        let Found { members, places } = collector.finish();
        assert_eq!(members, wanted);
        for (place, &member) in members.iter().enumerate() {
            assert_eq!(places.of(member), place);
        }
    }
}
