//! Boards one after the other in the order of their indices.

use super::Indexer;

/// A board that walks through the indices upwards, one digit at a time.
#[derive(Clone, Debug)]
pub struct Cursor {
    pub(super) index: u64,
    pub(super) digits: Vec<u8>,
    pub(super) board: Vec<u8>,
}

impl Cursor {
    /// Index of the board it stands on.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The board it stands on.
    pub fn board(&self) -> &[u8] {
        &self.board
    }

    /// Goes to the next index, from the last one to 0.
    ///
    /// *Cost*: constant on average (a carry is as rare as in counting).
    ///
    /// # Panics
    /// When `indexer` is not the one that made the cursor.
    pub fn step(&mut self, indexer: &Indexer) {
        self.index += 1;
        for (place, cell) in indexer.cells.iter().enumerate().rev() {
            let digit = usize::from(self.digits[place]) + 1;
            if let Some(&content) = cell.content.get(digit) {
                self.digits[place] += 1;
                self.board[place] = content;
                return;
            }
            self.digits[place] = 0;
            self.board[place] = cell.content[0];
        }
        self.index = 0;
    }
}
