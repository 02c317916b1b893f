//! What a search is asked and what it answers.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::facade::Reply;
use nerode_solver::outcome::ValueRange;

/// How far a search goes, and what it does without.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// Plies, the first move among them.
    pub plies: u32,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// Set by the user to stop.
    pub interrupt: &'a AtomicBool,
    /// Most bytes of the table of positions. A full table takes no more: the search goes on, and visits more positions.
    pub memory: u64,
    /// Means of saving work. The ranges at the end do not depend on them.
    pub means: Means,
}

/// Means of saving work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Positions that come up again are found in a table.
    pub table: bool,
    /// A side stops looking once a move is good enough.
    pub windows: bool,
    /// Moves that take nothing come first: what they lead to is more often in one sector.
    pub order: bool,
}

impl Means {
    /// All of them.
    pub const ALL: Self = Self { table: true, windows: true, order: true };
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Of the position, for the side to move.
    pub range: ValueRange,
    /// What is stored of the position beside the sectors.
    pub stored: ValueRange,
    /// Of each move of the answer, for the side that makes it.
    pub moves: Vec<ValueRange>,
    /// The moves that show it: the best of both sides, as far as the search knows, up to a position that the solution knows.
    pub line: Vec<Reply>,
    /// Plies that were searched to the end.
    pub plies: u32,
    /// Whether more plies would show no more.
    pub complete: bool,
    /// Positions visited.
    pub nodes: u64,
    /// Those of them that the solution was asked for.
    pub looked_up: u64,
    /// Sectors that were read from disk.
    pub loads: u64,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Plies of the search under way.
    pub plies: u32,
    /// Positions visited so far.
    pub nodes: u64,
    /// Of the position, as far as it is known.
    pub range: ValueRange,
}
