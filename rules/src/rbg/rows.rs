//! Placement notation: the pieces on a board as rows of symbols.

use std::borrow::Cow;

use super::board::Board;
use super::book::Rulebook;
use super::names::{rows, squares, symbols};
use nerode_games::{content_of, counted};

/// The placement notation of a board.
pub(super) struct Placement<'a> {
    pub(super) board: &'a Board,
    /// The symbols by piece.
    pub(super) symbols: Cow<'a, [char]>,
}

/// How boards are printed and read.
impl Rulebook {
    /// Returns the names of the squares: file and rank on rectangles and hexagons, otherwise the names in the file.
    pub fn square_names(&self) -> Vec<String> {
        squares(self.board())
    }

    /// Describes the text of the pieces on all squares.
    pub fn placement_form(&self) -> String {
        Placement::new(self).form(self)
    }

    /// Returns the text of the pieces on all squares: rows of symbols from the top, separated by '/'.
    pub fn placement(&self, pieces: &[u8]) -> String {
        Placement::new(self).text(pieces)
    }

    /// Parses the pieces on all squares.
    ///
    /// # Errors
    /// Returns what is wrong with the text.
    pub fn parse_placement(&self, text: &str) -> Result<Vec<u8>, String> {
        Placement::new(self).pieces(text)
    }
}

impl<'a> Placement<'a> {
    /// Creates the notation of a game with the given rules.
    pub(super) fn new(book: &'a Rulebook) -> Self {
        Self { board: book.board(), symbols: Cow::Owned(symbols(book)) }
    }

    /// Describes the notation of boards.
    pub(super) fn form(&self, book: &Rulebook) -> String {
        let symbol = |(piece, &symbol): (&String, &char)| match symbol.to_string() {
            symbol if symbol == *piece => symbol,
            symbol => format!("{symbol} for {piece}"),
        };
        let symbols: Vec<String> = book.pieces().iter().zip(&*self.symbols).map(symbol).collect();
        let rows = rows(self.board);
        let order = match rows.len() {
            1 => {
                let names = squares(self.board);
                let names: Vec<&str> =
                    rows.iter().flatten().flatten().map(|&square| names[square].as_str()).collect();
                format!("one symbol per square, in the order {}", names.join(" "))
            }
            rows => format!("{rows} rows of symbols from the top, separated by '/'"),
        };
        format!("{order}, with {}, and numbers for runs of empty squares", symbols.join(", "))
    }

    /// Returns the text of the pieces on all squares, which [`Placement::pieces`] parses.
    pub(super) fn text(&self, pieces: &[u8]) -> String {
        let row = |row: Vec<Option<usize>>| -> String {
            row.into_iter().flatten().map(|square| self.symbols[usize::from(pieces[square])]).collect()
        };
        rows(self.board).into_iter().map(row).collect::<Vec<String>>().join("/")
    }

    /// Parses the piece on every square from rows of symbols separated by '/'.
    pub(super) fn pieces(&self, text: &str) -> Result<Vec<u8>, String> {
        let board = self.board;
        let (rows, given) = (rows(board), text.split('/').collect::<Vec<&str>>());
        if given.len() != rows.len() {
            let expected = counted(rows.len(), "row");
            return Err(format!("expected {expected} separated by '/', found {}", given.len()));
        }
        let mut pieces = vec![0; board.squares.len()];
        for (above, (row, text)) in rows.iter().zip(given).enumerate() {
            let found = self
                .read_row(text)
                .map_err(|why| format!("row {} from the top, '{text}': {why}", above + 1))?;
            let squares: Vec<usize> = row.iter().flatten().copied().collect();
            if found.len() != squares.len() {
                let given = counted(found.len(), "square");
                return Err(format!(
                    "row {} from the top, '{text}': {given} instead of {}",
                    above + 1,
                    squares.len()
                ));
            }
            for (square, piece) in squares.into_iter().zip(found) {
                pieces[square] = piece;
            }
        }
        Ok(pieces)
    }

    fn read_row(&self, text: &str) -> Result<Vec<u8>, String> {
        let vacant = self.symbols.iter().position(|&symbol| symbol == '.');
        let (mut found, mut run) = (Vec::new(), 0_usize);
        for symbol in text.chars() {
            if let (Some(digit), Some(_)) = (symbol.to_digit(10), vacant) {
                run = (10 * run + digit as usize).min(self.symbols.len() + self.board.squares.len());
                continue;
            }
            let piece = content_of(symbol, &self.symbols).ok_or_else(|| {
                let known: Vec<String> = self.symbols.iter().map(char::to_string).collect();
                format!("unexpected '{symbol}'; expected one of {}", known.join(" "))
            })?;
            found.extend(vec![vacant.unwrap_or_default() as u8; std::mem::take(&mut run)]);
            found.push(piece as u8);
        }
        found.extend(vec![vacant.unwrap_or_default() as u8; run]);
        Ok(found)
    }
}
