//! What most users need of the library: a game is opened, solved, and its solution asked. Which engine solves a game is
//! decided here.

mod answer;
mod found;
mod many;
mod options;
mod picture;
mod sectors;
mod sets;
mod solution;
mod solver;
mod units;

pub use answer::{Answer, Reply};
pub use found::Found;
pub use options::Options;
pub use picture::picture;
pub use sectors::Sector;
pub use sets::PositionSet;
pub use solution::Solution;
pub use solver::{Solver, open, open_game};
pub use units::UnitSolved;
