//! Parsing of positions that users type.

use nerode_games::{Game, Position, after_moves};

use nerode_solver::error::Result;

/// The words that stand for the start position.
const STARTS: [&str; 2] = ["start", "startpos"];

/// Parses a position as users and files write it: `start` or `startpos`, which moves may follow, or the position itself. `_` and
/// tabs count as blanks, and blanks around `/` are ignored.
///
/// # Errors
/// Returns an error if the text is not a position, if one of the moves is not legal, and, unless `any` is set, if the position
/// cannot occur in play.
///
/// # Examples
/// ```
/// use nerode_report::position::position_of;
/// let game = nerode_games::registry::open("tictactoe:3x3")?;
/// let position = position_of(game.as_ref(), "start b2 a1", false)?;
/// assert_eq!(position, position_of(game.as_ref(), "3/ 1x1 /O2 x", false)?);
/// assert_eq!(position, position_of(game.as_ref(), "startpos moves b2 a1", false)?);
/// # Ok::<(), nerode_solver::error::Error>(())
/// ```
pub fn position_of(game: &dyn Game, text: &str, any: bool) -> Result<Position> {
    let text = text.trim();
    let (first, rest) = text.split_once([' ', '_', '\t', ',']).unwrap_or((text, ""));
    if STARTS.contains(&first.to_ascii_lowercase().as_str()) {
        let rest = rest.replace('_', " ");
        let moves = rest.trim_start().strip_prefix("moves").unwrap_or(&rest);
        return Ok(after_moves(game, game.start_position(), moves)?);
    }
    let position = match text.contains(['_', '\t', ' ']) {
        true => game.parse_position(&tidied(text))?,
        false => game.parse_position(text)?,
    };
    if !any {
        game.check_legal(&position)?;
    }
    Ok(position)
}

/// Replaces `_` and tabs by blanks, and removes the blanks around `/`.
fn tidied(text: &str) -> String {
    let text = text.replace(['_', '\t'], " ");
    let rows: Vec<&str> = text.split('/').collect();
    let last = rows.len() - 1;
    let row = |(at, row): (usize, &&str)| {
        let row = if at > 0 { row.trim_start_matches(' ') } else { row };
        if at < last { row.trim_end_matches(' ') } else { row }.to_string()
    };
    rows.iter().enumerate().map(row).collect::<Vec<_>>().join("/")
}
