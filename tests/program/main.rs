//! The program as users and scripts see it. All tests are in one program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod advice;
mod bounds;
mod checks;
mod cli;
mod cli_errors;
mod cli_sectors;
mod clock;
mod compare;
mod coverage;
mod destinations;
mod diff;
mod drawings;
mod estimate;
mod faults;
mod formats;
mod hints;
mod imports;
mod kill;
mod kills;
mod listing;
mod long;
mod output;
mod packing;
mod play;
mod plot;
mod ply_units;
mod prove;
mod query;
mod ranked;
mod reach;
mod reached;
mod resume;
mod rules_files;
mod schemas;
mod sector_checks;
mod sector_damage;
mod sector_dirs;
mod sector_files;
mod sector_lists;
mod sector_units;
mod shared_units;
mod signals;
mod small_disk;
mod so_far;
mod solve;
mod stats;
mod traps;
mod typed;
mod users;
