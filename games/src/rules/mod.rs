//! The built-in games, a folder each, and the list of them.
//!
//! A folder holds `mod.rs` (parameters, notation, symmetries, rules in words), `symbolic.rs` and `explicit.rs`. The last two
//! describe the game independently: they share names, options and measures of the board, but no rule. So tests that compare
//! them can fail.

use crate::spec::FamilyInfo;

mod amazons;
mod breakthrough;
mod chess;
mod connect;
pub(crate) mod morris;
mod nim;
mod othello;
mod tictactoe;

/// Every family, in the order in which lists show them.
pub(crate) static FAMILIES: &[FamilyInfo] = &[
    nim::FAMILY,
    tictactoe::FAMILY,
    connect::FAMILY,
    breakthrough::FAMILY,
    othello::FAMILY,
    amazons::FAMILY,
    chess::FAMILY,
    morris::FAMILY,
];
