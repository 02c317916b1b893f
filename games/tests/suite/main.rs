//! Games: comparison of both descriptions, published counts and values, notations, and symmetries. All tests are in one
//! program so that it is linked only once.
#![cfg(feature = "sets")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod admissible;
mod agreement;
mod chess;
mod fingerprints;
mod legal;
mod morris;
mod notation;
mod perft;
mod registry;
mod sources;
mod structure;
mod values;
