//! The morris family as plain rules on one board: cells to sets of points and back, the turns being those of plain play.

use super::{BLACK, EMPTY, Morris, WHITE};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::morris::{State, Turn, points};
use crate::side::{Side, Value};

impl Morris {
    /// The position as `side`, to move, sees it.
    fn state(&self, board: &[u8], side: Side) -> State {
        let (on_points, hands) = board.split_at(self.num_points());
        let stones =
            on_points.iter().zip(0u32..).fold([0, 0], |[white, black], (&content, point)| match content {
                WHITE => [white | 1 << point, black],
                BLACK => [white, black | 1 << point],
                _ => [white, black],
            });
        let (own, other) = (side.index(), side.other().index());
        State { own: stones[own], other: stones[other], own_hand: hands[own], other_hand: hands[other] }
    }

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
        self.rules.outcome(self.state(board, side))
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let state = self.state(board, side);
        if state.decided_by_stones().is_none() {
            self.rules.turns(state, |turn| out.push(self.cells_of(turn, side, state.own_hand)));
        }
    }
}
