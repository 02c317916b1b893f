//! Image pairs that are found to have equal residuals share a row.

use std::hint::black_box;

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::unique::{ACCEPT, FIRST, REJECT};

use super::super::columns::BLOCK;
use super::super::inputs::IMAGE;
use super::super::macrostates::{Partition, hash};
use super::super::steps::DONE;
use super::Level;
use super::maker::Maker;

/// The number of bytes for each image pair whose children are compared, in addition to those of the children. They
/// locate the children.
const BYTES_AT_WORK: usize = 24;
/// The number of bytes for each child: a letter and a number, including spare capacity.
const BYTES_A_CHILD: usize = 16;

/// The image pairs of one relation state.
struct Merged {
    /// The image pairs that have their own row.
    distinct: Vec<u32>,
    /// The number of each image pair's row.
    numbers: Vec<u32>,
}

impl Maker<'_, '_> {
    /// Removes duplicate image pairs, which are pairs whose children have equal rows. Returns the number of each pair's
    /// row.
    pub(super) fn merge(&self, level: &mut Level) -> Vec<Vec<u32>> {
        let found = &mut level.states[IMAGE];
        let moves = self.moves(&found.states);
        let merged: Vec<Merged> = moves.into_par_iter().map(|pairs| self.merge_move(pairs)).collect();
        let mut numbers = Vec::with_capacity(found.states.len());
        let mut first = 0;
        for merged in &merged {
            numbers.extend(merged.numbers.iter().map(|number| first + number));
            first += merged.distinct.len() as u32;
        }
        found.states = merged.into_iter().flat_map(|merged| merged.distinct).collect();
        let mut all = vec![Vec::new(); level.states.len()];
        all[IMAGE] = numbers;
        all
    }

    /// Returns the number of bytes that [`Maker::merge`] needs in addition to the level: the numbers and image pairs,
    /// which temporarily exist twice, and the children that are being processed, usually one for each letter.
    pub(super) fn bytes_to_merge(&self, level: &Level) -> u64 {
        let pairs = &level.states[IMAGE].states;
        let moves = self.moves(pairs).into_iter().filter(|pairs| self.may_merge(pairs));
        let largest = moves.map(<[u32]>::len).max().unwrap_or(0) * rayon::current_num_threads();
        let at_work = BYTES_AT_WORK + BYTES_A_CHILD * self.num_letters();
        (16 * pairs.len() + at_work * largest.min(pairs.len())) as u64
    }

    /// Returns `true` if image pairs of one relation state may have equal rows. This is impossible if the move is
    /// complete, because such pairs represent states of a minimal automaton.
    fn may_merge(&self, pairs: &[u32]) -> bool {
        pairs.first().is_some_and(|&first| self.inputs.relation_state(self.layer, first) != DONE)
    }

    /// Groups the `pairs`, which are in ascending order, by relation state.
    fn moves<'m>(&self, mut pairs: &'m [u32]) -> Vec<&'m [u32]> {
        let state = |pair| self.inputs.relation_state(self.layer, pair);
        let mut moves = Vec::new();
        while let Some(&first) = pairs.first() {
            let (own, rest) = pairs.split_at(pairs.partition_point(|&m| state(m) == state(first)));
            moves.push(own);
            pairs = rest;
        }
        moves
    }

    /// Merges the `pairs` of one relation state.
    fn merge_move(&self, pairs: &[u32]) -> Merged {
        let apart = || Merged { distinct: pairs.to_vec(), numbers: (0..pairs.len() as u32).collect() };
        if !self.may_merge(pairs) {
            return apart();
        }
        let mut lists = Partition::default();
        let mut merged = Merged { distinct: Vec::new(), numbers: Vec::with_capacity(pairs.len()) };
        let (mut words, mut ends, mut tags) = (Vec::new(), Vec::new(), Vec::new());
        // As in `extended`, the memory accesses of all look-ups overlap.
        for pairs in pairs.chunks(BLOCK) {
            let mut children: SmallVec<[(u32, u32, u32); 4 * BLOCK]> = SmallVec::new();
            for (i, &pair) in pairs.iter().enumerate() {
                self.inputs.advance(IMAGE, self.layer, pair, |letter, child| {
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
            for i in 0..pairs.len() as u32 {
                let start = words.len();
                let (own, rest) = children.split_at(children.partition_point(|child| child.0 == i));
                words.extend(own.iter().flat_map(|&(_, letter, child)| [letter, child]));
                tags.push(hash(&words[start..]).1);
                ends.push(words.len());
                children = rest;
            }
            black_box(tags.iter().fold(0, |all, &tag| all ^ lists.candidate(tag).unwrap_or(0)));
            let mut start = 0;
            for ((&pair, &tag), &end) in pairs.iter().zip(&tags).zip(&ends) {
                // If there are more than 2^25 different lists or 2^32 words, the pairs are not merged.
                let Some(number) = lists.insert(tag, &words[start..end]) else { return apart() };
                if number as usize == merged.distinct.len() {
                    merged.distinct.push(pair);
                }
                merged.numbers.push(number);
                start = end;
            }
        }
        merged
    }
}
