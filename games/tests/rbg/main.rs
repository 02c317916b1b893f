//! Games whose rules are a text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod builtin;
mod canonical;
mod counts;
mod errors;
mod limits;
mod paths;
mod words;
