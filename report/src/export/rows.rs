//! One position as a row, and the rows of a table.

use nerode_games::{Game, Position, Side, Value};

use nerode_solver::error::{Error, Result};
use nerode_solver::explicit::Indexer;
use nerode_solver::outcome::code16;

/// A position with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Who moves.
    pub side: Side,
    /// Index of the board.
    pub index: u64,
    /// Text of the position, as the game's notation has it.
    pub position: String,
    /// Value for the side to move; `None` when unknown.
    pub value: Option<Value>,
    /// Plies to the end; `None` when drawn, unknown or not computed.
    pub dtw: Option<u16>,
}

/// `win`, `draw`, `loss`, or `unknown` for no value.
pub fn value_name(value: Option<Value>) -> &'static str {
    match value {
        Some(Value::Win) => "win",
        Some(Value::Draw) => "draw",
        Some(Value::Loss) => "loss",
        None => "unknown",
    }
}

/// The rows of one side of a table: `codes` in index order, as [`nerode_solver::explicit::ExplicitTable::codes`] and
/// [`nerode_solver::archive::table::TableFile::codes`] give them. With `positions` false the texts are left empty, which is much faster.
///
/// *Cost*: constant memory.
///
/// # Errors
/// As an item: an error from the codes, or [`Error::PastTheEnd`] when there are more codes than boards.
pub fn rows_of<'a>(
    game: &'a dyn Game,
    indexer: &'a Indexer,
    side: Side,
    codes: impl Iterator<Item = Result<u16>> + 'a,
    positions: bool,
) -> impl Iterator<Item = Result<Row>> + 'a {
    let mut cursor = indexer.cursor(0);
    codes.zip(0_u64..).map(move |(code, index)| {
        let outcome = code16::outcome(code?);
        let Some(cursor) = cursor.as_mut().filter(|_| index < indexer.num_positions()) else {
            return Err(Error::PastTheEnd { index, num_positions: indexer.num_positions() });
        };
        let position = if positions {
            game.format_position(&Position { board: cursor.board().to_vec(), side })
        } else {
            String::new()
        };
        cursor.step(indexer);
        let dtw = outcome.depth().and_then(|depth| u16::try_from(depth).ok());
        Ok(Row { side, index, position, value: outcome.value(), dtw })
    })
}
