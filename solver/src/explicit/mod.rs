//! The explicit oracle: value and exact depth of every board, found by playing the plain rules and nothing else.
//!
//! It exists to check the symbolic solver, so it shares no code with it: nothing below this module knows automata. From
//! the rest of the library it takes the error type and [`crate::outcome`].
//!
//! For each side p and board b with p to move, by the definition:
//!
//! - terminal: the rules' value, depth 0;
//! - win: some move leads to a loss of the opponent; depth 1 + the least depth among those losses;
//! - loss: every move leads to a win of the opponent; depth 1 + the greatest depth among them;
//! - draw: neither, which covers play without end.
//!
//! [`solve()`] takes the fitting one of two methods, see [`TableMethod`]; [`solve_by`] lets the caller choose, so that they can
//! be compared.

mod index;
mod single_pass;
mod solution;
mod solve;
mod sweeps;
mod task;

pub use index::{Cursor, Indexer};
pub use solution::{ExplicitTable, Stats, ValueCounts};
pub use solve::{bytes_needed, solve, solve_by};
pub use task::{Control, TableMethod};
