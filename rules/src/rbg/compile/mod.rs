//! The compiler, which translates rules into moves on sets of positions.
//!
//! The compiler does not use the interpreter, so that each can check the other. It turns a book into a graph whose nodes are
//! places of the rules on squares, and the graph into conditions and changes of letters, one path at a time for all positions.

#[cfg(feature = "sets")]
mod action;
mod amounts;
mod assign;
mod cases;
mod chains;
mod circles;
mod closures;
mod contents;
mod expand;
mod explore;
mod graph;
mod joints;
#[cfg(feature = "sets")]
mod keeper;
#[cfg(feature = "sets")]
mod limits;
mod loops;
mod merge;
#[cfg(feature = "sets")]
mod moves;
#[cfg(feature = "sets")]
mod network;
mod nfa;
mod numbers;
#[cfg(feature = "sets")]
mod patterns;
mod plan;
mod possible;
mod progress;
#[cfg(feature = "sets")]
mod sets;
mod status;
mod symmetry;
#[cfg(feature = "sets")]
mod unroll;
mod walks;
mod ways;

#[cfg(feature = "sets")]
pub(super) use moves::{Layers, moves, possible};
pub(super) use plan::{Begin, LETTERS, Part, Plan, Start, digit};
pub(super) use status::Standing;
pub(super) use symmetry::Names;
