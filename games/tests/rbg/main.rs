//! Games whose rules are given as a text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod agree;
mod builtin;
mod canonical;
mod compiled;
mod counts;
mod errors;
mod exchange;
mod garbled;
mod limits;
mod paths;
mod pictures;
mod random;
mod symmetry;
mod variants;
mod warnings;
mod words;
