//! The distinct rows of all threads, and the mapping from provisional numbers to states.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT};

use super::shard::{Cell, SHARDS, Shard, join, split};

/// The distinct rows of all threads, which can be looked up, and appended rows, which cannot.
pub(in crate::pass) struct Merged<T> {
    pub(super) layer: usize,
    pub(super) width: usize,
    pub(super) shards: Vec<Shard<T>>,
}

impl<T: Cell> Merged<T> {
    /// Returns the number of words in a row.
    pub(in crate::pass) fn width(&self) -> usize {
        self.width
    }

    /// Returns the state of a row, if it was interned.
    #[inline]
    pub(in crate::pass) fn find(&self, row: &[T]) -> Option<u32> {
        let hash = T::hash(row);
        let shard = hash as usize % SHARDS;
        self.shards[shard].find(hash, row).map(|place| join(shard, place))
    }

    /// Appends rows that are new and differ from one another, which is not checked. Returns their states, in the order
    /// of `stretches`.
    ///
    /// # Errors
    /// Returns [`Error::TooManyStates`] if the layer is full.
    pub(in crate::pass) fn append(&mut self, stretches: &[Vec<T>]) -> Result<Vec<u32>> {
        let width = self.width;
        let mut next: Vec<usize> = self.shards.iter().map(|shard| shard.rows.len() / width).collect();
        // The ranges of a shard are appended in order, so that a row's place is the number of preceding rows.
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

    /// Discards the index and returns the rows.
    pub(in crate::pass) fn into_distinct(self) -> Distinct<T> {
        let rows = |mut shard: Shard<T>| {
            shard.rows.shrink_to_fit();
            shard.rows
        };
        Distinct { width: self.width, shards: self.shards.into_par_iter().map(rows).collect() }
    }
}

pub(super) fn full(layer: usize) -> Error {
    Error::TooManyStates { layer, limit: MAX_STATES as u64 }
}

/// The mapping from provisional numbers to states: the place of each row, by shard and then by lane, excluding the
/// first lane.
pub(in crate::pass) struct Numbering(pub(super) Vec<Vec<Vec<u32>>>);

impl Numbering {
    /// Returns the state for a constant or for a provisional number of `lane`.
    #[inline]
    pub(in crate::pass) fn state(&self, lane: usize, provisional: u32) -> u32 {
        match (provisional, lane) {
            (REJECT | ACCEPT, _) | (_, 0) => provisional,
            _ => {
                let (shard, place) = split(provisional);
                join(shard, self.0[shard][lane - 1][place])
            }
        }
    }

    /// Replaces many provisional numbers by their states.
    pub(in crate::pass) fn apply(&self, lane: usize, numbers: &mut [u32]) {
        if lane > 0 {
            numbers.iter_mut().for_each(|n| *n = self.state(lane, *n));
        }
    }
}

/// Distinct rows by state.
pub(in crate::pass) struct Distinct<T> {
    width: usize,
    pub(in crate::pass) shards: Vec<Vec<T>>,
}

impl<T: Cell> Distinct<T> {
    /// Creates an empty collection of rows of `width` words.
    pub(in crate::pass) fn none(width: usize) -> Self {
        Self { width, shards: Vec::new() }
    }

    /// Creates a collection from rows of `width` words, given by shard.
    pub(in crate::pass) fn of_shards(width: usize, shards: Vec<Vec<T>>) -> Self {
        Self { width, shards }
    }

    /// Returns the number of words in a row.
    pub(in crate::pass) fn width(&self) -> usize {
        self.width
    }

    /// Returns the row of an ordinary state.
    #[inline]
    pub(in crate::pass) fn row(&self, state: u32) -> &[T] {
        let (shard, place) = split(state);
        &self.shards[shard][place * self.width..(place + 1) * self.width]
    }

    /// Returns an exclusive upper bound of the state numbers.
    pub(in crate::pass) fn limit(&self) -> usize {
        let most = self.shards.iter().map(|rows| rows.len() / self.width).max().unwrap_or(0);
        FIRST as usize + most * SHARDS
    }

    /// Returns the number of bytes held.
    pub(in crate::pass) fn bytes(&self) -> u64 {
        self.shards.iter().map(|rows| (size_of::<T>() * rows.capacity()) as u64).sum()
    }
}
