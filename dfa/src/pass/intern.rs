//! Numbers for the distinct rows among many, from several threads: each has tables of its own, merged at the end, so that no
//! thread waits for a line of memory that another one writes.
//!
//! Numbers depend on which thread met a row first; canonical numbering (`Dfa::canonical`) makes results independent of that.

use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT, fold, hash_row};

/// Tables of one thread: as many tasks merge them. As many as partitions of keys, so that numbers of distinct rows are those of
/// keys (`minimise.rs` takes them as such).
const SHARDS: usize = super::keys::PARTITIONS;

/// Rows that are looked for at once.
pub(super) const TOGETHER: usize = 32;

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

/// At most [`TOGETHER`] rows, each with its hash.
fn hashed<T: Cell>(rows: &[T], width: usize) -> SmallVec<[(u64, &[T]); TOGETHER]> {
    rows.chunks(width).map(|row| (T::hash(row), row)).collect()
}

/// What of a hash is kept beside a place.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A tag's own hash.
#[inline]
fn spread(tag: u32) -> u64 {
    fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15)
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

    /// Place of `row`, if it is there.
    #[inline]
    fn find(&self, hash: u64, row: &[T]) -> Option<u32> {
        let tag = tag(hash);
        let width = row.len();
        let is_row = |&(t, place): &(u32, u32)| {
            t == tag && self.rows[place as usize * width..(place as usize + 1) * width] == *row
        };
        self.index.find(spread(tag), is_row).map(|&(_, place)| place)
    }

    /// Reads what [`Shard::find`] will, so that it is at hand then.
    #[inline]
    fn touch(&self, hash: u64, row: &[T]) -> bool {
        let tag = tag(hash);
        let place = self.index.find(spread(tag), |&(t, _)| t == tag);
        place.is_some_and(|&(_, place)| self.rows[place as usize * row.len()] == row[0])
    }

    /// Places of `rows`, one after the other, as [`Shard::insert`] gives them.
    fn insert_all(&mut self, rows: &[T], width: usize) -> Option<Vec<u32>> {
        let mut places = Vec::with_capacity(rows.len() / width);
        for rows in rows.chunks(TOGETHER * width) {
            let hashed = hashed(rows, width);
            black_box(hashed.iter().fold(false, |all, &(hash, row)| all ^ self.touch(hash, row)));
            for (hash, row) in hashed {
                places.push(self.insert(hash, row)?);
            }
        }
        Some(places)
    }

    /// Place of `row`, added if new; `None` when there is no number left.
    #[inline]
    fn insert(&mut self, hash: u64, row: &[T]) -> Option<u32> {
        if let Some(place) = self.find(hash, row) {
            return Some(place);
        }
        let tag = tag(hash);
        let Self { rows, index } = self;
        let place = rows.len() / row.len();
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
    width: usize,
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
        Writer {
            width: self.width,
            lane,
            layer,
            tables: self.lanes[lane].lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let of = |lane: &Mutex<Lane<T>>| {
            let lane = lane.lock().unwrap_or_else(PoisonError::into_inner);
            lane.0.iter().map(Shard::bytes).sum::<u64>()
        };
        self.lanes.iter().map(of).sum()
    }

    /// The distinct rows, to which others may be added, and what turns provisional numbers into theirs.
    ///
    /// # Errors
    /// [`Error::TooManyStates`] in `layer`.
    pub(super) fn finish(self, layer: usize) -> Result<(Merged<T>, Numbering)> {
        let width = self.width;
        let mut by_shard: Vec<Vec<Shard<T>>> = (0..SHARDS).map(|_| Vec::new()).collect();
        for lane in self.lanes {
            let lane = lane.into_inner().unwrap_or_else(PoisonError::into_inner);
            by_shard.iter_mut().zip(lane.0).for_each(|(shards, shard)| shards.push(shard));
        }
        let merge = |shards: Vec<Shard<T>>| -> Option<(Shard<T>, Vec<Vec<u32>>)> {
            let mut shards = shards.into_iter();
            let mut first = shards.next()?;
            let places = shards.map(|other| first.insert_all(&other.rows, width)).collect::<Option<_>>()?;
            Some((first, places))
        };
        let merged: Vec<(Shard<T>, Vec<Vec<u32>>)> =
            by_shard.into_par_iter().map(merge).collect::<Option<_>>().ok_or_else(|| full(layer))?;
        let (shards, places) = merged.into_iter().unzip();
        Ok((Merged { layer, width, shards }, Numbering(places)))
    }
}

/// The distinct rows of all threads, still to be found by their words, and others appended, which are not.
pub(super) struct Merged<T> {
    layer: usize,
    width: usize,
    shards: Vec<Shard<T>>,
}

impl<T: Cell> Merged<T> {
    /// Words of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The state of a row, if it was interned.
    #[inline]
    pub(super) fn find(&self, row: &[T]) -> Option<u32> {
        let hash = T::hash(row);
        let shard = hash as usize % SHARDS;
        self.shards[shard].find(hash, row).map(|place| join(shard, place))
    }

