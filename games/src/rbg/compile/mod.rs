//! Rules as moves of sets of positions: the compiler.
//!
//! It knows the language and nothing of the interpreter, so that each can check the other. A book becomes a graph of places of
//! the rules on squares; the graph becomes conditions and changes of letters, a path at a time for all positions.

mod action;
mod amounts;
mod assign;
mod chains;
mod circles;
mod closures;
mod contents;
mod expand;
mod explore;
mod graph;
mod joints;
mod keeper;
mod loops;
mod merge;
mod moves;
mod network;
mod nfa;
mod numbers;
mod patterns;
mod plan;
mod possible;
mod progress;
mod sets;
mod status;
mod symmetry;
mod unroll;
mod walks;
mod ways;

pub(super) use moves::{Layers, moves, possible};
pub(super) use plan::{Begin, Part, Plan, Start};
pub(super) use status::Standing;
pub(super) use symmetry::Names;
