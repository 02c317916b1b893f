//! The expected cost of a complete solve, or the reason why it cannot be estimated.

use serde::Serialize;

/// A range of possible numbers, including both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range<T> {
    /// The low end.
    pub low: T,
    /// The high end.
    pub high: T,
}

impl<T: Copy + PartialOrd> Range<T> {
    /// Creates a range that contains only a known number.
    pub(super) fn known(number: T) -> Self {
        Self { low: number, high: number }
    }

    /// Returns `true` if `number` is in the range.
    pub fn contains(&self, number: T) -> bool {
        self.low <= number && number <= self.high
    }

    /// Returns the range without the numbers below `least`.
    pub(super) fn at_least(self, least: T) -> Self {
        let raised = |end: T| if end < least { least } else { end };
        Self { low: raised(self.low), high: raised(self.high) }
    }
}

/// The basis of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The game was solved while the estimate was made, so the numbers are measured.
    Solved,
    /// Smaller boards of the family were solved.
    SmallerBoards,
    /// The growth over the first plies was extrapolated.
    Growth,
    /// Each of many plies decided nearly the same number of positions.
    Rate,
    /// Positions were counted exactly, and only the time is a range.
    Exact,
}

/// The expected cost of a complete solve.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expected {
    /// The basis of the numbers.
    pub basis: Basis,
    /// The number of plies, if the probe advanced at a steady rate over many plies. At the high end, every further ply decides
    /// as few positions as the slowest one that was observed.
    pub plies: Option<Range<u64>>,
    /// The number of states of the largest ply, if the engine uses sets.
    #[serde(rename = "num_states")]
    pub states: Option<Range<u64>>,
    /// The total number of states of all stored sets.
    pub all_states: Option<Range<u64>>,
    /// The number of bytes on disk.
    pub bytes: Range<u64>,
    /// The peak memory in bytes without a cap.
    pub memory_bytes: Range<u64>,
    /// The smallest memory with which a solve can succeed by working on a part of a ply at a time, if the low end of
    /// the states is right.
    pub least_memory_bytes: u64,
    /// The smallest memory if the high end of the states is right.
    #[serde(skip)]
    pub(super) most_least_memory_bytes: u64,
    /// The duration in seconds.
    pub seconds: Range<f64>,
}

/// The reason why a complete solve cannot be estimated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum NoEstimate {
    /// The game only allows counting forward.
    ForwardOnly,
    /// The game has more boards than a table can index.
    TooManyBoards,
    /// No ply was completed in time.
    NoPly,
    /// Too few plies were completed to show their growth.
    FewPlies {
        /// The number of completed plies.
        plies: usize,
    },
    /// No smaller board of the family was solved in time.
    NoSmallerBoard,
    /// The largest solved board is too small compared to the game.
    TooFar {
        /// The spec of that board.
        solved: String,
        /// The number of cells of that board.
        solved_cells: usize,
        /// The number of cells of the game.
        cells: usize,
    },
    /// The observations allow nearly every outcome.
    TooWide {
        /// The number of states of the largest ply, from the low to the high end.
        #[serde(rename = "num_states")]
        states: Range<u64>,
    },
}
