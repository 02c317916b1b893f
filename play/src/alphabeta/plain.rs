//! Arbitrary games for the search: boards, and an evaluation by mobility.

use std::hash::{DefaultHasher, Hash, Hasher};

use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side, Value};

use super::field::Field;

/// An arbitrary game.
pub struct PlainField<'g> {
    game: &'g dyn Game,
}

impl<'g> PlainField<'g> {
    /// Creates a field for the game.
    pub fn new(game: &'g dyn Game) -> Self {
        Self { game }
    }

    fn num_moves(&self, board: &[u8], side: Side) -> i32 {
        let mut moves = Vec::new();
        self.game.legal_moves(board, side, &mut moves);
        moves.len() as i32
    }
}

impl Field for PlainField<'_> {
    type Node = Position;
    type Step = Move;

    fn node(&self, position: &Position) -> Position {
        position.clone()
    }

    fn position(&self, node: &Position, _side: Side) -> Position {
        node.clone()
    }

    fn key(&self, node: &Position) -> u64 {
        let mut hasher = DefaultHasher::new();
        node.hash(&mut hasher);
        hasher.finish()
    }

    fn over(&self, node: &Position) -> Option<Value> {
        self.game.outcome(&node.board, node.side)
    }

    fn steps(&self, node: &Position, steps: &mut Vec<Move>) {
        self.game.legal_moves(&node.board, node.side, steps);
    }

    fn after(&self, node: &Position, step: &Move) -> Position {
        Position { board: apply(&node.board, step), side: node.side.other() }
    }

    /// A move alone does not show whether it captures something.
    fn takes(&self, _step: &Move) -> bool {
        false
    }

    /// Returns the number of moves of the side to move, minus those of the other side. In games with scores, the
    /// difference in discs is added.
    fn judge(&self, node: &Position) -> i32 {
        let [own, other] = [node.side, node.side.other()].map(|side| self.num_moves(&node.board, side));
        let score = self.game.score(&node.board).unwrap_or(0);
        own - other + if node.side == Side::P1 { score } else { -score }
    }
}
