//! The morris family for sector solvers: boards, rules as options, plain play on sets of points, and the rules of a spec.

use std::sync::Arc;

use crate::error::Result;
use crate::game::Game;
use crate::registry::open;
#[cfg(feature = "sets")]
use crate::rules::morris as family;
#[cfg(feature = "sets")]
use crate::side::Side;

pub mod board;
pub mod play;
pub mod rules;

#[cfg(feature = "sets")]
pub use crate::rules::morris::SectorMoves;
pub use board::{Board, BoardKind};
pub use play::{State, Turn, points};
pub use rules::{Capture, FullBoard, PRESETS, Phases, Preset, Rules};

/// Returns the morris game with the given spec and its rules for plain play.
///
/// # Errors
/// Returns the same errors as [`crate::registry::open`], or [`crate::Error::NoSectors`] if the game belongs to another family.
///
/// # Examples
/// ```
/// let (game, rules) = nerode_games::morris::rules_of("morris:nine,stones=9-9,take=2").unwrap();
/// assert_eq!((game.spec().as_str(), rules.stones, rules.take), ("morris:nine,take=2", [9, 9], 2));
/// assert!(nerode_games::morris::rules_of("nim:3x7").is_err());
/// ```
pub fn rules_of(spec: &str) -> Result<(Arc<dyn Game>, Rules)> {
    let game = open(spec)?;
    let rules = game.sector_rules()?.clone();
    Ok((game, rules))
}

/// Returns the moves of `side` in the letter order of `game`, for sectors without stones in hand; see [`SectorMoves`].
///
/// # Errors
/// Returns [`crate::Error::NoSectors`] if the game does not belong to the morris family, or an error if a description does not
/// fit the shape, which would be a bug.
#[cfg(feature = "sets")]
pub fn sector_moves(game: &dyn Game, side: Side, flies: bool) -> Result<SectorMoves> {
    family::sector_moves(game.sector_rules()?, game.order(), side, flies)
}
