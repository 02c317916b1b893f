//! Solves board games by representing sets of positions as minimal automata, and stores and checks the solutions.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | the error type of the library |
//! | [`memory`] | the memory of this process, and the guard of its cap |
//! | [`outcome`] | the knowledge about a position: value and depth |
//! | [`explicit`] | the oracle: retrograde analysis on an array of all boards, without automata |
//! | [`units`] | computation of images of large sets in work units |
//! | [`solve`] | the engine and the iterations over plies |
//! | [`archive`] | directories and files: runs, values, scores and tables |
//! | [`forms`] | alternative representations of a solution, for comparison |
//! | [`check`] | verification of a solution |
//! | [`run`] | solving into a directory, with a checkpoint after every ply |
//!
//! Each module uses only the modules above it in the table.
#![forbid(unsafe_code)]

pub mod archive;
pub mod check;
pub mod error;
pub mod explicit;
pub mod forms;
pub mod memory;
pub mod outcome;
pub mod run;
pub mod solve;
pub mod units;
