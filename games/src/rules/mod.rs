//! The built-in games, each in its own folder, and the list of their families.
//!
//! A folder contains `mod.rs` (parameters, notation, symmetries, rules in words), `symbolic.rs` and `explicit.rs`. The
//! last two describe the game independently: they share names, options and dimensions of the board, but none of the
//! rules. Tests that compare them can therefore detect errors in either.

use crate::spec::FamilyInfo;

mod amazons;
mod breakthrough;
mod chess;
mod connect;
pub(crate) mod morris;
mod nim;
mod othello;
mod tictactoe;

/// All families, in the order in which lists show them.
pub(crate) const FAMILIES: &[FamilyInfo] = &[
    nim::FAMILY,
    tictactoe::FAMILY,
    connect::FAMILY,
    breakthrough::FAMILY,
    othello::FAMILY,
    amazons::FAMILY,
    chess::FAMILY,
    morris::FAMILY,
];
