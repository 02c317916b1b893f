//! Solving by sets: the rules of a game as automata, and the iterations over them. Only scratch files and unit files
//! are read and written here.

pub mod choose;
pub mod disk;
pub mod distinct;
pub mod engine;
mod loaded;
pub mod meet;
pub mod method;
pub mod operand;
pub mod order;
pub mod progress;
pub mod reach;
pub mod reached;
mod recursions;
pub mod resources;
pub mod retrograde;
pub mod rules;
pub mod score;
pub mod terminal;
mod ways;

pub use ways::pass_moves;
