//! Searches for positions whose value the solution does not contain.

use std::time::{Duration, Instant};

use crate::work::Wanted;
use nerode_play::bounds::{Bounds, Goal, Means, Search};
use nerode_report::documents::Searched;
use nerode_solver::error::Result;
use nerode_solver::stored::{Answer, Solution};

/// The maximum depth of a search in plies.
pub(super) const MOST_PLIES: u32 = 20;
/// The time limit of a search.
const TIME: Duration = Duration::from_secs(3);
/// The memory limit of a search.
const MEMORY: u64 = 256 << 20;

/// Describes the result of a search.
pub(super) fn searched(bounds: &Bounds) -> Searched {
    let line = bounds.line.iter().map(|reply| reply.text().to_string()).collect();
    Searched { plies: bounds.plies, complete: bounds.complete, nodes: bounds.nodes, line }
}

/// Searches to the given depth if the value of the position or of one of its moves is unknown.
pub(super) fn search(
    solution: &Solution,
    found: &Answer,
    plies: u32,
    wanted: &Wanted,
) -> Result<Option<Bounds>> {
    let is_open = found.value().is_none() || found.moves().iter().any(|reply| reply.value().is_none());
    if plies == 0 || !is_open || found.moves().is_empty() {
        return Ok(None);
    }
    let deadline = Instant::now().checked_add(TIME);
    let search = Search {
        plies,
        deadline,
        interrupt: &wanted.flag(),
        memory: MEMORY,
        means: Means::ALL,
        goal: Goal::Value,
    };
    search.run(solution, found, &mut |_| ()).map(Some)
}
