//! Notation of positions and moves: a position is written `.X.O P1`, and a move is its label, or the changed cells with their new
//! contents.

use nerode::games::explicit::apply;
use nerode::games::{Error, Move, Notation, Position, Result, Side};

use super::OwnGame;

impl OwnGame {
    fn parse(&self, text: &str) -> std::result::Result<Position, String> {
        let text = text.trim();
        let (cells, side) = text.rsplit_once(char::is_whitespace).ok_or("the side to move is missing")?;
        let known = Side::BOTH.into_iter().find(|known| known.to_string() == side);
        let side = known.ok_or_else(|| format!("'{side}' is not a side; expected P1 or P2"))?;
        let names: Vec<String> = if self.shape.is_text {
            cells.chars().filter(|c| !c.is_whitespace() && *c != '/').map(String::from).collect()
        } else {
            cells.split_whitespace().map(String::from).collect()
        };
        if names.len() != self.labels.len() {
            return Err(format!("it has {} cells, but the game has {}", names.len(), self.labels.len()));
        }
        let letter = |(cell, name): (usize, &String)| {
            let at = self.shape.names[cell].iter().position(|known| known == name);
            at.and_then(|at| u8::try_from(at).ok())
                .ok_or_else(|| format!("'{name}' cannot occur in cell {cell}"))
        };
        let board = names.iter().enumerate().map(letter).collect::<std::result::Result<_, String>>()?;
        Ok(Position { board, side })
    }

    /// Returns the names of the contents of cells, with `/` between the rows of a board.
    fn cells(&self, board: &[u8]) -> String {
        match self.width {
            Some(width) if self.shape.is_text => {
                let text: Vec<char> = self.shape.text(board).chars().collect();
                text.chunks(width).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
            }
            _ => self.shape.text(board),
        }
    }
}

impl Notation for OwnGame {
    fn position_form(&self) -> String {
        format!("the contents of the {} cells, then P1 or P2", self.labels.len())
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.parse(text).map_err(|reason| self.position_error(text, reason))
    }

    fn position_error(&self, text: &str, reason: String) -> Error {
        Error::Position { text: text.to_string(), reason, example: self.format_position(&self.start) }
    }

    fn format_position(&self, position: &Position) -> String {
        format!("{} {}", self.cells(&position.board), position.side)
    }

    fn draw(&self, position: &Position) -> String {
        let names: Vec<&str> = position
            .board
            .iter()
            .zip(&self.shape.names)
            .map(|(&at, names)| names[usize::from(at)].as_str())
            .collect();
        let rows: Vec<String> =
            names.chunks(self.width.unwrap_or(names.len()).max(1)).map(|row| row.join(" ")).collect();
        format!("{}\n{} to move\n", rows.join("\n"), position.side)
    }

    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let after = apply(&position.board, mv);
        let all = self.moves[position.side.index()].successors(&position.board);
        let label = all.iter().find(|(next, _)| *next == after).and_then(|(_, label)| label.as_ref());
        if let Some(label) = label {
            let is_alone = all.iter().filter(|(_, other)| other.as_ref() == Some(label)).count() == 1;
            if is_alone {
                return label.clone();
            }
        }
        let one = |cell: usize, after: u8| {
            format!("{}={}", self.labels[cell], self.shape.names[cell][usize::from(after)])
        };
        let changed: Vec<String> = mv.iter().map(|c| one(usize::from(c.cell), c.after)).collect();
        if changed.is_empty() { "-".into() } else { changed.join(",") }
    }
}
