//! Numbers for the distinct rows among many, from several threads: each has tables of its own, merged at the end, so that no
//! thread waits for a line of memory that another one writes.
//!
//! Numbers depend on which thread met a row first; canonical numbering (`Dfa::canonical`) makes results independent of that.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT, fold, hash_row};

/// Tables of one thread, a power of two: as many tasks merge them.
const SHARDS: usize = 64;

/// What rows consist of.
pub(super) trait Cell: Copy + Eq + Send + Sync {
    /// A hash that mixes all bits of a row.
    fn hash(row: &[Self]) -> u64;
}

impl Cell for u32 {
    #[inline]
    fn hash(row: &[Self]) -> u64 {
        hash_row(row)
    }
}

impl Cell for u64 {
    fn hash(row: &[Self]) -> u64 {
        // Two chains, so that multiplications overlap.
        let mut h = [0x2545_F491_4F6C_DD1D_u64, 0x243F_6A88_85A3_08D3];
        for pair in row.chunks(2) {
            h[0] = fold(h[0] ^ pair[0], 0x9E37_79B9_7F4A_7C15);
            h[1] = fold(h[1] ^ pair.get(1).copied().unwrap_or(1), 0xD6E8_FEB8_6659_FD93);
        }
        fold(h[0] ^ h[1].rotate_left(32), 0x9E37_79B9_7F4A_7C15)
    }
}

/// Number of the row at `place` of a shard.
#[inline]
fn join(shard: usize, place: u32) -> u32 {
    FIRST + place * SHARDS as u32 + shard as u32
}

/// Shard and place of an ordinary number.
#[inline]
fn split(state: u32) -> (usize, usize) {
    let number = (state - FIRST) as usize;
    (number % SHARDS, number / SHARDS)
}

/// Distinct rows whose hashes fall together.
struct Shard<T> {
    rows: Vec<T>,
    index: HashTable<(u32, u32)>,
}

impl<T: Cell> Shard<T> {
    fn new() -> Self {
        Self { rows: Vec::new(), index: HashTable::new() }
    }

    /// Place of `row`, added if new; `None` when there is no number left.
    #[inline]
    fn insert(&mut self, hash: u64, row: &[T]) -> Option<u32> {
        let tag = (hash >> 32) as u32;
        let spread = |tag: u32| fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15);
        let Self { rows, index } = self;
        let width = row.len();
        let is_row = |&(t, place): &(u32, u32)| {
            t == tag && rows[place as usize * width..(place as usize + 1) * width] == *row
        };
        if let Some(&(_, place)) = index.find(spread(tag), is_row) {
            return Some(place);
        }
        let place = rows.len() / width;
        if place >= MAX_STATES / SHARDS {
            return None;
        }
        rows.extend_from_slice(row);
        index.insert_unique(spread(tag), (tag, place as u32), |&(t, _)| spread(t));
        Some(place as u32)
    }

    fn bytes(&self) -> u64 {
        (size_of::<T>() * self.rows.capacity() + 9 * self.index.capacity()) as u64
    }
}

/// The tables of one thread.
struct Lane<T>(Vec<Shard<T>>);

/// Collects distinct rows.
pub(super) struct Interner<T> {
    width: usize,
    /// By thread; a lock is only ever taken by its own thread, unless the pool has others than [`Interner::new`] saw.
    lanes: Vec<Mutex<Lane<T>>>,
}

/// A thread's access to its tables.
pub(super) struct Writer<'a, T> {
    /// Which tables: provisional numbers hold among their own.
    pub(super) lane: usize,
    layer: usize,
    tables: MutexGuard<'a, Lane<T>>,
}

impl<T: Cell> Interner<T> {
    /// For rows of `width` words, from the threads of the current pool.
    pub(super) fn new(width: usize) -> Self {
        let lane = || Mutex::new(Lane((0..SHARDS).map(|_| Shard::new()).collect()));
        Self { width, lanes: (0..rayon::current_num_threads()).map(|_| lane()).collect() }
    }

    /// The tables of the current thread, for rows of `layer`.
    pub(super) fn writer(&self, layer: usize) -> Writer<'_, T> {
        let lane = rayon::current_thread_index().unwrap_or(0) % self.lanes.len();
        Writer { lane, layer, tables: self.lanes[lane].lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let of = |lane: &Mutex<Lane<T>>| {
            let lane = lane.lock().unwrap_or_else(PoisonError::into_inner);
            lane.0.iter().map(Shard::bytes).sum::<u64>()
        };
        self.lanes.iter().map(of).sum()
    }

