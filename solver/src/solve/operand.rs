//! [`Operand`]: a set together with the moves that are applied to it.

use nerode_dfa::{Dfa, Direction};
use nerode_games::Side;

/// The operand of an image: `set` or its complement, moved along the moves of `side` in either direction.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    /// The side whose moves are applied.
    pub side: Side,
    /// The direction of the moves.
    pub direction: Direction,
    /// The set.
    pub set: &'a Dfa,
    /// `true` to move the complement of the set instead.
    pub complement: bool,
}

impl<'a> Operand<'a> {
    /// Denotes the positions with `side` to move that have a move into `set`.
    pub fn into(set: &'a Dfa, side: Side) -> Self {
        Self { side, direction: Direction::Backward, set, complement: false }
    }

    /// Denotes the positions with `side` to move that have a move avoiding `set`.
    pub fn avoiding(set: &'a Dfa, side: Side) -> Self {
        Self { complement: true, ..Self::into(set, side) }
    }

    /// Denotes the positions to which a move of `side` from `set` leads.
    pub fn from(set: &'a Dfa, side: Side) -> Self {
        Self { direction: Direction::Forward, ..Self::into(set, side) }
    }
}
