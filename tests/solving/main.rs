//! Solving: sets against the oracle, against published values, and against themselves, whatever the method, the threads and the interruptions. One program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod census;
mod chains;
mod differential;
mod disk;
mod engine;
mod facade;
mod forward;
mod keep;
mod known_values;
mod meet_in_middle;
mod oracle;
mod order;
mod resume;
mod rules;
mod scores;
mod units;
