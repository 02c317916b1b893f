//! Positions of a game and the moves between them.

use super::super::book::Mover;
use super::program::PlaceId;

/// A position: the board, the registers, the side to move, and where in the rules and on the board the next path begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) board: Vec<u8>,
    pub(super) registers: Vec<u32>,
    pub(super) mover: Mover,
    pub(super) place: PlaceId,
    pub(super) square: u16,
    /// If `true`, the keeper is stuck and the game is over.
    pub(super) over: bool,
}

impl State {
    /// Returns the piece on every square.
    #[must_use]
    pub fn board(&self) -> &[u8] {
        &self.board
    }

    /// Returns the values of all variables, followed by the scores of all players.
    #[must_use]
    pub fn registers(&self) -> &[u32] {
        &self.registers
    }

    /// Returns the side to move. This is the keeper if the game is over because the keeper is stuck.
    #[must_use]
    pub fn mover(&self) -> Mover {
        self.mover
    }
}

/// The beginning of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Begin {
    /// The number of the switch that passed the turn, counted in reading order.
    pub switch: u32,
    /// The square on which the path begins.
    pub square: u16,
}

/// A change made by a move: the operation, as the number of a place in the rules, and the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    /// The place in the rules.
    pub place: u32,
    /// The square.
    pub square: u16,
}

/// A move: its changes in order, of which the last one passes the turn. Two moves are equal if all their changes are.
pub type Turn = Vec<Change>;
