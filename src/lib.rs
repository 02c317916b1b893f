//! Strongly solves board games as regular languages.
//!
//! Sets of positions are minimal automata over board strings (crate `nerode-dfa`), moves are relations on whole sets (crate
//! `nerode-games` describes them), and retrograde analysis, reachability and meet-in-the-middle run on the compressed sets.
//! [`solve::solve`] fills a run directory, [`solution::Solution`] reads it, [`verify`] checks it, and [`explicit`] is an
//! independent oracle that knows no automata.
#![forbid(unsafe_code)]

pub mod census;
pub mod cli;
pub mod codec;
pub mod compare;
pub mod engine;
pub mod error;
pub mod explicit;
pub mod export;
pub mod files;
pub mod malom;
pub mod meet;
pub mod next_ply;
pub mod order;
pub mod plot;
pub mod reach;
pub mod report;
pub mod represent;
pub mod retrograde;
pub mod rules;
pub mod run_dir;
pub mod score;
pub mod sector_forms;
pub mod sector_sets;
pub mod sectors;
pub mod solution;
pub mod solve;
pub mod table;
pub mod tabulate;
pub mod values;
pub mod verify;

mod sealed;
