//! Automata: operations, moves and files against bit masks and lists of words. One program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod clusters;
mod conditions;
mod exhaustive;
mod files;
mod moves;
mod passes;
mod properties;
mod restrict;
mod text;
mod threads;
mod units;
mod value_files;
mod values;
