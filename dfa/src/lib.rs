//! Sets of fixed-length words as layered minimal automata, and relations between such words.
//!
//! A word has one letter per layer, each layer with its own alphabet ([`Shape`]). A [`Store`] hash-conses states and
//! operates on sets; a [`Dfa`] is a finished set: immutable, canonical, countable, writable to a file. Moves are data
//! ([`MoveGraph`]) that the store compiles into relations, so that [`Store::image`] and [`Store::preimage`] take all moves
//! of a side in one recursion.
//!
//! This crate knows words, letters and states. It knows no game, side or ply.

pub mod automaton;
pub mod error;
pub mod moves;
pub mod pass;
pub mod shape;
pub mod stats;
pub mod store;

pub mod io;
pub mod text;
pub mod values;

mod algebra;
mod block;
mod builder;
mod cache;
mod condition;
mod count;
mod data;
mod formula;
mod frame;
mod ops;
mod relation;
mod unique;

pub use automaton::{Dfa, Target};
pub use condition::Condition;
pub use count::Ranking;
pub use error::{Error, Result};
pub use formula::MAX_SIDES;
pub use moves::{Change, MoveGraph, NodeIndex, Step};
pub use pass::{Direction, Held, Image, PassMoves, PassStats, Passes};
pub use relation::Relation;
pub use shape::{Letter, Shape};
pub use stats::OpStats;
pub use store::{Moves, Set, Store};
pub use values::ValueMap;
