//! The command `nerode serve`, as a process with which the tests communicate over a socket.
#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod attacks;
#[cfg(unix)]
mod axe;
#[cfg(unix)]
mod browser;
mod changes;
#[cfg(unix)]
mod driver;
mod engine;
mod families;
mod interfaces;
mod kinds;
#[cfg(unix)]
mod network;
#[cfg(unix)]
mod proxy;
#[cfg(unix)]
mod record_view;
mod requests;
mod service;
#[cfg(unix)]
mod site;
#[cfg(unix)]
mod solution_view;
mod solving;
