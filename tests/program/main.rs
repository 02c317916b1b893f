//! The program as users and scripts see it. One program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod cli;
mod cli_errors;
mod cli_sectors;
mod estimate;
mod kill;
<<<<<<< HEAD
mod stats;
=======
mod query;
>>>>>>> deb9c51 (query: batches, lines of best play, drawings, sectors as sets and tables; illegal positions are refused with a reason)
