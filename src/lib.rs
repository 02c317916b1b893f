//! Strongly solves board games as regular languages.
//!
//! Sets of positions are minimal automata over board strings (crate `nerode-dfa`), moves are relations on whole sets (crate
//! `nerode-games` describes them), and retrograde analysis, reachability and meet-in-the-middle run on the compressed sets.
//! [`run::solve`] fills a run directory, [`archive::solution::Solution`] reads it, [`check`] checks it, and [`explicit`] is
//! an independent oracle that knows no automata.
#![forbid(unsafe_code)]

pub mod archive;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod error;
pub mod explicit;
pub mod forms;
pub mod morris;
pub mod report;
pub mod run;
pub mod solve;
