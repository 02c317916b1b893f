//! Positions of a game, and moves between them.

use super::super::book::Mover;
use super::program::PlaceId;

/// A position: the board, numbers, who moves, and where in the rules and on the board the next path begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) board: Vec<u8>,
    pub(super) registers: Vec<u32>,
    pub(super) mover: Mover,
    pub(super) place: PlaceId,
    pub(super) square: u16,
    /// Whether the keeper could not go on.
    pub(super) over: bool,
}

impl State {
    /// The piece on every square.
    #[must_use]
    pub fn board(&self) -> &[u8] {
        &self.board
    }

    /// The values of all variables, then the scores of all players.
    #[must_use]
    pub fn registers(&self) -> &[u32] {
        &self.registers
    }

    /// Who moves; the keeper where the game is over because the keeper cannot go on.
    #[must_use]
    pub fn mover(&self) -> Mover {
        self.mover
    }
}

/// A change that a move makes: what is done, as the number of a place in the rules, and on which square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    /// The place in the rules.
    pub place: u32,
    /// The square.
    pub square: u16,
}

/// A move: its changes in order. The last gives the turn to somebody. Two moves are the same if all changes are.
pub type Turn = Vec<Change>;
