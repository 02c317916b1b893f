//! Solving by sets: the rules of a game as automata, and the iterations over them. Only scratch files and unit files
//! are read and written here.

#[cfg(feature = "engine")]
pub mod choose;
#[cfg(feature = "engine")]
pub mod disk;
#[cfg(feature = "engine")]
pub mod distinct;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
mod loaded;
#[cfg(feature = "engine")]
pub mod meet;
pub mod method;
#[cfg(feature = "engine")]
pub mod minimax;
#[cfg(feature = "engine")]
pub mod nimbers;
#[cfg(feature = "engine")]
pub mod operand;
#[cfg(feature = "engine")]
pub mod order;
#[cfg(feature = "engine")]
pub mod progress;
#[cfg(feature = "engine")]
pub mod reach;
#[cfg(feature = "engine")]
pub mod reached;
#[cfg(feature = "engine")]
mod recursions;
#[cfg(feature = "engine")]
pub mod resources;
#[cfg(feature = "engine")]
pub mod retrograde;
#[cfg(feature = "engine")]
pub mod rules;
#[cfg(feature = "engine")]
pub mod score;
#[cfg(feature = "engine")]
mod scratch;
#[cfg(feature = "engine")]
pub mod terminal;
#[cfg(feature = "engine")]
mod ways;

#[cfg(feature = "engine")]
pub use ways::pass_moves;
