//! Principal variations: whether the best moves make progress, and why a line ends.

use std::collections::HashSet;

use nerode_games::{Game, Position, Value};
use serde::Serialize;

use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::Reply;

/// Why a line goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// A position is repeated.
    Repetition,
    /// The value of the best move is not known.
    Unknown,
}

/// Returns `true` if the best moves from a position lead to its value. In a game in which positions can recur, the
/// winning moves from a position without a depth may make no progress.
pub fn leads_on(game: &dyn Game, position: &Position, evaluation: &Evaluation) -> bool {
    let is_decided = matches!(evaluation.value(), Some(Value::Win | Value::Loss));
    let is_guided = evaluation.depth().is_some() || evaluation.score().is_some() || game.always_ends();
    !is_decided || is_guided || game.outcome(&position.board, position.side).is_some()
}

/// Returns the reason why the line of these moves from `position` ends.
pub fn line_end(game: &dyn Game, position: &Position, moves: &[Reply]) -> LineEnd {
    let last = moves.last().map_or(position, Reply::position);
    if game.outcome(&last.board, last.side).is_some() {
        return LineEnd::Over;
    }
    let mut seen = HashSet::from([position]);
    let again = moves.iter().any(|reply| !seen.insert(reply.position()));
    if again { LineEnd::Repetition } else { LineEnd::Unknown }
}
