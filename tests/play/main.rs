//! Play on solved games: traps, records, players and matches, against plain enumeration. One program, so that it is linked once.
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
