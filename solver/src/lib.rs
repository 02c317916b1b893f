//! Solves board games by representing sets of positions as minimal automata, and stores and checks the solutions.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | the error type of the library |
//! | [`memory`] | the memory of this process, and the guard of its cap |
//! | [`outcome`] | the evaluation of a position: value, depth, score and rank |
//! | [`units`] | computation of images of large sets in work units |
//! | [`solve`] | the engine and the iterations over plies |
//! | [`archive`] | directories and files: runs, values, scores and tables |
//! | [`depth`] | depths by search, for runs that contain none |
//! | [`prove`] | the value of one position by proof-number search in an unfinished run |
//! | [`forms`] | alternative representations of a solution, for comparison |
//! | [`check`] | verification of a solution |
//! | [`run`] | solving into a directory, with a checkpoint after every ply |
//! | [`stored`] | solutions of any form: queries, lines, samples |
//!
//! Each module uses only the modules above it in the table.
//!
//! # Features
//! The default feature `engine` contains everything that solves, writes and checks. Without it, the crate reads packed solutions
//! and answers queries, without threads, a file system or a clock: [`archive::packed`], [`archive::values`] and [`stored`].
#![forbid(unsafe_code)]

pub mod archive;
#[cfg(feature = "engine")]
pub mod check;
pub mod depth;
pub mod error;
#[cfg(feature = "engine")]
pub mod forms;
#[cfg(feature = "engine")]
pub mod memory;
#[cfg(feature = "engine")]
mod numbers;
#[cfg(feature = "engine")]
pub mod prove;
#[cfg(feature = "engine")]
pub mod run;
pub mod solve;
pub mod stored;
#[cfg(feature = "engine")]
mod transpositions;
#[cfg(feature = "engine")]
pub mod units;

pub use nerode_games::outcome;
