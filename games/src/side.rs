//! Sides and values, the vocabulary shared by rules, solvers and databases.

use std::fmt;

/// One of the two players: `P1` moves first from the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who moves first.
    P1,
    /// The player who moves second.
    P2,
}

impl Side {
    /// Both sides, starting with the first mover.
    pub const BOTH: [Side; 2] = [Side::P1, Side::P2];

    /// Returns the opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Side::P1 => Side::P2,
            Side::P2 => Side::P1,
        }
    }

    /// Returns 0 for `P1` and 1 for `P2`.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::P1 => "P1",
            Side::P2 => "P2",
        })
    }
}

/// The proved value of a position for the side to move. "Unknown" is the absence of a value and therefore not one of
/// the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// Returns the value of the same position as seen by the opponent.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}
