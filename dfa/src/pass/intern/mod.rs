//! Numbering of distinct rows. Each thread has its own tables, called a *lane*, and lanes are merged at the end. As a
//! result, no thread waits for a cache line that another thread is writing.
//!
//! Numbers depend on which thread encountered a row first. Canonical numbering (`Dfa::canonical`) makes results
//! independent of this.

mod distinct;
mod shard;
#[cfg(test)]
mod tests;

use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::error::Result;

pub(super) use distinct::{Distinct, Merged};
use distinct::{Numbering, full};
pub(super) use shard::{Cell, TOGETHER};
use shard::{SHARDS, Shard, hashed, join};

/// The tables of one thread.
struct Lane<T>(Vec<Shard<T>>);

/// A collection of distinct rows.
pub(super) struct Interner<T> {
    width: usize,
    /// The lanes by thread. Each lock is acquired only by its own thread, unless the pool has more threads than when
    /// [`Interner::new`] was called.
    lanes: Vec<Mutex<Lane<T>>>,
}

/// A thread's access to its tables.
pub(super) struct Writer<'a, T> {
    width: usize,
    /// The number of the lane. Provisional numbers of different lanes are not comparable.
    pub(super) lane: usize,
    layer: usize,
    tables: MutexGuard<'a, Lane<T>>,
}

impl<T: Cell> Interner<T> {
    /// Creates an interner for rows of `width` words, to be used by the threads of the current pool.
    pub(super) fn new(width: usize) -> Self {
        let lane = || Mutex::new(Lane((0..SHARDS).map(|_| Shard::new()).collect()));
        Self { width, lanes: (0..rayon::current_num_threads()).map(|_| lane()).collect() }
    }

    /// Provides access to the tables of the current thread, for rows of `layer`.
    pub(super) fn writer(&self, layer: usize) -> Writer<'_, T> {
        let lane = rayon::current_thread_index().unwrap_or(0) % self.lanes.len();
        Writer {
            width: self.width,
            lane,
            layer,
            tables: self.lanes[lane].lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let of = |lane: &Mutex<Lane<T>>| {
            let lane = lane.lock().unwrap_or_else(PoisonError::into_inner);
            lane.0.iter().map(Shard::bytes).sum::<u64>()
        };
        self.lanes.iter().map(of).sum()
    }

    /// Merges the lanes. Returns the distinct rows, to which other rows may be appended, and the mapping from
    /// provisional numbers to states.
    ///
    /// # Errors
    /// Returns [`Error::TooManyStates`] if `layer` would have too many states.
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

impl<T: Cell> Writer<'_, T> {
    /// Appends the numbers of `rows` to `numbers`. The number of a row is the result of `constant` or otherwise a
    /// provisional number. The memory accesses for many rows overlap.
    ///
    /// # Errors
    /// Returns [`Error::TooManyStates`] if the layer is full.
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
