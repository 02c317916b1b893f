//! The morris family as plain rules on one board: cells to sets of points and back, the turns being those of plain play.

use super::{BLACK, EMPTY, Morris, WHITE};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::morris::{Turn, points};
use crate::side::{Side, Value};

impl Morris {
    /// The cells that `turn` of `side` rewrites.
    fn cells_of(&self, turn: Turn, side: Side, hand: u8) -> Move {
        let own = if side == Side::P1 { WHITE } else { BLACK };
        let change = |point: usize, after: u8| CellChange { cell: point as u16, after };
        let mut mv: Move = points(turn.from).map(|from| change(from, EMPTY)).collect();
        mv.extend(points(turn.to).map(|to| change(to, own)));
        mv.extend(points(turn.taken).map(|taken| change(taken, EMPTY)));
        if turn.from == 0 {
            mv.push(change(self.num_points() + side.index(), hand - 1));
        }
        mv
    }
}

impl ExplicitGame for Morris {
    fn cell_states(&self) -> &[u16] {
        &self.cell_states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let mut board = vec![EMPTY; self.num_points()];
        board.extend(self.rules.stones);
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.rules.outcome(self.rules.state_of(board, side))
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let state = self.rules.state_of(board, side);
        if state.decided_by_stones().is_none() {
            self.rules.turns(state, |turn| out.push(self.cells_of(turn, side, state.own_hand)));
        }
    }
}