    /// Adds rows that are not there and differ from one another, without a look: their states, in the order of `stretches`.
    ///
    /// # Errors
    /// [`Error::TooManyStates`].
    pub(super) fn append(&mut self, stretches: &[Vec<T>]) -> Result<Vec<u32>> {
        let width = self.width;
        let mut next: Vec<usize> = self.shards.iter().map(|shard| shard.rows.len() / width).collect();
        // The stretches of a shard in their order, so that a place is the number of rows before.
        self.shards.par_iter_mut().enumerate().for_each(|(s, shard)| {
            let own = stretches.iter().skip(s).step_by(SHARDS);
            shard.rows.reserve_exact(own.clone().map(Vec::len).sum());
            own.for_each(|rows| shard.rows.extend_from_slice(rows));
        });
        let mut states = Vec::with_capacity(stretches.iter().map(Vec::len).sum::<usize>() / width);
        for (i, rows) in stretches.iter().enumerate() {
            let (shard, n) = (i % SHARDS, rows.len() / width);
            if next[shard] + n > MAX_STATES / SHARDS {
                return Err(full(self.layer));
            }
            states.extend((next[shard]..next[shard] + n).map(|place| join(shard, place as u32)));
            next[shard] += n;
        }
        Ok(states)
    }

    /// The rows alone.
    pub(super) fn into_distinct(self) -> Distinct<T> {
        let rows = |mut shard: Shard<T>| {
            shard.rows.shrink_to_fit();
            shard.rows
        };
        Distinct { width: self.width, shards: self.shards.into_par_iter().map(rows).collect() }
    }
}

fn full(layer: usize) -> Error {
    Error::TooManyStates { layer, limit: MAX_STATES as u64 }
}

impl<T: Cell> Writer<'_, T> {
    /// Appends to `numbers` those of `rows`, one row after the other: provisional ones where `constant` has none. What is read for
    /// many rows is on its way from memory at once.
    ///
    /// # Errors
    /// [`Error::TooManyStates`].
    pub(super) fn intern_all(
        &mut self,
        rows: &[T],
        constant: impl Fn(&[T]) -> Option<u32>,
        numbers: &mut Vec<u32>,
    ) -> Result<()> {
        let shards = &mut self.tables.0;
        for rows in rows.chunks(TOGETHER * self.width) {
            let hashed = hashed(rows, self.width);
            let touch = |&(hash, row): &(u64, &[T])| shards[hash as usize % SHARDS].touch(hash, row);
            black_box(hashed.iter().fold(false, |all, row| all ^ touch(row)));
            for (hash, row) in hashed {
                numbers.push(if let Some(value) = constant(row) {
                    value
                } else {
                    let shard = hash as usize % SHARDS;
                    join(shard, shards[shard].insert(hash, row).ok_or_else(|| full(self.layer))?)
                });
            }
        }
        Ok(())
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

    /// Words of a row.
    pub(super) fn width(&self) -> usize {
        self.width
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
    fn appended_rows_have_numbers_of_their_own() -> Result<()> {
        let interner: Interner<u32> = Interner::new(2);
        let mut numbers = Vec::new();
        interner.writer(0).intern_all(&[5, 6], |_| None, &mut numbers)?;
        let first = numbers[0];
        let (mut merged, _) = interner.finish(0)?;
        let stretches: Vec<Vec<u32>> =
            (0..200).map(|i| (0..i % 3).flat_map(|j| [100 * i + j, 7]).collect()).collect();
        let states = merged.append(&stretches)?;
        let rows: Vec<&[u32]> = stretches.iter().flat_map(|rows| rows.chunks(2)).collect();
        assert_eq!(states.len(), rows.len());
        let distinct = merged.into_distinct();
        for (row, &state) in rows.iter().zip(&states) {
            assert_eq!(distinct.row(state), *row);
        }
        assert_eq!(distinct.row(first), [5, 6]);
        let different: std::collections::BTreeSet<u32> = states.iter().copied().chain([first]).collect();
        assert_eq!(different.len(), rows.len() + 1);
        Ok(())
    }

    #[test]
    fn equal_rows_have_one_number_whichever_thread_met_them() -> Result<()> {
        let rows: Vec<Vec<u64>> = (0..9000u64).map(|i| vec![i * i % 101, i % 7, 3]).collect();
        let constant = |row: &[u64]| (row == [0, 0, 3]).then_some(ACCEPT);
        for threads in [1, 2, 4] {
            crate::store::pool(threads)?.install(|| {
                let interner = Interner::new(3);
                let number = |rows: &[Vec<u64>]| {
                    let mut writer = interner.writer(0);
                    let mut numbers = Vec::new();
                    writer.intern_all(&rows.concat(), constant, &mut numbers)?;
                    Ok((writer.lane, numbers))
                };
                let stretches: Vec<(usize, Vec<u32>)> =
                    rows.par_chunks(100).map(number).collect::<Result<_>>()?;
                assert!(interner.bytes() > 0);
                let (merged, numbering) = interner.finish(0)?;
                assert!(rows.iter().all(|row| merged.find(row).is_some() == constant(row).is_none()));
                assert_eq!(merged.find(&[1, 7, 3]), None);
                let distinct = merged.into_distinct();
                let mut numbers = std::collections::BTreeMap::new();
                for (rows, (lane, provisional)) in rows.chunks(100).zip(stretches) {
                    assert_eq!(rows.len(), provisional.len());
                    for (row, n) in rows.iter().zip(provisional) {
                        let state = numbering.state(lane, n);
                        if constant(row).is_some() {
                            assert_eq!(state, ACCEPT);
                            continue;
                        }
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
