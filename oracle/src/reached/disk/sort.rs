//! Sorting of more records than fit into memory, in shards.
//!
//! Records are collected in memory. Whenever they reach a number of bytes, those of each shard are sorted and written as a *run*. In the
//! end, the runs of a shard are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::records::{Record, Records, Scratch, Sorted};
use crate::error::{Error, Result};
use crate::reached::shards::SHARDS;

/// The greatest number of bytes of a block of a run.
const BLOCK: u64 = 1 << 16;

/// The records of a shard.
struct Runs<R> {
    records: Records<R>,
    /// The number of records at the end of each run.
    ends: Vec<u64>,
    pending: Vec<R>,
}

/// Records that are being collected.
pub(super) struct Sorter<R> {
    shards: Vec<Runs<R>>,
    /// The number of records in memory.
    num_pending: usize,
    most_pending: usize,
    /// Whether equal records of a run are written once.
    is_set: bool,
}

impl<R: Record> Sorter<R> {
    /// Creates a sorter that keeps records of at most this number of bytes in memory. Those of a set need not be written as often as
    /// they are added.
    pub(super) fn new(scratch: &dyn Scratch, bytes: u64, is_set: bool) -> Result<Self> {
        let runs = |_| Ok(Runs { records: Records::new(scratch)?, ends: Vec::new(), pending: Vec::new() });
        let shards = (0..SHARDS).map(runs).collect::<Result<_>>()?;
        let most_pending = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<R>();
        Ok(Self { shards, num_pending: 0, most_pending, is_set })
    }

    /// Adds a record to a shard.
    pub(super) fn add(&mut self, shard: usize, record: R) -> Result<()> {
        self.shards[shard].pending.push(record);
        self.num_pending += 1;
        self.flush_if_full()
    }

    /// Moves the records of outputs, which are sorted by shard, to the shards.
    pub(super) fn take(&mut self, outputs: &mut [Vec<Vec<R>>]) -> Result<()> {
        for output in outputs {
            for (runs, records) in self.shards.iter_mut().zip(output) {
                self.num_pending += records.len();
                runs.pending.append(records);
            }
        }
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> Result<()> {
        if self.num_pending < self.most_pending { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        let is_set = self.is_set;
        self.shards.par_iter_mut().try_for_each(|runs| runs.flush(is_set))?;
        self.num_pending = 0;
        Ok(())
    }

    /// Calls `use_shard` for each shard with its number and its records in ascending order. The blocks of all runs take at most
    /// this number of bytes.
    pub(super) fn finish<T: Send>(
        mut self,
        bytes: u64,
        interrupt: &AtomicBool,
        use_shard: &(dyn Fn(usize, Merge<'_, R>) -> Result<T> + Sync),
    ) -> Result<Vec<T>> {
        self.flush()?;
        let most_runs = self.shards.iter().map(|runs| runs.ends.len()).max().unwrap_or(0) as u64;
        let block = BLOCK.min(bytes / (rayon::current_num_threads() as u64 * most_runs.max(1)));
        let of_shard = |(shard, runs): (usize, Runs<R>)| {
            let starts = std::iter::once(0).chain(runs.ends.iter().copied());
            let stretches = starts.zip(&runs.ends);
            let sorted =
                stretches.map(|(start, &end)| runs.records.sorted(start..end, block / R::BYTES as u64));
            use_shard(shard, Merge::new(sorted.collect(), interrupt)?)
        };
        self.shards.into_par_iter().enumerate().map(of_shard).collect()
    }
}

impl<R: Record> Runs<R> {
    /// Writes the records in memory as a run.
    fn flush(&mut self, is_set: bool) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.pending.sort_unstable();
        if is_set {
            self.pending.dedup();
        }
        self.records.append(&self.pending)?;
        self.pending = Vec::new();
        self.ends.push(self.records.len());
        Ok(())
    }
}

/// The records of several sorted sequences in ascending order.
pub(super) struct Merge<'a, R> {
    sources: Vec<Sorted<R>>,
    /// The next record of each sequence, with its number.
    heads: BinaryHeap<Reverse<(R, usize)>>,
    interrupt: &'a AtomicBool,
    count: u32,
}

/// The number of records between two checks for an interruption.
const STRETCH: u32 = 1 << 12;

impl<'a, R: Record> Merge<'a, R> {
    pub(super) fn new(mut sources: Vec<Sorted<R>>, interrupt: &'a AtomicBool) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for (number, source) in sources.iter_mut().enumerate() {
            heads.extend(source.peek()?.map(|record| Reverse((record, number))));
        }
        Ok(Self { sources, heads, interrupt, count: 0 })
    }

    /// Returns the next record and the number of its sequence, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(R, usize)>> {
        self.count = self.count.wrapping_add(1);
        if self.count.is_multiple_of(STRETCH) && self.interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((record, number)) = *head;
        let source = &mut self.sources[number];
        source.advance();
        match source.peek()? {
            Some(next) => *head = Reverse((next, number)),
            None => drop(PeekMut::pop(head)),
        }
        Ok(Some((record, number)))
    }
}
