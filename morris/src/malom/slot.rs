//! The contents of a slot of a sector file of either kind.

use std::fmt;

use nerode_games::counted;

use crate::tables::index::Op;

/// The contents of a slot in terms of the format. Strong files are read as if wins and losses had the values 1 and -1,
/// and every sector 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// A hole: its position is stored in another slot, to which this symmetry leads.
    Hole(Op),
    /// A position worth as much as the sector, with the number of turns that keep that value, see [`Entry::Draw`].
    Count(u32),
    /// Any other value.
    Value {
        /// The value minus that of the sector, which is never 0.
        key1: i32,
        /// The distance, which is the number of plies to the end if the position is won or lost.
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

/// The information that a slot gives about its position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A hole: its position is stored in another slot, to which this symmetry leads.
    Hole(Op),
    /// Won in the given number of plies.
    Win(u16),
    /// Lost in the given number of plies.
    Loss(u16),
    /// A draw in which play stays in this sector or its mirror.
    Draw {
        /// The value of the sector; 0 in strong files, which contain no ranks.
        rank: i32,
        /// The number of turns that keep the draw, weighted by symmetries as in [the format](crate::malom).
        counter: u32,
    },
    /// A draw in which play ends up in a sector with this value, or its mirror.
    RankedDraw {
        /// The value.
        rank: i32,
        /// The distance in plies, which is negative if the sides alternate in wanting to hurry.
        distance: i32,
    },
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hole(op) => write!(f, "a hole by symmetry {op}"),
            Self::Win(plies) => write!(f, "a win in {}", counted(usize::from(*plies), "ply")),
            Self::Loss(plies) => write!(f, "a loss in {}", counted(usize::from(*plies), "ply")),
            Self::Draw { rank, counter } => write!(f, "a draw of value {rank} with counter {counter}"),
            Self::RankedDraw { rank, distance } => write!(f, "a draw of value {rank} at distance {distance}"),
        }
    }
}
