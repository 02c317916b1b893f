//! Play on solved games: traps, records, players and matches, compared with plain enumeration. All tests are in one
//! program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod alphabeta;
mod bounds;
mod contest;
mod early;
mod players;
mod ranks;
mod record;
mod traps;
mod withheld;
