//! What is kept: every damaged file is refused, every wrong value is found, and other forms give back what they were made from. One program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod corpora;
mod damage;
mod one_ply;
mod open;
mod openfst;
mod represent;
mod values_folder;
