//! The games, one file each: symbolic description, explicit description, notation, symmetries and the text of the rules.
//!
//! Invariant: the symbolic and the explicit description of a game share no rule, only numbers such as board measures, so
//! that tests which compare them can fail.

pub(crate) mod amazons;
pub(crate) mod breakthrough;
pub(crate) mod chess;
pub(crate) mod connect;
pub(crate) mod morris;
pub(crate) mod nim;
pub(crate) mod othello;
pub(crate) mod tictactoe;
