//! What is told of work units while sectors are solved.

use nerode_morris::tables::UnitDone;

/// A work unit that was solved: the sectors that must be solved together.
#[derive(Clone, Debug)]
pub struct UnitSolved {
    /// The sector that names it.
    pub name: String,
    /// Positions up to symmetry.
    pub positions: u64,
    /// Units finished so far, this one among them.
    pub done: usize,
    /// Units in all.
    pub of: usize,
}

impl UnitSolved {
    /// What is told of a unit.
    pub(super) fn of(unit: &UnitDone) -> Self {
        Self {
            name: unit.unit.first().to_string(),
            positions: unit.counts.iter().map(|(_, counts)| counts.num_positions).sum(),
            done: unit.progress.0,
            of: unit.progress.1,
        }
    }
}
