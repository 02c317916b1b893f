//! The knowledge about a position: a type for its value and depth, and the numeric codes that represent it in files and
//! tables.
//!
//! | codec | numbers | used by |
//! |---|---|---|
//! | [`code16`] | value and depth in 16 bits | the oracle, table files, value maps |
//! | [`code2`] | value in 2 bits | packed arrays, run-length coding, blocks |
//! | [`plies`] | depth only, whose parity is the value | sectors of morris games |
//!
//! Large arrays hold codes, whereas single values are an [`Outcome`]. An [`Evaluation`] is everything that a solution
//! says about a position. A [`ValueRange`] bounds a value that is not
//! known exactly.

pub mod code16;
pub mod code2;
mod draw;
mod evaluation;
pub mod plies;
mod range;
pub mod rank;

use std::fmt;

use crate::side::Value;

pub use draw::RankedDraw;
pub use evaluation::Evaluation;
pub use range::ValueRange;

/// The knowledge about a position, from the point of view of the side to move.
///
/// # Examples
/// ```
/// use nerode_games::outcome::Outcome;
/// use nerode_games::Value;
/// let found = Outcome::win_in(3);
/// assert_eq!((found.value(), found.depth()), (Some(Value::Win), Some(3)));
/// assert_eq!(found.to_string(), "win in 3");
/// assert_eq!(Outcome::Unknown.value(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Not decided so far. The position may turn out to be won, drawn or lost.
    #[default]
    Unknown,
    /// Proved lost.
    Loss(Depth),
    /// Proved drawn.
    Draw {
        /// The rank of the draw in solutions that rank draws: a greater rank is better for the side to move. Otherwise
        /// 0.
        rank: i32,
    },
    /// Proved won.
    Win(Depth),
}

/// The number of plies to the end of the game if the winner plays for speed and the loser for delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// Unknown.
    #[default]
    Unknown,
    /// Exactly this number of plies.
    Exact(u32),
    /// At most this number of plies.
    AtMost(u32),
}

impl Depth {
    /// Returns the exact depth, or [`Depth::Unknown`] for `None`.
    pub fn of(plies: Option<u32>) -> Self {
        plies.map_or(Self::Unknown, Self::Exact)
    }

    /// Returns the depth if it is known exactly.
    pub fn exact(self) -> Option<u32> {
        match self {
            Self::Exact(plies) => Some(plies),
            Self::Unknown | Self::AtMost(_) => None,
        }
    }

    /// Returns the upper bound of the depth if one is known.
    pub fn bound(self) -> Option<u32> {
        match self {
            Self::Exact(plies) | Self::AtMost(plies) => Some(plies),
            Self::Unknown => None,
        }
    }
}

impl Outcome {
    /// A draw without a rank.
    pub const DRAW: Self = Self::Draw { rank: 0 };

    /// Returns a win in exactly `plies` plies.
    pub fn win_in(plies: u32) -> Self {
        Self::Win(Depth::Exact(plies))
    }

    /// Returns a loss in exactly `plies` plies.
    pub fn loss_in(plies: u32) -> Self {
        Self::Loss(Depth::Exact(plies))
    }

    /// Returns a proved value. A draw has no depth, so `depth` is ignored for draws.
    pub fn new(value: Value, depth: Depth) -> Self {
        match value {
            Value::Loss => Self::Loss(depth),
            Value::Draw => Self::DRAW,
            Value::Win => Self::Win(depth),
        }
    }

    /// Returns the proved value, or `None` while it is unknown.
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Unknown => None,
            Self::Loss(_) => Some(Value::Loss),
            Self::Draw { .. } => Some(Value::Draw),
            Self::Win(_) => Some(Value::Win),
        }
    }

    /// Returns the depth of a win or loss, exact or bounded, and [`Depth::Unknown`] for draws.
    pub fn full_depth(self) -> Depth {
        match self {
            Self::Loss(depth) | Self::Win(depth) => depth,
            Self::Unknown | Self::Draw { .. } => Depth::Unknown,
        }
    }

    /// Returns the number of plies to the end of the game, or `None` for draws and for depths that are not known
    /// exactly.
    pub fn depth(self) -> Option<u32> {
        match self {
            Self::Loss(depth) | Self::Win(depth) => depth.exact(),
            Self::Unknown | Self::Draw { .. } => None,
        }
    }

    /// Returns the same value with another depth. Draws and unknown positions are returned unchanged.
    #[must_use]
    pub fn with_depth(self, depth: Depth) -> Self {
        match self {
            Self::Loss(_) => Self::Loss(depth),
            Self::Win(_) => Self::Win(depth),
            other => other,
        }
    }

    /// Returns `win`, `draw`, `loss` or `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Loss(_) => "loss",
            Self::Draw { .. } => "draw",
            Self::Win(_) => "win",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            Self::Loss(Depth::Exact(plies)) | Self::Win(Depth::Exact(plies)) => write!(f, " in {plies}"),
            Self::Loss(Depth::AtMost(plies)) | Self::Win(Depth::AtMost(plies)) => {
                write!(f, " in at most {plies}")
            }
            Self::Draw { rank } if rank != 0 => write!(f, " of rank {rank}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_say_what_they_know() {
        let most = Outcome::Loss(Depth::AtMost(6));
        assert_eq!(
            (most.value(), most.depth(), most.to_string()),
            (Some(Value::Loss), None, "loss in at most 6".into())
        );
        assert_eq!(most.with_depth(Depth::Exact(4)), Outcome::loss_in(4));
        assert_eq!(Outcome::DRAW.with_depth(Depth::Exact(4)), Outcome::new(Value::Draw, Depth::Exact(4)));
        assert_eq!(Outcome::Draw { rank: -2 }.to_string(), "draw of rank -2");
        let depths = [Depth::Unknown, Depth::Exact(3), Depth::AtMost(3)];
        assert_eq!(depths.map(Depth::exact), [None, Some(3), None]);
        assert_eq!(depths.map(Depth::bound), [None, Some(3), Some(3)]);
    }
}
