//! What a finished unit tells of itself.

use super::sector::{Sector, Unit};
use super::table::SectorCounts;

/// Seconds that the parts of the work at a unit took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seconds {
    /// Reading what it leads to.
    pub read: f64,
    /// Solving.
    pub solve: f64,
    /// Checking by forward play, where that was asked for.
    pub check: f64,
    /// Writing.
    pub write: f64,
}

impl Seconds {
    /// All together.
    pub fn total(&self) -> f64 {
        self.read + self.solve + self.check + self.write
    }
}

/// A unit that was solved.
#[derive(Clone, Debug)]
pub struct UnitDone {
    /// Which.
    pub unit: Unit,
    /// Counts of its sectors.
    pub counts: Vec<(Sector, SectorCounts)>,
    /// Bytes of its files.
    pub bytes: u64,
    /// What took how long.
    pub seconds: Seconds,
    /// Units finished and units in all, of what was asked for.
    pub progress: (usize, usize),
}
