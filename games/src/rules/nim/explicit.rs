//! Nim on a single board: the sizes of the heaps, which moves reduce.

use super::Nim;
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::side::{Side, Value};

impl ExplicitGame for Nim {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (vec![self.most; self.heaps], Side::P1)
    }

    fn outcome(&self, board: &[u8], _side: Side) -> Option<Value> {
        board.iter().all(|&height| height == 0).then_some(Value::Loss)
    }

    fn legal_moves(&self, board: &[u8], _side: Side, out: &mut Vec<Move>) {
        for (cell, &height) in (0u16..).zip(board) {
            let mut after = height;
            while after > 0 {
                after -= 1;
                out.push(Move::from_slice(&[CellChange { cell, after }]));
            }
        }
    }

    fn never_ends_won(&self) -> bool {
        true
    }

    fn moves_lower_index(&self) -> bool {
        true
    }
}
