//! Tests of solving: stored sets are compared with the oracle, with published values and with each other, for all methods,
//! numbers of threads and interruptions. The tests form a single program, so that linking happens only once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod census;
mod chains;
mod depths;
mod differences;
mod differential;
mod disk;
mod engine;
mod facade;
mod forward;
mod keep;
mod known_values;
mod listing;
mod meet_in_middle;
mod misere;
mod nimbers;
mod order;
mod resume;
mod rules;
mod scores;
mod units;
