//! Play: what a solved game is good for against somebody who goes wrong now and then.
//!
//! Everything here asks a [`Solution`](crate::Solution), whatever kind of directory it is, and the plain rules of its game. It prints
//! nothing; the commands of the program do.

pub mod alphabeta;
pub mod analysis;
pub mod bounds;
pub mod contest;
pub mod course;
pub mod players;
pub mod record;
pub mod traps;
