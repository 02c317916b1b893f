//! Positions as people type them.

use nerode_games::{Game, Position};

use nerode_solver::error::Result;

/// Text for the start position.
const START: &str = "start";

/// Reads a position as people and files write it: `_` and tabs count as blanks.
///
/// # Errors
/// A text that is no position; without `any` also a position that no game comes to.
pub(crate) fn position_of(game: &dyn Game, text: &str, any: bool) -> Result<Position> {
    let text = text.trim();
    if text == START {
        return Ok(game.start_position());
    }
    let position = match text.contains(['_', '\t']) {
        true => game.parse_position(&text.replace(['_', '\t'], " "))?,
        false => game.parse_position(text)?,
    };
    if !any {
        game.check_legal(&position)?;
    }
    Ok(position)
}
