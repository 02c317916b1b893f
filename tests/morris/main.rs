//! Morris games by sectors: published counts, the verifier, stored forms and Malom's files. One program, so that it is
//! linked only once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod changes;
mod malom;
mod malom_list;
mod malom_ultra;
mod ranked;
mod ranked_files;
mod relatives;
mod sector_forms;
mod sectors;
mod take;
