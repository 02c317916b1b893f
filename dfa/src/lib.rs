//! Sets of fixed-length words as minimal automata, and relations between such words.
//!
//! A word has one letter in each layer, and each layer has its own alphabet; together, the alphabets form a [`Shape`].
//! This crate deals with words, letters and states. It has no notion of games, sides or plies.
//!
//! | type | purpose |
//! |---|---|
//! | [`Dfa`] | a finished set: immutable and canonical, with exact counts, ranking, sampling and files |
//! | [`Store`], [`Set`] | a workspace for many operations on sets, which caches results and enforces a memory cap |
//! | [`Passes`] | images of large sets, computed layer by layer on several threads under a memory cap |
//! | [`Condition`], [`Step`], [`MoveGraph`] | moves as data: conditions, changes, and the order of steps |
//! | [`ValueMap`] | a function from words to numbers, as a minimal automaton |
//!
//! Every set has exactly one representation: two automata are equal if and only if their sets are equal, and the same
//! holds for the bytes of their files.
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
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `read` | yes | look-ups in [`packed`] maps and [`ValueMap`]s, without threads and without a file system |
//! | `disk` | yes | the operations on files in [`disk`] |
//! | `engine` | yes | everything else, which includes both and all larger dependencies |
//!
//! Without features, the crate consists of [`Shape`], [`Letter`] and [`Error`], which suffice to describe positions as words.
//!
//! # Stability
//! File formats carry a version ([`Dfa::FORMAT_VERSION`], [`ValueMap::FORMAT_VERSION`]). A file of another version is
//! rejected with an error that names both versions. For a given version of the format and of zstd, the bytes of a file
//! depend only on the set.
//!
//! All exported items follow semantic versioning, but before 1.0 a minor version may contain breaking changes. The
//! numbers in [`OpStats`] and [`PassStats`] are meant for human readers, and what they count may change at any time.
//! New error variants and new kinds of conditions may be added.
//!
//! # Errors and panics
//! Failures that depend on data, memory or files are reported as an [`Error`]. Mixing sets of different stores and
//! passing indices that are out of range are programming errors; methods that panic in these cases document it.

#[cfg(feature = "engine")]
mod algebra;
#[cfg(feature = "engine")]
mod atomic;
#[cfg(feature = "engine")]
mod automaton;
#[cfg(feature = "read")]
mod block;
#[cfg(feature = "engine")]
mod builder;
#[cfg(feature = "engine")]
mod cache;
#[cfg(feature = "engine")]
mod condition;
#[cfg(feature = "engine")]
mod count;
#[cfg(feature = "engine")]
mod data;
#[cfg(feature = "disk")]
pub mod disk;
mod error;
#[cfg(feature = "engine")]
mod formula;
#[cfg(feature = "read")]
mod frame;
#[cfg(feature = "read")]
mod hash;
#[cfg(feature = "engine")]
mod io;
#[cfg(feature = "engine")]
mod lists;
#[cfg(feature = "engine")]
mod moves;
#[cfg(feature = "engine")]
mod ops;
#[cfg(feature = "read")]
pub mod packed;
#[cfg(feature = "engine")]
mod pass;
#[cfg(feature = "engine")]
mod relation;
mod shape;
#[cfg(feature = "engine")]
mod stats;
#[cfg(feature = "engine")]
mod store;
#[cfg(feature = "engine")]
mod sync;
#[cfg(feature = "engine")]
mod text;
#[cfg(feature = "engine")]
mod unique;
#[cfg(feature = "read")]
mod values;

#[cfg(feature = "engine")]
pub use atomic::{
    ScratchDir, end_of_links, remove_abandoned, remove_abandoned_in, unfinished, write_atomic, write_new,
};
#[cfg(feature = "engine")]
pub use automaton::{Dfa, Target};
#[cfg(feature = "read")]
pub use block::Decompress;
#[cfg(feature = "engine")]
pub use block::decompress;
#[cfg(feature = "engine")]
pub use condition::Condition;
#[cfg(feature = "engine")]
pub use count::{Ranking, Words};
pub use error::{Error, Result, Size};
#[cfg(feature = "engine")]
pub use formula::MAX_SIDES;
#[cfg(feature = "read")]
pub use frame::{Cursor, FileFormat, Parsed, Problem};
#[cfg(feature = "engine")]
pub use frame::{Hashing, Written};
#[cfg(feature = "engine")]
pub use moves::{Change, MoveGraph, NodeIndex, Step};
#[cfg(feature = "engine")]
pub use pass::{
    Cutting, Direction, Fingerprint, Fragment, FragmentFile, Image, Job, Origin, PassMoves, PassStats,
    Passes, Plan, Planned, Reservation, UnitInput, UnitList, belongs_in_files,
};
pub use shape::{Letter, Shape};
#[cfg(feature = "engine")]
pub use stats::OpStats;
#[cfg(feature = "engine")]
pub use store::{Moves, Set, Store, thread_pool};
#[cfg(feature = "engine")]
pub use values::CodePairs;
#[cfg(feature = "read")]
pub use values::{CodeTarget, ValueMap, Walk};
