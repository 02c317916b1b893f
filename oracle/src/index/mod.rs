//! Conversion between boards and indices: a board is read as a mixed-radix number.
//!
//! Cell 0 is the most significant digit and the last cell the least significant one. The game determines the digit of
//! each content ([`ExplicitGame::digit`]). Invariant: the digits of each cell form a permutation (checked when the
//! indexer is created), so boards and `0..num_positions` correspond one to one. The side to move is not part of the
//! index.

use nerode_games::{ExplicitGame, Move};

use crate::error::{Error, Result};

/// A one-to-one correspondence between the boards of a game and `0..num_positions`.
#[derive(Clone, Debug)]
pub struct Indexer {
    cells: Vec<Cell>,
    num_positions: u64,
}

/// The properties of a cell that the index needs.
#[derive(Clone, Debug)]
struct Cell {
    /// The content of each digit.
    content: Vec<u8>,
    /// The digit of each content.
    digit: Vec<u8>,
    /// The digit of each content, multiplied by the weight of the cell.
    share: Vec<u64>,
    weight: u64,
}

impl Indexer {
    /// Creates the indexer of `game`, which is called `name` in errors.
    ///
    /// *Cost*: linear in the total number of contents of all cells.
    ///
    /// # Errors
    /// Returns [`Error::Rules`] if a cell has no contents, more than 256, or digits that are not a permutation; or
    /// [`Error::TooLarge`] if the number of boards does not fit into 63 bits.
    pub fn new<G: ExplicitGame + ?Sized>(game: &G, name: &str) -> Result<Self> {
        let mut digits = Vec::new();
        for (cell, &k) in game.cell_states().iter().enumerate() {
            if k == 0 || k > 256 {
                return Err(rules(
                    name,
                    format!("cell {cell} has {k} contents, but must have between 1 and 256"),
                ));
            }
            let contents = (0..=u8::MAX).take(usize::from(k));
            digits.push(contents.map(|content| game.digit(cell, content)).collect());
        }
        Self::from_digits(&digits, name)
    }

    /// Creates the indexer of boards whose cells have the given digits: `digits[cell][content]`, as returned by
    /// [`Indexer::digits`]. `name` is the name of the game in errors.
    ///
    /// # Errors
    /// Returns the same errors as [`Indexer::new`].
    pub fn from_digits(digits: &[Vec<u8>], name: &str) -> Result<Self> {
        let mut cells = Vec::with_capacity(digits.len());
        let mut num_positions: i64 = 1;
        for (cell, digit) in digits.iter().enumerate().rev() {
            let made = Cell::new(digit, num_positions.unsigned_abs());
            cells.push(made.ok_or_else(|| {
                rules(name, format!("the digits of cell {cell} are not a permutation of 0..{}", digit.len()))
            })?);
            let k = i64::try_from(digit.len()).map_err(|_| too_large(name))?;
            num_positions = num_positions.checked_mul(k).ok_or_else(|| too_large(name))?;
        }
        cells.reverse();
        Ok(Self { cells, num_positions: num_positions.unsigned_abs() })
    }

    /// Returns the number of boards, which is the product of the numbers of contents of the cells.
    pub fn num_positions(&self) -> u64 {
        self.num_positions
    }

