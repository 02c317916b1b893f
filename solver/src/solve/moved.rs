//! [`Moved`]: a set, and the moves that it is moved by.

use nerode_dfa::{Dfa, Direction};
use nerode_games::Side;

/// What is moved: `set` or its complement, by the moves of `side` or back along them.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// Whose moves.
    pub side: Side,
    /// Which way.
    pub direction: Direction,
    /// The set.
    pub set: &'a Dfa,
    /// Whether its complement is moved instead.
    pub complement: bool,
}

impl<'a> Moved<'a> {
    /// Positions with `side` to move and a move into `set`.
    pub fn into(set: &'a Dfa, side: Side) -> Self {
        Self { side, direction: Direction::Backward, set, complement: false }
    }

    /// Positions with `side` to move and a move that avoids `set`.
    pub fn avoiding(set: &'a Dfa, side: Side) -> Self {
        Self { complement: true, ..Self::into(set, side) }
    }

    /// Positions that a move of `side` from `set` leads to.
    pub fn from(set: &'a Dfa, side: Side) -> Self {
        Self { direction: Direction::Forward, ..Self::into(set, side) }
    }
}
