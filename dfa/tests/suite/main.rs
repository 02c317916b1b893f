//! Tests of operations on automata, moves and files against bit masks and lists of words. They form a single program,
//! which is linked only once.
#![cfg(feature = "engine")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod clusters;
mod conditions;
mod exhaustive;
mod files;
mod moves;
mod packed;
mod passes;
mod properties;
mod restrict;
mod text;
mod threads;
mod units;
mod value_files;
mod values;