    /// Returns the number of cells of a board.
    pub fn num_cells(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of possible contents of each cell.
    pub fn cell_states(&self) -> Vec<u16> {
        // A cell has at most 256 contents, which was checked when the indexer was created.
        self.cells.iter().map(|c| u16::try_from(c.digit.len()).unwrap_or(u16::MAX)).collect()
    }

    /// Returns the digit of each content, cell by cell.
    pub fn digits(&self) -> Vec<Vec<u8>> {
        self.cells.iter().map(|c| c.digit.clone()).collect()
    }

    /// Returns the index of `board`, or `None` if it is not a board of this game.
    pub fn index_of(&self, board: &[u8]) -> Option<u64> {
        if board.len() != self.cells.len() {
            return None;
        }
        self.cells.iter().zip(board).map(|(cell, &content)| cell.share.get(usize::from(content))).sum()
    }

    /// Returns the board of an index, or `None` if the index is out of range.
    pub fn board_of(&self, index: u64) -> Option<Vec<u8>> {
        self.cursor(index).map(|cursor| cursor.board)
    }

    /// Returns a cursor at the board of `index`, or `None` if the index is out of range.
    pub fn cursor(&self, index: u64) -> Option<Cursor> {
        if index >= self.num_positions {
            return None;
        }
        let digits: Vec<u8> = self
            .cells
            .iter()
            .map(|c| u8::try_from((index / c.weight) % c.digit.len() as u64).unwrap_or(u8::MAX))
            .collect();
        let board = self.cells.iter().zip(&digits).map(|(c, &d)| c.content[usize::from(d)]).collect();
        Some(Cursor { index, digits, board })
    }

    /// Returns the index after `mv` on `board`, which has the given index. It is the sum of the index and, for each
    /// rewritten cell, (digit after - digit before) times the weight of the cell.
    ///
    /// # Errors
    /// Returns a description of an invalid move: one that uses a cell or content that does not exist, rewrites a
    /// content to itself, or rewrites a cell twice.
    pub fn successor(&self, board: &[u8], index: u64, mv: &Move) -> std::result::Result<u64, &'static str> {
        let mut next = index;
        for (i, change) in mv.iter().enumerate() {
            let place = usize::from(change.cell);
            let (Some(cell), Some(&before)) = (self.cells.get(place), board.get(place)) else {
                return Err("it rewrites a cell outside the board");
            };
            if change.after == before {
                return Err("it does not change the contents of a cell");
            }
            if mv[..i].iter().any(|earlier| earlier.cell == change.cell) {
                return Err("it rewrites a cell twice");
            }
            let (Some(&added), Some(&removed)) =
                (cell.share.get(usize::from(change.after)), cell.share.get(usize::from(before)))
            else {
                return Err("it writes contents that the cell cannot hold");
            };
            next = next.wrapping_add(added).wrapping_sub(removed);
        }
        Ok(next)
    }
}

/// A board that steps through the indices in ascending order, one digit at a time.
#[derive(Clone, Debug)]
pub struct Cursor {
    index: u64,
    digits: Vec<u8>,
    board: Vec<u8>,
}

impl Cursor {
    /// Returns the index of the current board.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns the current board.
    pub fn board(&self) -> &[u8] {
        &self.board
    }

    /// Advances to the next index, or from the last one to 0.
    ///
    /// *Cost*: constant on average, because carries are rare.
    ///
    /// # Panics
    /// Panics if `indexer` is not the one that created the cursor.
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

impl Cell {
    /// Returns `None` if `digit` is not a permutation or is empty.
    fn new(digit: &[u8], weight: u64) -> Option<Self> {
        if digit.is_empty() || digit.len() > 256 {
            return None;
        }
        let mut content: Vec<Option<u8>> = vec![None; digit.len()];
        for (value, &d) in (0..=u8::MAX).zip(digit) {
            let slot = content.get_mut(usize::from(d))?;
            if slot.replace(value).is_some() {
                return None;
            }
        }
        // The product is below the number of positions unless that exceeds 63 bits, which the caller rejects.
        let share = digit.iter().map(|&d| u64::from(d).saturating_mul(weight)).collect();
        Some(Self { content: content.into_iter().flatten().collect(), digit: digit.to_vec(), share, weight })
    }
}

fn rules(name: &str, reason: String) -> Error {
    Error::Rules { game: name.to_string(), reason }
}

fn too_large(name: &str) -> Error {
    Error::TooLarge {
        what: format!("a table of all positions of {name}, which has 2^63 boards or more,"),
        needed_bytes: 1 << 65,
        limit_bytes: u64::MAX,
    }
}

#[cfg(test)]
mod tests;
