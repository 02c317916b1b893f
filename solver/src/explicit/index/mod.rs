//! Position <-> index: a board read as a number in mixed radix.
//!
//! Cell 0 is the most significant digit, the last cell the least; the digit of a content is the game's choice
//! ([`ExplicitGame::digit`]). Invariant: with the digits of each cell a permutation (checked when the indexer is made),
//! boards and `0..num_positions` correspond one to one. The side to move is not part of the index.

use nerode_games::{ExplicitGame, Move};

use crate::error::{Error, Result};

/// Correspondence between the boards of a game and `0..num_positions`.
#[derive(Clone, Debug)]
pub struct Indexer {
    cells: Vec<Cell>,
    num_positions: u64,
}

/// What the index needs of one cell.
#[derive(Clone, Debug)]
struct Cell {
    /// Content of each digit.
    content: Vec<u8>,
    /// Digit of each content.
    digit: Vec<u8>,
    /// Digit of each content times the weight of the cell.
    share: Vec<u64>,
    weight: u64,
}

impl Indexer {
    /// The indexer of `game`, called `name` in errors.
    ///
    /// *Cost*: the sum of the cells' contents.
    ///
    /// # Errors
    /// [`Error::Rules`] when a cell has no content, more than 256, or digits that are no permutation;
    /// [`Error::TooLarge`] when the boards do not fit 63 bits.
    pub fn new<G: ExplicitGame + ?Sized>(game: &G, name: &str) -> Result<Self> {
        let mut digits = Vec::new();
        for (cell, &k) in game.cell_states().iter().enumerate() {
            if k == 0 || k > 256 {
                return Err(rules(name, format!("cell {cell} has {k} contents, 1 to 256 allowed")));
            }
            let contents = (0..=u8::MAX).take(usize::from(k));
            digits.push(contents.map(|content| game.digit(cell, content)).collect());
        }
        Self::from_digits(&digits, name)
    }

    /// The indexer of boards whose cells have the given digits: `digits[cell][content]`, as [`Indexer::digits`] gives
    /// them. `name` is the game's name in errors.
    ///
    /// # Errors
    /// As for [`Indexer::new`].
    pub fn from_digits(digits: &[Vec<u8>], name: &str) -> Result<Self> {
        let mut cells = Vec::with_capacity(digits.len());
        let mut num_positions: i64 = 1;
        for (cell, digit) in digits.iter().enumerate().rev() {
            let made = Cell::new(digit, num_positions.unsigned_abs());
            cells.push(made.ok_or_else(|| {
                rules(name, format!("the digits of cell {cell} are no permutation of 0..{}", digit.len()))
            })?);
            let k = i64::try_from(digit.len()).map_err(|_| too_large(name))?;
            num_positions = num_positions.checked_mul(k).ok_or_else(|| too_large(name))?;
        }
        cells.reverse();
        Ok(Self { cells, num_positions: num_positions.unsigned_abs() })
    }

    /// Number of boards: the product of the cells' contents.
    pub fn num_positions(&self) -> u64 {
        self.num_positions
    }

    /// Number of cells of a board.
    pub fn num_cells(&self) -> usize {
        self.cells.len()
    }

    /// Number of contents of each cell.
    pub fn cell_states(&self) -> Vec<u16> {
        // A cell has at most 256 contents, checked when the indexer was made.
        self.cells.iter().map(|c| u16::try_from(c.digit.len()).unwrap_or(u16::MAX)).collect()
    }

    /// Digit of each content, cell by cell.
    pub fn digits(&self) -> Vec<Vec<u8>> {
        self.cells.iter().map(|c| c.digit.clone()).collect()
    }

    /// Index of `board`; `None` when it is not a board of this game.
    pub fn index_of(&self, board: &[u8]) -> Option<u64> {
        if board.len() != self.cells.len() {
            return None;
        }
        self.cells.iter().zip(board).map(|(cell, &content)| cell.share.get(usize::from(content))).sum()
    }

    /// Board of an index; `None` past the last one.
    pub fn board_of(&self, index: u64) -> Option<Vec<u8>> {
        self.cursor(index).map(|cursor| cursor.board)
    }

    /// A cursor on the board of `index`; `None` past the last one.
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

    /// Index after `mv` on `board`, which has the given index: the index plus, per rewritten cell, (digit after - digit
    /// before) times weight.
    ///
    /// # Errors
    /// What is wrong with the move: a cell or content that does not exist, a content rewritten to itself, or a cell
    /// rewritten twice.
    pub fn successor(&self, board: &[u8], index: u64, mv: &Move) -> std::result::Result<u64, &'static str> {
        let mut next = index;
        for (i, change) in mv.iter().enumerate() {
            let place = usize::from(change.cell);
            let (Some(cell), Some(&before)) = (self.cells.get(place), board.get(place)) else {
                return Err("it rewrites a cell outside the board");
            };
            if change.after == before {
                return Err("it rewrites a cell to what it holds already");
            }
            if mv[..i].iter().any(|earlier| earlier.cell == change.cell) {
                return Err("it rewrites a cell twice");
            }
            let (Some(&added), Some(&removed)) =
                (cell.share.get(usize::from(change.after)), cell.share.get(usize::from(before)))
            else {
                return Err("it writes a content that the cell cannot hold");
            };
            next = next.wrapping_add(added).wrapping_sub(removed);
        }
        Ok(next)
    }
}

/// A board that walks through the indices upwards, one digit at a time.
#[derive(Clone, Debug)]
pub struct Cursor {
    index: u64,
    digits: Vec<u8>,
    board: Vec<u8>,
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

impl Cell {
    /// `None` when `digit` is no permutation, or of no contents at all.
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
        // Below the number of positions unless that is above 63 bits, which the caller refuses.
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
