//! `nerode serve` as a process that is talked to over a socket.
#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod attacks;
mod browser;
mod changes;
mod driver;
mod engine;
mod requests;
mod service;
