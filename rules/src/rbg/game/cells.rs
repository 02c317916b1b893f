//! Converts positions between two forms: the contents of cells, and pieces on squares with values of variables.

use super::super::book::Rulebook;
use super::super::compile::{LETTERS, Part, Plan, digit};

/// The cells of a game and the meaning of their contents.
#[derive(Debug)]
pub(super) struct Cells {
    /// The part of a position that each cell represents.
    pub(super) parts: Vec<Part>,
    /// The possible contents, by cell and letter.
    pub(super) contents: Vec<Vec<u32>>,
    /// For each square and then each variable: its cell, or its constant content.
    places: Vec<Result<usize, u32>>,
    num_squares: usize,
    /// The cells of the digits of the status, the lowest first.
    status: Vec<usize>,
}

impl Cells {
    pub(super) fn new(book: &Rulebook, plan: &Plan) -> Self {
        let parts: Vec<Part> = plan.parts().into_iter().map(|(part, _)| part).collect();
        let contents = parts.iter().map(|&part| plan.contents(part)).collect();
        let num_squares = book.board().squares.len();
        let squares = (0..num_squares).map(Part::Square);
        let place = |part: Part| {
            let always = plan.contents(part).first().copied().unwrap_or_default();
            parts.iter().position(|&known| known == part).ok_or(always)
        };
        let places = squares.chain((0..book.variables().len()).map(Part::Variable)).map(place).collect();
        let place = |digit| parts.iter().position(|&part| part == Part::Status(digit));
        let status = (0..2).map_while(place).collect();
        Self { parts, contents, places, num_squares, status }
    }

    /// Returns the cell of a square or a variable, unless its content is constant.
    pub(super) fn cell(&self, part: Part) -> Option<usize> {
        match part {
            Part::Status(digit) => self.status.get(digit).copied(),
            Part::Square(square) => self.places[square].ok(),
            Part::Variable(variable) => self.places[self.num_squares + variable].ok(),
        }
    }

    /// Returns the contents of all squares, followed by those of all variables.
    pub(super) fn values(&self, board: &[u8]) -> Vec<u32> {
        (0..self.places.len()).map(|place| self.held_at(place, board)).collect()
    }

    fn held_at(&self, place: usize, board: &[u8]) -> u32 {
        match self.places[place] {
            Ok(cell) => self.contents[cell][usize::from(board[cell])],
            Err(always) => always,
        }
    }

    /// Returns the piece on every square.
    pub(super) fn pieces(&self, board: &[u8]) -> Vec<u8> {
        (0..self.num_squares).map(|square| self.held_at(square, board) as u8).collect()
    }

    /// Returns the values of all variables.
    pub(super) fn variables(&self, board: &[u8]) -> Vec<u32> {
        (self.num_squares..self.places.len()).map(|place| self.held_at(place, board)).collect()
    }

    /// Returns the letter of the status.
    pub(super) fn status(&self, board: &[u8]) -> usize {
        self.status.iter().rev().fold(0, |letter, &cell| LETTERS * letter + usize::from(board[cell]))
    }

    /// Writes the letter of the status.
    pub(super) fn set_status(&self, board: &mut [u8], letter: usize) {
        for (place, &cell) in self.status.iter().enumerate() {
            board[cell] = digit(letter, place);
        }
    }

    /// Returns the number of letters of the status that cells can hold.
    pub(super) fn num_letters(&self) -> usize {
        self.status.iter().map(|&cell| self.contents[cell].len()).product()
    }

    /// Returns the contents of cells, or `None` if a cell cannot have the required content.
    pub(super) fn board(&self, pieces: &[u8], variables: &[u32], status: usize) -> Option<Vec<u8>> {
        let mut board = vec![0; self.parts.len()];
        self.set_status(&mut board, status);
        let held = pieces.iter().map(|&piece| u32::from(piece)).chain(variables.iter().copied());
        for (place, held) in self.places.iter().zip(held) {
            match place {
                Ok(cell) => {
                    board[*cell] = self.contents[*cell].iter().position(|&known| known == held)? as u8;
                }
                Err(always) if *always == held => {}
                Err(_) => return None,
            }
        }
        Some(board)
    }
}
