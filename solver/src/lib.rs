//! Solves board games whose sets of positions are minimal automata, and stores and checks the solutions.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | the error type of the library |
//! | [`outcome`] | what is known of a position: value and depth |
//! | [`explicit`] | the oracle: retrograde analysis on an array of all boards, without automata |
//! | [`units`] | images of large sets in work units |
//! | [`solve`] | the engine, and the iterations over plies |
//! | [`archive`] | directories and files: runs, values, scores, tables |
//! | [`forms`] | a solution in other forms, for comparison |
//! | [`check`] | checks of a solution |
//! | [`run`] | solving into a directory, with a checkpoint after every ply |
//!
//! A module uses only those above it in the table.
#![forbid(unsafe_code)]

pub mod archive;
pub mod check;
pub mod error;
pub mod explicit;
pub mod forms;
pub mod outcome;
pub mod run;
pub mod solve;
pub mod units;
