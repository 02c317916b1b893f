//! What the text forms of all games share: sides by name, boards as rows, and moves found by their text.

use crate::error::{Error, Result};
use crate::explicit::{ExplicitGame, Move};
use crate::game::{Notation, Position};
use crate::grid::Grid;
use crate::side::Side;
use crate::symbolic::LayerInfo;

/// Most legal moves that an error message lists.
const LISTED_MOVES: usize = 60;

/// The side called `text`: by one of the game's `names` (first mover first), or `P1` or `P2`.
pub(crate) fn side_named(text: &str, names: [&str; 2]) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| text == names[side.index()] || text == side.to_string())
}

/// The legal move of `position` whose text is `text`.
pub(crate) fn find_move<G>(game: &G, position: &Position, text: &str) -> Result<Move>
where
    G: ExplicitGame + Notation + ?Sized,
{
    let text = text.trim();
    let mut moves = Vec::new();
    game.legal_moves(&position.board, position.side, &mut moves);
    if let Some(found) = moves.iter().find(|mv| game.format_move(position, mv) == text) {
        return Ok(found.clone());
    }
    let listed: Vec<String> =
        moves.iter().take(LISTED_MOVES).map(|mv| game.format_move(position, mv)).collect();
    let reason = match moves.len() {
        0 => "there is no legal move in this position".to_string(),
        n if n > listed.len() => {
            format!("not a legal move; legal are {} and {} more", listed.join(" "), n - listed.len())
        }
        _ => format!("not a legal move; legal are {}", listed.join(" ")),
    };
    Err(Error::Move { text: text.to_string(), reason })
}

/// Text forms of positions on a rectangular board with one symbol per content: `ROWS SIDE`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridNotation {
    /// The board.
    pub(crate) grid: Grid,
    /// Symbol of each content, content 0 being an empty cell.
    pub(crate) symbols: &'static [char],
    /// Names of the sides, first mover first.
    pub(crate) sides: [&'static str; 2],
}

impl GridNotation {
    /// The form of a position, for error messages.
    pub(crate) fn form(&self) -> String {
        let pieces: Vec<String> = self.symbols.iter().skip(1).map(char::to_string).collect();
        format!(
            "{} rows of {} cells from the top, '/' between them, cells {} or numbers for runs of empty cells; a blank; \
             {}|{} to move",
            self.grid.height(),
            self.grid.width(),
            pieces.join(", "),
            self.sides[0],
            self.sides[1]
        )
    }

    /// Reads a position.
    pub(crate) fn parse(&self, text: &str) -> Result<Position> {
        self.parse_parts(text).map_err(|reason| Error::Position {
            text: text.to_string(),
            reason,
            form: self.form(),
        })
    }

    fn parse_parts(&self, text: &str) -> std::result::Result<Position, String> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [rows, side] = parts[..] else {
            return Err(
                "it is not two parts, the rows and the side to move, with a blank between them".into()
            );
        };
        let side = side_named(side, self.sides)
            .ok_or_else(|| format!("the side to move is not {} or {}", self.sides[0], self.sides[1]))?;
        Ok(Position { board: self.grid.parse_rows(rows, self.symbols)?, side })
    }

    /// Prints a position so that [`GridNotation::parse`] reads it back.
    pub(crate) fn format(&self, position: &Position) -> String {
        let rows = self.grid.format_rows(&position.board, self.symbols);
        format!("{rows} {}", self.sides[position.side.index()])
    }

    /// The board with labels, and who moves.
    pub(crate) fn draw(&self, position: &Position) -> String {
        let board = self.grid.draw(&position.board, self.symbols);
        format!("{board}{} to move\n", self.sides[position.side.index()])
    }

    /// One layer per cell of `cells`, labelled with its square and the symbols.
    pub(crate) fn layers(&self, cells: &[usize]) -> Vec<LayerInfo> {
        let letters: Vec<String> = self.symbols.iter().map(char::to_string).collect();
        let layer = |&cell: &usize| LayerInfo { label: self.grid.square(cell), letters: letters.clone() };
        cells.iter().map(layer).collect()
    }
}
