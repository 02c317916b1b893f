//! What a caller of the solver for reached positions allows, and the steps that it reports.

use std::sync::atomic::AtomicBool;

/// The greatest number of positions, 4 294 967 294, because their numbers have 32 bits.
pub(super) const MOST_POSITIONS: u64 = 4_294_967_294;

/// A step of a solve, for progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The search is in this ply, and has found this number of positions.
    Search {
        /// The ply.
        ply: u32,
        /// The number of positions found so far.
        positions: u64,
    },
    /// The positions no longer fit into memory, so the solve continues on disk.
    OnDisk,
    /// Of this total number of steps of the analysis, some are done.
    Decide {
        /// The number of steps done.
        done: u64,
        /// The total number of steps.
        total: u64,
    },
}

/// The limits and callbacks that the caller passes to [`solve_reached`](super::solve_reached).
pub struct ReachedControl<'a> {
    /// The maximum number of bytes for positions, moves and codes.
    pub memory_limit: u64,
    /// The maximum number of positions, if there is one besides that of memory.
    pub most_positions: Option<u64>,
    /// Stops the computation with [`Error::Interrupted`](crate::Error::Interrupted) soon after it is set.
    pub interrupt: &'a AtomicBool,
    /// Called periodically, and only by the calling thread.
    pub progress: &'a mut dyn FnMut(Step),
}

impl ReachedControl<'_> {
    /// Returns `true` if there may be this many positions, apart from memory.
    pub(super) fn allows(&self, num_positions: u64) -> bool {
        num_positions <= self.most_positions.unwrap_or(MOST_POSITIONS).min(MOST_POSITIONS)
    }
}
