//! The parameters and results of a search.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nerode_solver::outcome::ValueRange;
use nerode_solver::stored::Reply;

/// The limits of a search, and its optimisations.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The depth in plies, including the first move.
    pub plies: u32,
    /// The latest time at which the search stops.
    pub deadline: Option<Instant>,
    /// A flag that the user sets to stop.
    pub interrupt: &'a AtomicBool,
    /// The maximum size of the transposition table in bytes. When the table is full, the search continues without
    /// adding entries, and visits more positions.
    pub memory: u64,
    /// The optimisations. The final ranges do not depend on them.
    pub means: Means,
    /// What the search tries to find out.
    pub goal: Goal,
}

/// What a search tries to find out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Its value.
    Value,
    /// Whether it is at least a draw, for which fewer positions are visited (paper 001, appendix B.1). A win may be missed.
    Draw,
}

/// Optimisations of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Looks up repeated positions in a table.
    pub table: bool,
    /// Stops searching the moves of a side when one is good enough.
    pub windows: bool,
    /// Searches moves without captures first, because their successors are more often in the same sector.
    pub order: bool,
}

impl Means {
    /// All optimisations.
    pub const ALL: Self = Self { table: true, windows: true, order: true };
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The range of the position, for the side to move.
    pub range: ValueRange,
    /// The range of the position that is stored with the sectors.
    pub stored: ValueRange,
    /// The range of each move of the answer, for the side that makes it.
    pub moves: Vec<ValueRange>,
    /// The moves that lead to the result: the best moves of both sides, as far as the search knows, up to a position
    /// that the solution covers.
    pub line: Vec<Reply>,
    /// The depth in plies that was searched completely.
    pub plies: u32,
    /// Whether a deeper search would show nothing new.
    pub complete: bool,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of these positions that were looked up in the solution.
    pub looked_up: u64,
    /// The number of times that the search ended at a position whose value is unknown.
    pub missed: u64,
    /// The number of sectors read from disk.
    pub loads: u64,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The depth of the current search in plies.
    pub plies: u32,
    /// The number of positions visited so far.
    pub nodes: u64,
    /// The range of the position, as far as it is known.
    pub range: ValueRange,
}
