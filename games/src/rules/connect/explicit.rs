//! Connect Four on one board: heights of columns, and the stones of a side as bits that are shifted over themselves.

use super::{Connect, EMPTY, Encoding};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::side::{Side, Value};

/// The stones on a board. `of`: a bit for each stone of a side, column by column, with a free bit above each column. `drops`:
/// the row where a stone dropped into a column comes to rest.
struct Stones {
    of: [u128; 2],
    drops: Vec<usize>,
}

impl Connect {
    /// The stones on a board. `None` if no game leads there with `side` to move: a stone floats, a column has no marker, or
    /// the numbers of stones do not fit.
    fn stones(&self, board: &[u8], side: Side) -> Option<Stones> {
        let (width, height) = (self.options.squares.width(), self.options.squares.height());
        let mut stones = Stones { of: [0; 2], drops: vec![0; width] };
        for (file, drop) in stones.drops.iter_mut().enumerate() {
            let content = |level: usize| board[self.options.cell(file, level)];
            let top = match self.options.encoding {
                Encoding::Cells => {
                    (0..height).rev().find(|&rank| content(rank) != EMPTY).map_or(0, |rank| rank + 1)
                }
                Encoding::Columns => (0..=height).rev().find(|&level| content(level) == 1)?,
            };
            for rank in 0..top {
                let owner = match (self.options.encoding, content(rank)) {
                    (Encoding::Cells, 0) => return None,
                    (Encoding::Cells, content) => usize::from(content - 1),
                    (Encoding::Columns, bit) => usize::from(bit),
                };
                stones.of[owner] |= 1 << (file * (height + 1) + rank);
            }
            *drop = top;
        }
        let [first, second] = stones.of.map(u128::count_ones);
        (first == second + u32::from(side == Side::P2)).then_some(stones)
    }

    /// Whether `set` has a row: some bit survives when the set is intersected with itself, shifted by one square, one time
    /// less than the row is long.
    fn has_row(&self, set: u128) -> bool {
        let height = self.options.squares.height();
        [1, height, height + 1, height + 2].into_iter().any(|stride| {
            let mut left = set;
            for _ in 1..self.options.row {
                left &= left.checked_shr(stride as u32).unwrap_or(0);
            }
            left != 0
        })
    }
}

impl ExplicitGame for Connect {
    fn cell_states(&self) -> &[u16] {
        &self.cell_states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let mut board = vec![0; self.cell_states.len()];
        if self.options.encoding == Encoding::Columns {
            for file in 0..self.options.squares.width() {
                board[self.options.cell(file, 0)] = 1;
            }
        }
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let Some(stones) = self.stones(board, side) else { return Some(Value::Draw) };
        if self.has_row(stones.of[side.other().index()]) {
            return Some(Value::Loss);
        }
        let full = stones.drops.iter().all(|&rank| rank == self.options.squares.height());
        full.then_some(Value::Draw)
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let Some(stones) = self.stones(board, side) else { return };
        if self.has_row(stones.of[side.other().index()]) {
            return;
        }
        let height = self.options.squares.height();
        for (file, &rank) in stones.drops.iter().enumerate().filter(|(_, rank)| **rank < height) {
            let change = |level, after| CellChange { cell: self.options.cell(file, level) as u16, after };
            out.push(match (self.options.encoding, side) {
                (Encoding::Cells, _) => Move::from_slice(&[change(rank, side.index() as u8 + 1)]),
                (Encoding::Columns, Side::P1) => Move::from_slice(&[change(rank, 0), change(rank + 1, 1)]),
                (Encoding::Columns, Side::P2) => Move::from_slice(&[change(rank + 1, 1)]),
            });
        }
    }

    /// More stones give lower digits, and a marker comes before the bits below it.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        match self.options.encoding {
            Encoding::Cells => 2 - content,
            Encoding::Columns => 1 - content,
        }
    }

    fn moves_lower_index(&self) -> bool {
        true
    }
}
