//! What a slot of a sector file holds, whichever kind the file is.

use std::fmt;

use crate::tables::index::Op;

/// The contents of a slot as the format has them. Strong files are read as if won and lost had the values 1 and -1, and every
/// sector 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Its position is that of another slot, and this symmetry leads there.
    Hole(Op),
    /// Worth as much as the sector, and so many turns keep it so, see [`Entry::Draw`].
    Count(u32),
    /// Any other value.
    Value {
        /// The value less that of the sector; never 0.
        key1: i32,
        /// The distance: plies to the end where the position is won or lost.
        key2: i32,
    },
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hole(op) => write!(f, "a hole by symmetry {op}"),
            Self::Count(turns) => write!(f, "worth as much as the sector, with counter {turns}"),
            Self::Value { key1, key2 } => write!(f, "{key1:+} to the sector's value, distance {key2}"),
        }
    }
}

/// What a slot says of its position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing: the position is that of another slot, and this symmetry leads there.
    Hole(Op),
    /// Won in so many plies.
    Win(u16),
    /// Lost in so many plies.
    Loss(u16),
    /// A draw in which play stays in this sector, or its mirror.
    Draw {
        /// The sector's value; 0 in strong files, which hold no ranks.
        rank: i32,
        /// Turns that keep the draw, weighted by symmetries as in [the format](crate::malom).
        counter: u32,
    },
    /// A draw in which play ends up in a sector of this value, or its mirror.
    RankedDraw {
        /// The value.
        rank: i32,
        /// A distance in plies; negative where sides take turns in wanting to hurry.
        distance: i32,
    },
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hole(op) => write!(f, "a hole by symmetry {op}"),
            Self::Win(plies) => write!(f, "a win in {plies} plies"),
            Self::Loss(plies) => write!(f, "a loss in {plies} plies"),
            Self::Draw { rank, counter } => write!(f, "a draw of value {rank} with counter {counter}"),
            Self::RankedDraw { rank, distance } => write!(f, "a draw of value {rank} at distance {distance}"),
        }
    }
}
