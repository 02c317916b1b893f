//! The result of solving reached positions as a list, in the order of their bytes.

use std::io::{self, Write};

use nerode_games::Side;
use nerode_games::outcome::{Outcome, code16};

use super::packing::{Key, Packing};
use crate::error::Result;
use crate::solution::ValueCounts;

/// The statistics of the reached positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedStats {
    /// The counts by value, first with `P1` and then with `P2` to move.
    pub sides: [ValueCounts; 2],
    /// `histogram[d]`: the number of positions that are won or lost in exactly d plies. The last entry is not 0.
    pub histogram: Vec<u64>,
    /// The side to move at the start.
    pub start_side: Side,
    /// The value and depth of the start position.
    pub start: Outcome,
    /// The number of plies after which no new position is reached, counting that of the start.
    pub num_plies: u32,
}

impl ReachedStats {
    /// `start` is the code of the start position, which is reached in every game that does not contradict itself.
    pub(super) fn new(
        (sides, histogram): ([ValueCounts; 2], Vec<u64>),
        start_side: Side,
        start: Option<u16>,
        num_plies: u32,
    ) -> Self {
        let start = start.map_or(Outcome::Unknown, code16::outcome);
        Self { sides, histogram, start_side, start, num_plies }
    }

    /// Returns the number of positions.
    pub fn num_positions(&self) -> u64 {
        self.sides.iter().map(|side| side.win + side.draw + side.loss).sum()
    }
}

/// All reached positions with their values and depths, in memory or in scratch files.
pub struct ReachedRows {
    rows: Box<dyn AnyRows>,
    packing: Packing,
    stats: ReachedStats,
}

impl std::fmt::Debug for ReachedRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReachedRows").field("stats", &self.stats).finish_non_exhaustive()
    }
}

/// Rows with keys of any number of words.
pub(super) trait AnyRows: Send {
    fn write(self: Box<Self>, out: &mut dyn Write, go_on: &mut dyn FnMut(u64) -> bool) -> io::Result<()>;
}

/// Rows in files, which can be counted and searched.
pub(super) trait AnyDiskRows: AnyRows {
    fn count(&self) -> Result<([ValueCounts; 2], Vec<u64>)>;

    /// Returns the code of a position, or `None` if it is not reached.
    fn code(&self, board: &[u8], side: Side) -> Result<Option<u16>>;
}

impl ReachedRows {
    pub(super) fn new(rows: Box<dyn AnyRows>, packing: Packing, stats: ReachedStats) -> Self {
        Self { rows, packing, stats }
    }

    pub(super) fn on_disk(
        rows: Box<dyn AnyDiskRows>,
        packing: Packing,
        num_plies: u32,
        (start, start_side): (Vec<u8>, Side),
    ) -> Result<Self> {
        let stats = ReachedStats::new(rows.count()?, start_side, rows.code(&start, start_side)?, num_plies);
        Ok(Self { rows, packing, stats })
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

    /// Writes all positions in ascending order of their bytes: for each the bytes of its packing, and its code (see [`code16`]),
    /// u16 little-endian. Stops with [`io::ErrorKind::Interrupted`] when `go_on` returns `false`, which is called periodically
    /// with the number of positions written.
    ///
    /// *Cost*: if the positions are in memory, that for one shard more; one merge of scratch files otherwise.
    ///
    /// # Errors
    /// Returns the errors of `out`, or those of reading scratch files.
    pub fn write(self, out: &mut dyn Write, go_on: &mut dyn FnMut(u64) -> bool) -> io::Result<()> {
        self.rows.write(out, go_on)
    }
}

/// The number of positions between two calls of `go_on`.
const STRETCH: u64 = 1 << 16;

/// Writes rows in the order in which they are given.
pub(super) struct RowWriter<'a> {
    packing: &'a Packing,
    out: &'a mut dyn Write,
    go_on: &'a mut dyn FnMut(u64) -> bool,
    done: u64,
    bytes: Vec<u8>,
}

impl<'a> RowWriter<'a> {
    pub(super) fn new(
        packing: &'a Packing,
        out: &'a mut dyn Write,
        go_on: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        Self { packing, out, go_on, done: 0, bytes: Vec::new() }
    }

    pub(super) fn push<const N: usize>(&mut self, key: &Key<N>, code: u16) -> io::Result<()> {
        self.packing.put(key, &mut self.bytes);
        self.bytes.extend_from_slice(&code.to_le_bytes());
        self.done += 1;
        if self.done.is_multiple_of(STRETCH) {
            self.out.write_all(&self.bytes)?;
            self.bytes.clear();
            if !(self.go_on)(self.done) {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        Ok(())
    }

    /// Writes the remaining bytes.
    pub(super) fn finish(self) -> io::Result<()> {
        self.out.write_all(&self.bytes)
    }
}
