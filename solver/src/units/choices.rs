//! Settings: which images are computed in units, by which processes, and where.

use serde::{Deserialize, Serialize};

/// The folder of units, relative to the directory of a solve.
pub const FOLDER: &str = "units";

/// The processes that compute units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum UnitsBy {
    /// Only the solving process, one unit after the other.
    #[default]
    Itself,
    /// Only other processes.
    ///
    /// The solving process plans, waits and merges.
    Others,
    /// All processes.
    ///
    /// The solving process computes units that no other process is working on.
    Anyone,
}

impl UnitsBy {
    /// Returns `true` if other processes may compute units.
    pub fn is_shared(self) -> bool {
        self != Self::Itself
    }
}

/// Thresholds for computing an image in units, and the size of units. Results do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitSizes {
    /// The number of states of a set from which on its images are computed in units.
    pub from_states: usize,
    /// The size of the keys in bytes: the first layers end where the keys reach this size.
    pub key_bytes: u64,
    /// The number of states of the moved set for each unit; 0 is treated as 1.
    pub states_a_unit: usize,
}

impl UnitSizes {
    /// Returns sizes for computing the images of sets with at least `states` states in units, whose size is
    /// proportional to this number. See `lab/engine-log.md` for the cost of other proportions.
    pub fn from_states(states: usize) -> Self {
        Self {
            from_states: states,
            key_bytes: 64 * states as u64,
            states_a_unit: states.saturating_mul(4).max(1),
        }
    }
}

impl Default for UnitSizes {
    fn default() -> Self {
        Self::from_states(1 << 20)
    }
}
