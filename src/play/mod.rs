//! Play: the uses of a solved game against a fallible opponent.
//!
//! Everything in this module queries a [`Solution`](crate::Solution) of any format and the plain rules of its game.
//! It prints nothing; that is the task of the commands of the program.

pub mod alphabeta;
pub mod analysis;
pub mod bounds;
pub mod contest;
pub mod course;
pub mod players;
pub mod record;
pub mod traps;
