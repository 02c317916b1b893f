//! Parsing of positions that users type.

use nerode_games::{Game, Position};

use nerode_solver::error::Result;

/// The text that stands for the start position.
const START: &str = "start";

/// Parses a position as users and files write it. `_` and tabs count as blanks.
///
/// # Errors
/// Returns an error if the text is not a position, and, unless `any` is set, if the position cannot occur in play.
pub fn position_of(game: &dyn Game, text: &str, any: bool) -> Result<Position> {
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
