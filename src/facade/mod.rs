//! The interface that most users of the library need: opening a game, solving it, and opening its solution.

mod explicit;
mod forms;
mod interpreted;
mod moves;
mod options;
mod ranks;
mod registry;
mod sectors;
mod solution;
mod solver;
mod units;

pub use explicit::solve_explicit;
pub use forms::{compare, pack};
#[cfg(feature = "cli")]
pub(crate) use interpreted::interpreted;
pub use options::Options;
pub use registry::registry;
pub use solution::{library, longest, open_solution, open_solution_with};
pub use solver::{Solver, open, open_game, open_text};
pub use units::UnitSolved;
