//! Games whose rules are given as a text.
#![cfg(feature = "sets")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;

use nerode_games::registry::families;
use nerode_games::{Game, Registry, Result};
use nerode_rules::rbg::LANGUAGE;

#[path = "../../../games/tests/common/mod.rs"]
mod common;

mod agree;
mod builtin;
mod canonical;
mod compiled;
mod counts;
mod errors;
mod exchange;
mod garbled;
mod generated;
mod limits;
mod paths;
mod pictures;
mod published;
mod random;
mod symmetry;
mod turns;
mod variants;
mod warnings;
mod words;

/// Opens a built-in game or one whose rules are a text.
fn open(spec: &str) -> Result<Arc<dyn Game>> {
    Registry::new(families(), &[LANGUAGE]).open(spec)
}
