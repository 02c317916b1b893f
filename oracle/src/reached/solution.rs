//! The result of solving reached positions: a code for each of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};

use nerode_games::Side;
use nerode_games::outcome::{Outcome, code16};
use rayon::prelude::*;

use super::packing::{Key, Packing, hash, side_of};
use super::rows::{AnyRows, ReachedRows, ReachedStats, RowWriter};
use super::shards::{SHARDS, Shard, shard_of};
use crate::solution::ValueCounts;

/// The strong solution of the reached positions of a game.
pub struct ReachedSolution {
    solved: Box<dyn AnySolved>,
    packing: Packing,
    stats: ReachedStats,
}

impl std::fmt::Debug for ReachedSolution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReachedSolution").field("stats", &self.stats).finish_non_exhaustive()
    }
}

impl ReachedSolution {
    pub(super) fn new(
        solved: Box<dyn AnySolved>,
        packing: Packing,
        num_plies: u32,
        (start, start_side): (Vec<u8>, Side),
    ) -> Self {
        let code = solved.number(&start, start_side).and_then(|number| solved.code(number));
        let stats = ReachedStats::new(solved.count(), start_side, code, num_plies);
        Self { solved, packing, stats }
    }

    /// Returns the statistics.
    pub fn stats(&self) -> &ReachedStats {
        &self.stats
    }

    /// Returns the correspondence of positions and bytes.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Returns the number of positions.
    pub fn num_positions(&self) -> u64 {
        self.stats.num_positions()
    }

    /// Returns value and depth of a position, or `None` if it is not reached.
    pub fn get(&self, board: &[u8], side: Side) -> Option<Outcome> {
        self.solved.code(self.solved.number(board, side)?).map(code16::outcome)
    }

    /// Returns the positions as a list. The hash table is dropped.
    pub fn into_rows(self) -> ReachedRows {
        let Self { solved, packing, stats } = self;
        ReachedRows::new(solved, packing, stats)
    }
}

/// Solved positions with keys of any number of words.
pub(super) trait AnySolved: AnyRows + Sync {
    fn number(&self, board: &[u8], side: Side) -> Option<usize>;
    fn code(&self, number: usize) -> Option<u16>;
    fn count(&self) -> ([ValueCounts; 2], Vec<u64>);
}

/// Returns the number of a position over all shards, or `None` if it is not reached.
pub(super) fn number_in<const N: usize>(
    packing: &Packing,
    shards: &[Shard<N>],
    board: &[u8],
    side: Side,
) -> Option<usize> {
    let key: Key<N> = packing.key(board, side)?;
    let hash = hash(&key);
    let shard = shard_of(hash);
    let before: usize = shards[..shard].iter().map(|shard| shard.keys.len()).sum();
    Some(before + shards[shard].find(&key, hash)?)
}

/// Solved positions, with a code for each in the order of shards and of the numbers within them.
pub(super) struct Solved<const N: usize> {
    pub(super) packing: Packing,
    pub(super) shards: Vec<Shard<N>>,
    pub(super) codes: Vec<u16>,
}

impl<const N: usize> AnySolved for Solved<N> {
    fn number(&self, board: &[u8], side: Side) -> Option<usize> {
        number_in(&self.packing, &self.shards, board, side)
    }

    fn code(&self, number: usize) -> Option<u16> {
        self.codes.get(number).copied()
    }

    fn count(&self) -> ([ValueCounts; 2], Vec<u64>) {
        let (mut sides, mut histogram) = ([ValueCounts::default(); 2], Vec::new());
        let keys = self.shards.iter().flat_map(|shard| shard.keys.iter());
        for (key, &code) in keys.zip(&self.codes) {
            sides[side_of(&key).index()].add(code, &mut histogram);
        }
        (sides, histogram)
    }
}

impl<const N: usize> AnyRows for Solved<N> {
    fn write(mut self: Box<Self>, out: &mut dyn Write, go_on: &mut dyn FnMut(u64) -> bool) -> io::Result<()> {
        let mut rest = self.codes.as_mut_slice();
        let mut parts = Vec::with_capacity(SHARDS);
        for shard in &mut self.shards {
            shard.forget_numbers();
            let (codes, after) = std::mem::take(&mut rest).split_at_mut(shard.keys.len());
            parts.push((shard, codes));
            rest = after;
        }
        parts.into_par_iter().for_each(|(shard, codes)| {
            let mut rows: Vec<(Key<N>, u16)> = shard.keys.iter().zip(codes.iter().copied()).collect();
            rows.sort_unstable();
            for ((key, code), row) in shard.keys.iter_mut().zip(codes).zip(rows) {
                (*key, *code) = row;
            }
        });
        let mut rest = self.codes.as_slice();
        let mut rows = Vec::with_capacity(SHARDS);
        for shard in &self.shards {
            let (codes, after) = rest.split_at(shard.keys.len());
            rows.push(shard.keys.iter().zip(codes));
            rest = after;
        }
        let mut heads: BinaryHeap<Reverse<(Key<N>, u16, usize)>> = BinaryHeap::with_capacity(SHARDS);
        for (shard, rows) in rows.iter_mut().enumerate() {
            heads.extend(rows.next().map(|(key, &code)| Reverse((key, code, shard))));
        }
        let mut writer = RowWriter::new(&self.packing, out, go_on);
        while let Some(mut head) = heads.peek_mut() {
            let Reverse((key, code, shard)) = *head;
            match rows[shard].next() {
                Some((key, &code)) => *head = Reverse((key, code, shard)),
                None => drop(std::collections::binary_heap::PeekMut::pop(head)),
            }
            writer.push(&key, code)?;
        }
        writer.finish()
    }
}
