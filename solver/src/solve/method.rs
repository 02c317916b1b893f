//! Which sets are computed, and in which direction.

use std::fmt;

use nerode_games::Side;
use serde::{Deserialize, Serialize};

/// How positions are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// W_i and L_i of every word to the fixpoint.
    Retrograde,
    /// R_i forward, W_j and L_j backward, then values backed up over R_i.
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

/// Which sets a retrograde run computes. `W[P1]`, `L[P2]` are one chain, `W[P2]`, `L[P1]` the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chains {
    /// All four sets.
    #[default]
    Both,
    /// The first chain; the sets of the second are its mirror image, in games whose sides are each other's.
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

/// Which plies of a retrograde run stay on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// All: every position has its depth.
    #[default]
    All,
    /// The last two, from which a run goes on. Values stay, and of most depths a bound.
    Last,
}

impl Keep {
    /// Whether all plies are kept.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }
}

impl Chains {
    /// Whether `W[side]` is computed.
    pub fn has_wins(self, side: Side) -> bool {
        self == Self::Both || side == Side::P1
    }

    /// Whether `L[side]` is computed.
    pub fn has_losses(self, side: Side) -> bool {
        self == Self::Both || side == Side::P2
    }
}
