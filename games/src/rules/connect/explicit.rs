//! Connect Four on a single board: the heights of columns, and the stones of a side as bits that are shifted and intersected.

use smallvec::{SmallVec, smallvec};

use super::{Connect, Encoding};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::grid::letters_of;
use crate::notation::out_of_turn;
use crate::side::{Side, Value};

/// The stones on a board. `of` contains one bit for each stone of a side, column by column, with a free bit above each
/// column. `drops` contains the row where a stone dropped into a column comes to rest.
struct Stones {
    of: [u128; 2],
    drops: SmallVec<[usize; 8]>,
}

/// A reason why a board cannot occur in play.
enum Misfit {
    /// There is a stone above an empty cell of this column.
    Floats(usize),
    /// This column has no marker.
    NoMarker(usize),
    /// The numbers of stones do not fit the side to move.
    Numbers([usize; 2]),
}

/// Returns the stones of both sides in a column, the lowest one as the lowest bit, or `None` if one floats.
fn by_cells(board: &[u8], width: usize, file: usize) -> Option<[u64; 2]> {
    let mut of = [0; 2];
    // Without branches, because the heights of columns are hard to predict.
    for (rank, row) in board.chunks_exact(width).enumerate() {
        of[0] |= u64::from(row[file] & 1) << rank;
        of[1] |= u64::from(row[file] >> 1) << rank;
    }
    let all: u64 = of[0] | of[1];
    (all & all.wrapping_add(1) == 0).then_some(of)
}

/// Returns the same from the bits of a column, the highest of which is in the first row, or `None` if it lacks a marker.
fn by_bits(board: &[u8], width: usize, file: usize) -> Option<[u64; 2]> {
    let bits = board.chunks_exact(width).fold(0, |bits, row| bits << 1 | u128::from(row[file]));
    let below = (1 << bits.checked_ilog2()?) - 1;
    Some([!bits & below, bits & below].map(|of| of as u64))
}

impl Connect {
    /// Returns the stones on a board, or the reason why it cannot occur in play with `side` to move.
    fn stones(&self, board: &[u8], side: Side) -> Result<Stones, Misfit> {
        let (width, height) = (self.options.squares.width(), self.options.squares.height());
        let mut stones = Stones { of: [0; 2], drops: smallvec![0; width] };
        for (file, drop) in stones.drops.iter_mut().enumerate() {
            let column = match self.options.encoding {
                Encoding::Cells => by_cells(board, width, file).ok_or(Misfit::Floats(file))?,
                Encoding::Columns => by_bits(board, width, file).ok_or(Misfit::NoMarker(file))?,
            };
            for (of, bits) in stones.of.iter_mut().zip(column) {
                *of |= u128::from(bits) << (file * (height + 1));
            }
            *drop = (column[0] | column[1]).count_ones() as usize;
        }
        let [first, second] = stones.of.map(|of| of.count_ones() as usize);
        if first == second + side.index() { Ok(stones) } else { Err(Misfit::Numbers([first, second])) }
    }

    /// Returns `true` if `set` contains a line: some bit survives repeated intersection with the set shifted by one
    /// square, one time less than the line is long.
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
        let Ok(stones) = self.stones(board, side) else { return Some(Value::Draw) };
        if self.has_row(stones.of[side.other().index()]) {
            return Some(Value::Loss);
        }
        let full = stones.drops.iter().all(|&rank| rank == self.options.squares.height());
        full.then_some(Value::Draw)
    }

    fn never_ends_won(&self) -> bool {
        true
    }

    /// Returns the number of stones.
    fn plies_played(&self, board: &[u8]) -> Option<u32> {
        let stones = Side::BOTH.into_iter().find_map(|side| self.stones(board, side).ok());
        Some(stones.map_or(0, |stones| stones.of.iter().map(|of| of.count_ones()).sum()))
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let Ok(stones) = self.stones(board, side) else { return };
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

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let names = ["X", "O"];
        match self.stones(board, side) {
            Err(Misfit::Floats(file)) => {
                Some(format!("a disc floats above an empty cell of column {}", letters_of(file)))
            }
            Err(Misfit::NoMarker(file)) => Some(format!("column {} has no marker", letters_of(file))),
            Err(Misfit::Numbers(counts)) => out_of_turn("disc", names, counts, side),
            Ok(stones) => self.has_row(stones.of[side.index()]).then(|| {
                let own = names[side.index()];
                format!("{own} is to move and has {} in a row: the game was already over", self.options.row)
            }),
        }
    }

    /// Gives lower digits to stones than to empty cells. A marker comes before the bits below it.
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
