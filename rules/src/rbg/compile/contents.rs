//! The possible contents of each cell of a position. The cells are the squares of the board, followed by the variables.

use std::collections::BTreeSet;

use super::super::book::Rulebook;

/// The possible contents by cell: pieces by index, or numbers.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    of: Vec<BTreeSet<u32>>,
    num_squares: usize,
    grew: bool,
}

impl Contents {
    /// Creates the contents of cells at the start.
    pub(super) fn new(book: &Rulebook) -> Self {
        let squares = &book.board().squares;
        let pieces = squares.iter().map(|square| BTreeSet::from([square.piece as u32]));
        let given = |variable: usize| book.first.as_ref().map_or(0, |first| first.registers[variable]);
        let numbers = (0..book.variables().len()).map(|variable| BTreeSet::from([given(variable)]));
        Self { of: pieces.chain(numbers).collect(), num_squares: squares.len(), grew: false }
    }

    pub(super) fn num_squares(&self) -> usize {
        self.num_squares
    }

    pub(super) fn num_cells(&self) -> usize {
        self.of.len()
    }

    /// Returns the cell of a variable.
    pub(super) fn variable(&self, index: usize) -> usize {
        self.num_squares + index
    }

    /// Returns the possible contents of a cell in ascending order.
    pub(super) fn of(&self, cell: usize) -> impl Iterator<Item = u32> + Clone + '_ {
        self.of[cell].iter().copied()
    }

    pub(super) fn number_of(&self, cell: usize) -> usize {
        self.of[cell].len()
    }

    /// Adds a possible content to a cell.
    pub(super) fn add(&mut self, cell: usize, content: u32) {
        self.grew |= self.of[cell].insert(content);
    }

    /// Returns the number of cells with more than one possible content.
    pub(super) fn num_changing(&self) -> usize {
        self.of.iter().filter(|held| held.len() > 1).count()
    }

    /// Returns `true` if a content was added since the last call.
    pub(super) fn take_grew(&mut self) -> bool {
        std::mem::take(&mut self.grew)
    }
}
