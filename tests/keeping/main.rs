//! Tests of storage: every damaged file is rejected, every wrong value is detected, and other representations reproduce their
//! source. The tests form a single program, so that linking happens only once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod corpora;
mod damage;
mod one_ply;
mod open;
mod openfst;
mod packed_reached;
mod represent;
mod values_folder;
