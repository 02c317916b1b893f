//! Connect Four boards as text: rows of squares, in both encodings.

use super::{Connect, EMPTY, Encoding, Options};
use crate::error::{Error, Result};
use crate::explicit::Move;
use crate::game::{Notation, Position, find_move};
use crate::grid::{Grid, letters_of};
use crate::layer::LayerInfo;
use crate::notation::GridNotation;
use crate::picture::{Figure, Look, Picture};
use crate::side::Side;
use crate::spec::digits;

/// The content of the squares of a column without a marker.
const NO_MARKER: u8 = 3;

/// The figures of stones in pictures.
const LOOKS: [Figure; 2] = [Figure::of(Look::Disc, Side::P1, true), Figure::of(Look::Disc, Side::P2, false)];

impl Options {
    fn notation(&self) -> GridNotation {
        let symbols: &[char] = match self.encoding {
            Encoding::Cells => &['.', 'X', 'O'],
            Encoding::Columns => &['.', 'X', 'O', '?'],
        };
        GridNotation { grid: self.squares, symbols, sides: ["X", "O"] }
    }

    /// Returns the contents of the squares of a board.
    fn to_squares(self, board: &[u8]) -> Vec<u8> {
        if self.encoding == Encoding::Cells {
            return board.to_vec();
        }
        let (width, height) = (self.squares.width(), self.squares.height());
        let mut squares = vec![EMPTY; self.squares.num_cells()];
        for file in 0..width {
            let bit = |level: usize| board.get(self.cell(file, level)).copied().unwrap_or(0);
            let marker = (0..=height).rev().find(|&level| bit(level) == 1);
            for rank in 0..marker.unwrap_or(height) {
                squares[self.squares.cell(file, rank)] = marker.map_or(NO_MARKER, |_| bit(rank) + 1);
            }
        }
        squares
    }

    /// Returns the board with these squares, or the reason why there is none.
    fn board_with(self, squares: &[u8]) -> std::result::Result<Vec<u8>, String> {
        if self.encoding == Encoding::Cells {
            return Ok(squares.to_vec());
        }
        let (width, height) = (self.squares.width(), self.squares.height());
        let mut board = vec![0; width * self.levels()];
        for file in 0..width {
            let column: Vec<u8> = (0..height).map(|rank| squares[self.squares.cell(file, rank)]).collect();
            if column.iter().all(|&content| content == NO_MARKER) {
                continue;
            }
            let wrong = |what: &str| {
                format!("column {}: {what}, which encoding=columns cannot represent", letters_of(file))
            };
            if column.contains(&NO_MARKER) {
                return Err(wrong("some but not all of its cells are '?'"));
            }
            let top = column.iter().take_while(|&&content| content != EMPTY).count();
            if column[top..].iter().any(|&content| content != EMPTY) {
                return Err(wrong("a stone above an empty cell"));
            }
            for (rank, content) in column[..top].iter().enumerate() {
                board[self.cell(file, rank)] = content - 1;
            }
            board[self.cell(file, top)] = 1;
        }
        Ok(board)
    }
}

impl Connect {
    fn shown(&self, position: &Position) -> Position {
        Position { board: self.options.to_squares(&position.board), side: position.side }
    }

    /// Returns the labels of the layers, which are squares or levels of the columns.
    pub(super) fn layer_infos(&self) -> Vec<LayerInfo> {
        let (squares, cells) = (self.options.squares, self.layout.cells());
        if self.options.encoding == Encoding::Cells {
            return self.options.notation().layers(cells);
        }
        let bits = Grid::new(squares.width(), self.options.levels());
        let turned = |&cell: &usize| bits.cell(bits.file(cell), squares.height() - bits.rank(cell));
        let layer = |cell| LayerInfo {
            label: bits.square(turned(cell)),
            letters: ["0", "1"].map(String::from).into(),
        };
        cells.iter().map(layer).collect()
    }
}

impl Notation for Connect {
    fn position_form(&self) -> String {
        self.options.notation().form()
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        let read = self.options.notation().parse(text).and_then(|Position { board, side }| {
            Ok(Position { board: self.options.board_with(&board)?, side })
        });
        read.map_err(|reason| self.position_error(text, reason))
    }

    fn format_position(&self, position: &Position) -> String {
        self.options.notation().format(&self.shown(position))
    }

    fn draw(&self, position: &Position) -> String {
        self.options.notation().draw(&self.shown(position))
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.options.notation().picture(&self.shown(position).board, &LOOKS))
    }

    /// Draws the columns upright. With markers, there is one more row than there are rows of squares.
    fn draw_texts(&self, texts: &[String]) -> String {
        let (width, levels) = (self.options.squares.width(), self.options.levels());
        let grid = Grid::new(width, levels);
        let mut standing = vec![String::new(); grid.num_cells()];
        for file in 0..width {
            for level in 0..levels {
                let text = texts.get(self.options.cell(file, level)).cloned();
                standing[grid.cell(file, level)] = text.unwrap_or_default();
            }
        }
        grid.draw_texts(&standing)
    }

    /// Returns the column into which the stone is dropped, such as `d`.
    fn format_move(&self, _position: &Position, mv: &Move) -> String {
        let file = mv.first().map_or(0, |change| usize::from(change.cell) % self.options.squares.width());
        letters_of(file)
    }

    /// Reads a column as its letter or as its number, counted from 1.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        let numbered = digits(text.trim()).filter(|file| (1..=self.options.squares.width()).contains(file));
        let named = numbered.map(|file| letters_of(file - 1));
        find_move(self, position, named.as_deref().unwrap_or(text)).map_err(|error| match error {
            Error::Move { reason, .. } => Error::Move { text: text.trim().to_string(), reason },
            other => other,
        })
    }
}
