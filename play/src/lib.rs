//! Uses of a solved game against a fallible opponent.
//!
//! Everything here queries a solution of any form ([`nerode_solver::stored::Stored`]) and the plain rules of its game.
//! It prints nothing; that is the task of the commands of the program.
//!
//! # Features
//! The default feature `engine` contains everything. Without it, the crate consists of players of solved games and the traps that
//! they set, and uses no threads and no file system.
#![forbid(unsafe_code)]

#[cfg(feature = "engine")]
pub mod alphabeta;
#[cfg(feature = "engine")]
pub mod analysis;
#[cfg(feature = "engine")]
pub mod bounds;
#[cfg(feature = "engine")]
pub mod contest;
pub mod course;
pub mod players;
#[cfg(feature = "engine")]
pub mod record;
pub mod traps;
