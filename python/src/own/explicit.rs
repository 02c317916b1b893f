//! The explicit description: applies the definitions of steps and sets to single positions, without compiling them.

use nerode::games::{CellChange, ExplicitGame, Move, Side, Value};

use super::OwnGame;

/// Returns the cells in which two boards differ.
pub fn change(before: &[u8], after: &[u8]) -> Move {
    let changed = (0u16..).zip(before.iter().zip(after)).filter(|(_, (before, after))| before != after);
    changed.map(|(cell, (_, &after))| CellChange { cell, after }).collect()
}

impl OwnGame {
    /// Returns the value of a position in a terminal set, or `None` if the value depends on the moves.
    fn decided(&self, board: &[u8], side: Side) -> Option<Value> {
        let ended = &self.ended[side.index()];
        let sets = [(&ended.win, Value::Win), (&ended.loss, Value::Loss), (&ended.draw, Value::Draw)];
        sets.into_iter().find(|(set, _)| set.contains(board)).map(|(_, value)| value)
    }
}

impl ExplicitGame for OwnGame {
    fn cell_states(&self) -> &[u16] {
        self.shape.inner.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (self.start.board.clone(), self.start.side)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.decided(board, side)
            .or_else(|| self.moves[side.index()].successors(board).is_empty().then_some(self.no_move))
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        if self.decided(board, side).is_none() {
            let after = self.moves[side.index()].successors(board);
            out.extend(after.iter().map(|(next, _)| change(board, next)));
        }
    }

    fn always_ends(&self) -> bool {
        self.always_ends
    }
}
