//! Tic-tac-toe on a single board, with the marks of a side as bits that are shifted and intersected.

use super::{EMPTY, TicTacToe, mark};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::notation::out_of_turn;
use crate::side::{Side, Value};

impl TicTacToe {
    /// Returns the cells of `side` and of its opponent as sets of bits.
    fn bit_sets(&self, board: &[u8], side: Side) -> (u64, u64) {
        let own = mark(side);
        let (mut mine, mut theirs) = (0, 0);
        for (&content, &bit) in board.iter().zip(&self.bits) {
            if content == own {
                mine |= bit;
            } else if content != EMPTY {
                theirs |= bit;
            }
        }
        (mine, theirs)
    }

    /// Returns `true` if `set` contains `row` cells in a row: some bit survives `row - 1` intersections with the set
    /// shifted by one cell.
    fn in_a_row(&self, set: u64) -> bool {
        self.strides.iter().any(|stride| {
            let mut left = set;
            for _ in 1..self.row {
                left &= left >> stride;
            }
            left != 0
        })
    }
}

impl ExplicitGame for TicTacToe {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (vec![EMPTY; self.grid.num_cells()], Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let (mine, theirs) = self.bit_sets(board, side);
        if self.in_a_row(mine) {
            Some(Value::Win)
        } else if self.in_a_row(theirs) {
            Some(Value::Loss)
        } else {
            (!board.contains(&EMPTY)).then_some(Value::Draw)
        }
    }

    fn never_ends_won(&self) -> bool {
        true
    }

    /// Returns the number of marks.
    fn plies_played(&self, board: &[u8]) -> Option<u32> {
        u32::try_from(board.iter().filter(|&&content| content != EMPTY).count()).ok()
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let (mine, theirs) = self.bit_sets(board, side);
        if self.in_a_row(mine) || self.in_a_row(theirs) {
            return;
        }
        let after = mark(side);
        for (cell, &content) in (0u16..).zip(board) {
            if content == EMPTY {
                out.push(Move::from_slice(&[CellChange { cell, after }]));
            }
        }
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let count = |wanted: u8| board.iter().filter(|&&content| content == wanted).count();
        let names = self.notation.sides;
        let (mine, _) = self.bit_sets(board, side);
        out_of_turn("mark", names, Side::BOTH.map(|side| count(mark(side))), side).or_else(|| {
            let own = names[side.index()];
            self.in_a_row(mine)
                .then(|| format!("{own} is to move and has {} in a row: the game was already over", self.row))
        })
    }

    /// Gives empty cells the highest digit, so that marks lower the index.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        [2, 1, 0][usize::from(content)]
    }

    fn moves_lower_index(&self) -> bool {
        true
    }
}
