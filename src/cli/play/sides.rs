//! The sides that the program plays.

use clap::ValueEnum;
use nerode_games::Side;

/// Sides that somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Sides {
    /// The side that moves first
    #[value(name = "P1")]
    P1,
    /// The side that moves second
    #[value(name = "P2")]
    P2,
    /// Both: the program plays against itself
    Both,
    /// None: you play both sides
    None,
}

impl Sides {
    pub(super) fn has(self, side: Side) -> bool {
        match self {
            Self::P1 => side == Side::P1,
            Self::P2 => side == Side::P2,
            Self::Both => true,
            Self::None => false,
        }
    }
}
