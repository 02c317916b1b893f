//! The names of games in files.

use std::sync::Arc;

use nerode_games::Game;
use nerode_games::morris::{Rules, rules_of};
use serde::{Deserialize, Serialize};

use nerode_solver::error::Result;

/// The name of a game in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameName {
    /// The canonical spec, such as `morris:nine`.
    pub spec: String,
    /// The fingerprint of spec and rules.
    pub fingerprint: String,
}

impl GameName {
    /// Returns the name of `game`.
    pub fn of(game: &dyn Game) -> Self {
        Self { spec: game.spec(), fingerprint: game.fingerprint() }
    }
}

/// Returns the game that `spec` names, its rules, and the name that files give it.
///
/// # Errors
/// Returns [`Error::Game`](nerode_solver::error::Error::Game) if the spec does not name a game of the family `morris`.
pub fn named_game(spec: &str) -> Result<(Arc<dyn Game>, Rules, GameName)> {
    let (game, rules) = rules_of(spec)?;
    let name = GameName::of(game.as_ref());
    Ok((game, rules, name))
}
