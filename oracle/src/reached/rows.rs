//! The result of solving reached positions as a list, in the order of their bytes.

use std::io::{self, Write};

use nerode_games::Side;
use nerode_games::outcome::code16;

use super::packing::Packing;
use super::solution::ReachedStats;
use crate::error::Result;
use crate::solution::ValueCounts;

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
        let (sides, histogram) = rows.count()?;
        let start = ReachedStats::start_outcome(rows.code(&start, start_side)?.map(code16::outcome));
        let stats = ReachedStats { sides, histogram, start_side, start, num_plies };
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
