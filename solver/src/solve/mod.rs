//! Solving on sets: a game's rules as automata, and the iterations over them. Reads and writes no file but scratch and units.

pub mod choose;
pub mod disk;
pub mod ended;
pub mod engine;
mod loaded;
pub mod meet;
pub mod method;
pub mod moved;
pub mod order;
pub mod progress;
pub mod reach;
mod recursions;
pub mod resources;
pub mod retrograde;
pub mod rules;
pub mod score;
pub mod seen;
mod ways;

pub use ways::pass_moves;
