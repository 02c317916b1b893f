//! The summary of a finished unit.

use super::sector::{Sector, Unit};
use super::table::SectorCounts;

/// The seconds spent on each part of the work on a unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seconds {
    /// Reading the sectors that the unit depends on.
    pub read: f64,
    /// Solving.
    pub solve: f64,
    /// Checking by forward play, if requested.
    pub check: f64,
    /// Writing.
    pub write: f64,
}

impl Seconds {
    /// Returns the total.
    pub fn total(&self) -> f64 {
        self.read + self.solve + self.check + self.write
    }
}

/// A solved unit.
#[derive(Clone, Debug)]
pub struct UnitDone {
    /// The unit.
    pub unit: Unit,
    /// The counts of its sectors.
    pub counts: Vec<(Sector, SectorCounts)>,
    /// The number of bytes of its files.
    pub bytes: u64,
    /// The time spent on each part of the work.
    pub seconds: Seconds,
    /// The number of finished units and the total number of units, within the request.
    pub progress: (usize, usize),
}
