//! The explicit oracle: value and exact depth of every board, computed only from the plain rules of the game.
//!
//! It exists to check the symbolic solver, so it shares no code with it and does not depend on automata. From
//! [`nerode_games`] it uses the plain rules and [`nerode_games::outcome`].
//!
//! For each side p and each board b with p to move, the value is defined as follows:
//!
//! - terminal: the value given by the rules, with depth 0;
//! - win: some move leads to a loss for the opponent; the depth is 1 + the least depth among these losses;
//! - loss: every move leads to a win for the opponent; the depth is 1 + the greatest depth among these wins;
//! - draw: none of the above, which includes endless play.
//!
//! [`solve()`] selects one of the methods, see [`TableMethod`]. [`solve_by`] lets the caller choose, so that they can
//! be compared. [`solve_orbits`] trusts the symmetries of a game. [`solve_reached`] solves the positions that play can reach instead of all boards,
//! and [`solve_scores`] finds their scores.
#![forbid(unsafe_code)]

mod backward;
mod error;
mod index;
mod predecessors;
mod reached;
mod single_pass;
mod solution;
mod solve;
mod sweeps;
mod task;

pub use error::{Error, Result};
pub use index::{Cursor, Indexer};
pub use reached::{
    Packing, ReachedControl, ReachedRows, ReachedScores, ReachedSolution, ReachedStats, Scratch, ScratchFile,
    Step, solve_reached, solve_reached_rows, solve_scores,
};
pub use solution::{ExplicitTable, Stats, ValueCounts};
pub use solve::{bytes_needed, solve, solve_by, solve_orbits};
pub use task::{Control, TableMethod};
