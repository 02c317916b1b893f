//! What is computed in units, by whom, and where.

use serde::{Deserialize, Serialize};

/// The folder of units below the directory of a solve.
pub const FOLDER: &str = "units";

/// Who does units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitsBy {
    /// The process that solves, one after the other.
    #[default]
    Itself,
    /// Other processes. The one that solves plans, waits and merges.
    Others,
    /// Any process, and the one that solves does those that nobody else works at.
    Anyone,
}

impl UnitsBy {
    /// Whether others may do units.
    pub fn is_shared(self) -> bool {
        self != Self::Itself
    }
}

/// Which images are computed in units, and how large units are. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitSizes {
    /// Images of sets with so many states or more.
    pub from_states: usize,
    /// Bytes of keys: the first layers end where they are so many.
    pub key_bytes: u64,
    /// States of the set that is moved, for each unit; 0 is taken to be 1.
    pub states_a_unit: usize,
}

impl UnitSizes {
    /// Images of sets with so many states or more, and units that grow with the number; `results/engine-log.md` has what other
    /// proportions cost.
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
