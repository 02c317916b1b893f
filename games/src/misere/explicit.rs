//! The plain rules of misère play. [`ExplicitGame::never_ends_won`] keeps its default, because a game that never ends with a win
//! of the side to move may then do so.

use super::Misere;
use crate::explicit::{ExplicitGame, Move};
use crate::side::{Side, Value};

impl ExplicitGame for Misere {
    fn cell_states(&self) -> &[u16] {
        self.game.cell_states()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        self.game.start()
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.game.outcome(board, side).map(Value::negated)
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        self.game.legal_moves(board, side, out);
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        self.game.why_illegal(board, side)
    }

    fn score(&self, board: &[u8]) -> Option<i32> {
        self.game.score(board).map(|score| -score)
    }

    fn plies_played(&self, board: &[u8]) -> Option<u32> {
        self.game.plies_played(board)
    }

    fn digit(&self, cell: usize, content: u8) -> u8 {
        self.game.digit(cell, content)
    }

    fn moves_lower_index(&self) -> bool {
        self.game.moves_lower_index()
    }

    fn representative(&self, board: &mut [u8]) {
        self.game.representative(board);
    }

    fn always_ends(&self) -> bool {
        self.game.always_ends()
    }
}