    /// The distinct rows, and what turns provisional numbers into theirs.
    ///
    /// # Errors
    /// [`Error::TooManyStates`] in `layer`.
    pub(super) fn finish(self, layer: usize) -> Result<(Distinct<T>, Numbering)> {
        let width = self.width;
        let mut by_shard: Vec<Vec<Shard<T>>> = (0..SHARDS).map(|_| Vec::new()).collect();
        for lane in self.lanes {
            let lane = lane.into_inner().unwrap_or_else(PoisonError::into_inner);
            by_shard.iter_mut().zip(lane.0).for_each(|(shards, shard)| shards.push(shard));
        }
        let merge = |shards: Vec<Shard<T>>| -> Option<(Vec<T>, Vec<Vec<u32>>)> {
            let mut shards = shards.into_iter();
            let mut first = shards.next()?;
            let places = shards
                .map(|other| other.rows.chunks(width).map(|row| first.insert(T::hash(row), row)).collect())
                .collect::<Option<_>>()?;
            Some((first.rows, places))
        };
        let merged: Vec<(Vec<T>, Vec<Vec<u32>>)> =
            by_shard.into_par_iter().map(merge).collect::<Option<_>>().ok_or_else(|| full(layer))?;
        let (shards, places) = merged.into_iter().unzip();
        Ok((Distinct { width, shards }, Numbering(places)))
    }
}

fn full(layer: usize) -> Error {
    Error::TooManyStates { layer, limit: MAX_STATES as u64 }
}

impl<T: Cell> Writer<'_, T> {
    /// A provisional number of a row that is not constant.
    ///
    /// # Errors
    /// [`Error::TooManyStates`].
    #[inline]
    pub(super) fn intern(&mut self, row: &[T]) -> Result<u32> {
        let hash = T::hash(row);
        let shard = hash as usize % SHARDS;
        let place = self.tables.0[shard].insert(hash, row).ok_or_else(|| full(self.layer))?;
        Ok(join(shard, place))
    }
}

/// What provisional numbers became: by shard, and by lane after the first, the place of each row.
pub(super) struct Numbering(Vec<Vec<Vec<u32>>>);

impl Numbering {
    /// The state that a constant or provisional number of `lane` stands for.
    #[inline]
    pub(super) fn state(&self, lane: usize, provisional: u32) -> u32 {
        match (provisional, lane) {
            (REJECT | ACCEPT, _) | (_, 0) => provisional,
            _ => {
                let (shard, place) = split(provisional);
                join(shard, self.0[shard][lane - 1][place])
            }
        }
    }

    /// The same for many.
    pub(super) fn apply(&self, lane: usize, numbers: &mut [u32]) {
        if lane > 0 {
            numbers.iter_mut().for_each(|n| *n = self.state(lane, *n));
        }
    }
}

/// Distinct rows by state.
pub(super) struct Distinct<T> {
    width: usize,
    pub(super) shards: Vec<Vec<T>>,
}

impl<T: Cell> Distinct<T> {
    /// No rows, of `width` words.
    pub(super) fn none(width: usize) -> Self {
        Self { width, shards: Vec::new() }
    }

    /// Rows of `width` words that other rows, of the same places, became.
    pub(super) fn of_shards(width: usize, shards: Vec<Vec<T>>) -> Self {
        Self { width, shards }
    }

    /// The row of an ordinary state.
    #[inline]
    pub(super) fn row(&self, state: u32) -> &[T] {
        let (shard, place) = split(state);
        &self.shards[shard][place * self.width..(place + 1) * self.width]
    }

    /// More than any state.
    pub(super) fn limit(&self) -> usize {
        let most = self.shards.iter().map(|rows| rows.len() / self.width).max().unwrap_or(0);
        FIRST as usize + most * SHARDS
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(|rows| (size_of::<T>() * rows.capacity()) as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_hash_are_told_apart() {
        let mut shard: Shard<u64> = Shard::new();
        let places = [[1, 2], [1, 3], [1, 2]].map(|row| shard.insert(9, &row));
        assert_eq!(places, [Some(0), Some(1), Some(0)]);
    }

    #[test]
    fn equal_rows_have_one_number_whichever_thread_met_them() -> Result<()> {
        let rows: Vec<Vec<u64>> = (0..9000u64).map(|i| vec![i * i % 101, i % 7, 3]).collect();
        for threads in [1, 2, 4] {
            crate::store::pool(threads)?.install(|| {
                let interner = Interner::new(3);
                let number = |rows: &[Vec<u64>]| {
                    let mut writer = interner.writer(0);
                    let numbers = rows.iter().map(|row| writer.intern(row)).collect::<Result<Vec<_>>>()?;
                    Ok((writer.lane, numbers))
                };
                let stretches: Vec<(usize, Vec<u32>)> =
                    rows.par_chunks(100).map(number).collect::<Result<_>>()?;
                assert!(interner.bytes() > 0);
                let (distinct, numbering) = interner.finish(0)?;
                let mut numbers = std::collections::BTreeMap::new();
                for (rows, (lane, provisional)) in rows.chunks(100).zip(stretches) {
                    for (row, n) in rows.iter().zip(provisional) {
                        let state = numbering.state(lane, n);
                        assert_eq!(distinct.row(state), row);
                        assert!((state as usize) < distinct.limit());
                        assert_eq!(*numbers.entry(row.clone()).or_insert(state), state);
                    }
                }
                let stored: usize = distinct.shards.iter().map(|s| s.len() / 3).sum();
                assert_eq!(stored, numbers.len());
                Ok(())
            })?;
        }
        Ok(())
    }
}
