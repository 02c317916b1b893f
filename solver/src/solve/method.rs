//! Methods of solving: the engine, the sets that are computed, and the direction.

use std::fmt;

use nerode_games::Side;
use serde::{Deserialize, Serialize};

/// The engine that solves a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// Sets of positions as automata.
    Sets,
    /// A table of all boards.
    Table,
    /// Tables of sectors for morris games.
    Sectors,
}

/// The method by which positions are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Computes W_i and L_i over all words up to the fixpoint.
    Retrograde,
    /// Computes R_i forward and W_j and L_j backward, and then propagates values back over R_i.
    Meet,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Retrograde => "retrograde",
            Self::Meet => "meet",
        })
    }
}

/// The sets that a retrograde run computes. `W[P1]` and `L[P2]` form one chain, `W[P2]` and `L[P1]` the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Chains {
    /// Both chains: the wins and losses of both sides.
    #[default]
    Both,
    /// The first chain: the wins of P1 and the losses of P2.
    ///
    /// The sets of the second chain are its mirror image, in games whose sides are mirror images of each other.
    One,
}

impl fmt::Display for Chains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Both => "both",
            Self::One => "one",
        })
    }
}

/// The plies of a retrograde run whose sets stay on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// All plies, so that every position has its depth.
    #[default]
    All,
    /// The last two plies, from which a run can be continued.
    ///
    /// All values remain available, but only a bound for most depths.
    Last,
}

impl Keep {
    /// Returns `true` if all plies are kept.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }
}

impl Chains {
    /// Returns `true` if `W[side]` is computed.
    pub fn has_wins(self, side: Side) -> bool {
        self == Self::Both || side == Side::P1
    }

    /// Returns `true` if `L[side]` is computed.
    pub fn has_losses(self, side: Side) -> bool {
        self == Self::Both || side == Side::P2
    }
}
