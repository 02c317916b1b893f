//! What a whole solve would take, or why nothing can be said of it.

use serde::Serialize;

/// From a low to a high end, both of which are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Range<T> {
    /// The low end.
    pub low: T,
    /// The high end.
    pub high: T,
}

impl<T: Copy + PartialOrd> Range<T> {
    /// A number that is known.
    pub(super) fn known(number: T) -> Self {
        Self { low: number, high: number }
    }

    /// Whether `number` lies in it.
    pub fn contains(&self, number: T) -> bool {
        self.low <= number && number <= self.high
    }

    /// The same without what is less than `least`.
    pub(super) fn at_least(self, least: T) -> Self {
        let raised = |end: T| if end < least { least } else { end };
        Self { low: raised(self.low), high: raised(self.high) }
    }
}

/// What an estimate rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The game was solved while the estimate was made: the numbers are measured.
    Solved,
    /// Smaller boards of the family were solved.
    SmallerBoards,
    /// Growth over the first plies was carried on.
    Growth,
    /// Positions are counted exactly; only the time is a range.
    Exact,
}

/// What a whole solve would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expected {
    /// What the numbers rest on.
    pub basis: Basis,
    /// States of the ply with most, if sets are made.
    #[serde(rename = "num_states")]
    pub states: Option<Range<u64>>,
    /// States of all sets together.
    pub all_states: Option<Range<u64>>,
    /// Bytes on disk.
    pub bytes: Range<u64>,
    /// Peak memory, where it is not capped.
    pub memory_bytes: Range<u64>,
    /// The least memory that a solve can do with, by working on a part of a ply at a time, if the low end of the states is right.
    pub least_memory_bytes: u64,
    /// The same if the high end is right.
    #[serde(skip)]
    pub(super) most_least_memory_bytes: u64,
    /// Seconds.
    pub seconds: Range<f64>,
}

/// Why nothing can be said of a whole solve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum NoEstimate {
    /// The game can only be counted forward.
    ForwardOnly,
    /// It has more boards than a table can number.
    TooManyBoards,
    /// Not one ply was done in the time.
    NoPly,
    /// Too few plies were done for their growth to say anything.
    FewPlies {
        /// So many.
        plies: usize,
    },
    /// No smaller board of the family was solved in the time.
    NoSmallerBoard,
    /// The largest smaller board that was solved is too small beside the game.
    TooFar {
        /// Its spec.
        solved: String,
        /// Its cells.
        solved_cells: usize,
        /// Cells of the game.
        cells: usize,
    },
    /// What was seen allows nearly everything.
    TooWide {
        /// States of the largest ply: the low and the high end.
        #[serde(rename = "num_states")]
        states: Range<u64>,
    },
}
