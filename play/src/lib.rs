//! Uses of a solved game against a fallible opponent.
//!
//! Everything here queries a solution of any form ([`nerode_solver::stored::Stored`]) and the plain rules of its game.
//! It prints nothing; that is the task of the commands of the program.
#![forbid(unsafe_code)]

pub mod alphabeta;
pub mod analysis;
pub mod bounds;
pub mod contest;
pub mod course;
pub mod players;
pub mod record;
pub mod traps;
