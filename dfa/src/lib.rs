//! Sets of fixed-length words as minimal automata, and relations between such words.
//!
//! A word has one letter in each layer, and each layer has its own alphabet: a [`Shape`]. This crate knows words, letters
//! and states. It knows no game, side or ply.
//!
//! | type | what it is |
//! |---|---|
//! | [`Dfa`] | a finished set: immutable, canonical, counted exactly, ranked, sampled, written to files |
//! | [`Store`], [`Set`] | a workspace for many operations on sets, which remembers results and keeps a memory cap |
//! | [`Passes`] | images of large sets, a layer at a time, on several threads, under a memory cap |
//! | [`Condition`], [`Step`], [`MoveGraph`] | moves as data: what must hold, what changes, what may follow what |
//! | [`ValueMap`] | a number for each word, as a minimal automaton |
//!
//! Sets have one form: two automata are equal exactly if their sets are, and so are the bytes of their files.
//!
//! # Examples
//! ```
//! use nerode_dfa::{Condition, MoveGraph, Shape, Step, Store};
//! // Words of three cells, each 0 (empty) or 1 (a stone). A stone moves one cell to the right.
//! let shape = Shape::uniform(3, 2).unwrap();
//! let mut graph = MoveGraph::new(shape.clone());
//! for cell in 0..2 {
//!     graph.add(Step::identity().change(cell, 1, 0).change(cell + 1, 0, 1).labelled(format!("move {cell}"))).unwrap();
//! }
//! let mut store = Store::unbounded(shape.clone());
//! let moves = store.relation(&graph).unwrap();
//! let one_stone = Condition::count(&[0, 1, 2], &[1], 1..=1).compile(&shape).unwrap();
//! let set = store.import(&one_stone).unwrap();
//! let moved = store.image(&set, &moves).unwrap();
//! let moved = store.freeze(&moved);
//! assert_eq!(moved.words().collect::<Vec<_>>(), [[0, 0, 1], [0, 1, 0]]);
//! assert!(moved.is_subset(&one_stone).unwrap());
//! ```
//!
//! # What is stable
//! File formats carry a version ([`Dfa::FORMAT_VERSION`], [`ValueMap::FORMAT_VERSION`]); a file of another version is refused
//! with an error that says so. The bytes of a file depend on the set alone, for one version of the format and of zstd.
//!
//! All that is exported here follows semantic versioning, but before 1.0 a minor version may break it. The numbers in
//! [`OpStats`] and [`PassStats`] are for people: what counts as what may change at any time. Errors may gain variants,
//! conditions may gain kinds.
//!
//! # Errors and panics
//! What depends on data, memory or files is an [`Error`]. Mixing sets of different stores, and indices out of range, are
//! mistakes of the calling code: methods that panic say so.

mod algebra;
mod atomic;
mod automaton;
mod block;
mod builder;
mod cache;
mod condition;
mod count;
mod data;
pub mod disk;
mod error;
mod formula;
mod frame;
mod hash;
mod io;
mod moves;
mod ops;
mod pass;
mod relation;
mod shape;
mod stats;
mod store;
mod sync;
mod text;
mod unique;
mod values;

pub use atomic::{end_of_links, remove_abandoned, remove_abandoned_in, unfinished, write_atomic, write_new};
pub use automaton::{Dfa, Target};
pub use condition::Condition;
pub use count::{Ranking, Words};
pub use error::{Error, Result, Size};
pub use formula::MAX_SIDES;
pub use frame::{Cursor, FileFormat, Hashing, Parsed, Problem, Written};
pub use moves::{Change, MoveGraph, NodeIndex, Step};
pub use pass::{
    Cutting, Direction, Fingerprint, Fragment, FragmentFile, Held, Image, Job, Origin, PassMoves, PassStats,
    Passes, Plan, Planned, UnitInput, UnitList, belongs_in_files,
};
pub use shape::{Letter, Shape};
pub use stats::OpStats;
pub use store::{Moves, Set, Store};
pub use values::{ValueMap, Walk};
