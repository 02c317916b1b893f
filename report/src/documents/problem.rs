//! The reason why a request has no answer: the same document for the service, for its batches, for `query --batch` and
//! for the engine.

use nerode_games::{Error as GameError, Game};
use serde::Serialize;

/// The reason why a request has no answer (RFC 9457), with a description of what would be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// The kind of problem, in a few words that stay the same.
    pub title: &'static str,
    /// The HTTP status of the response, or the status that the response would have.
    pub status: u16,
    /// A description of the problem.
    pub detail: String,
    /// A description of valid requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// An example of a valid position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

impl Problem {
    /// Creates a problem.
    #[must_use]
    pub fn new(status: u16, title: &'static str, detail: impl Into<String>) -> Self {
        Self { title, status, detail: detail.into(), accepted: None, example: None }
    }

    /// Creates the problem for a malformed request.
    #[must_use]
    pub fn malformed(detail: impl Into<String>) -> Self {
        Self::new(400, "malformed request", detail)
    }

    /// Creates the problem for something that does not exist.
    #[must_use]
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(404, "not found", detail)
    }

    /// Creates the problem for a blank line in place of a position.
    #[must_use]
    pub fn blank_line() -> Self {
        Self::malformed("the line is blank").accepting("a position, such as start")
    }

    /// Creates the problem for a request that `game` cannot read. `any` is the way to request positions that cannot occur in
    /// play.
    #[must_use]
    pub fn of_game(error: &GameError, game: &dyn Game, any: &str) -> Self {
        match error {
            GameError::Illegal { .. } => Self::new(400, "illegal position", error.to_string()).accepting(
                format!("a position that can occur in play; or {any}, which answers every position"),
            ),
            _ => Self {
                accepted: Some(game.position_form()),
                example: Some(game.format_position(&game.start_position())),
                ..Self::malformed(error.to_string())
            },
        }
    }

    /// Adds a description of valid requests.
    #[must_use]
    pub fn accepting(mut self, accepted: impl Into<String>) -> Self {
        self.accepted = Some(accepted.into());
        self
    }
}
