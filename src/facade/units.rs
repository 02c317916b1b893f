//! Progress reports about work units while sectors are solved.

use nerode_morris::tables::UnitDone;

/// A work unit that has been solved: sectors that must be solved together.
#[derive(Clone, Debug)]
pub struct UnitSolved {
    /// The sector after which the unit is named.
    pub name: String,
    /// The number of positions up to symmetry.
    pub positions: u64,
    /// The number of units finished so far, including this one.
    pub done: usize,
    /// The total number of units.
    pub of: usize,
}

impl UnitSolved {
    /// Converts the report about a unit.
    pub(super) fn of(unit: &UnitDone) -> Self {
        Self {
            name: unit.unit.first().to_string(),
            positions: unit.counts.iter().map(|(_, counts)| counts.num_positions).sum(),
            done: unit.progress.0,
            of: unit.progress.1,
        }
    }
}
