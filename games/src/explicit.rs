//! The explicit description of a game: plain rules on one board. It is written without automata and independently of the
//! symbolic description, so that each can check the other.

use smallvec::SmallVec;

use crate::side::{Side, Value};

/// One cell rewritten by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellChange {
    /// The cell.
    pub cell: u16,
    /// Its content after the move.
    pub after: u8,
}

/// A legal move: the cells it rewrites, each at most once and each to a new content. A pass rewrites none.
pub type Move = SmallVec<[CellChange; 4]>;

/// A game as rules on one board: `board[cell]` is a number below `cell_states()[cell]`.
///
/// Every board within those bounds is a position for either side, so the rules must decide all of them.
pub trait ExplicitGame {
    /// Number of contents of each cell.
    fn cell_states(&self) -> &[u16];

    /// The start board and the side to move.
    fn start(&self) -> (Vec<u8>, Side);

    /// Value for `side`, to move, if the game is over on `board`, by whatever rule; `None` where it goes on.
    ///
    /// "No legal move" is among the rules: a board has an outcome exactly when [`ExplicitGame::legal_moves`] is empty.
    fn outcome(&self, board: &[u8], side: Side) -> Option<Value>;

    /// Appends the legal moves of `side` to `out`, each once; none where the game is over.
    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>);

    /// Why no game comes to `board` with `side` to move, as part of a sentence. `None`: nothing is known against it.
    ///
    /// Rules of a few lines that are certain: numbers of pieces, turns, a game that was over before. A position without a
    /// reason need not be reachable. Values do not depend on it.
    fn why_illegal(&self, _board: &[u8], _side: Side) -> Option<String> {
        None
    }

    /// The score of `board` seen from P1, if the game were over there. `None`: the game has no scores.
    fn score(&self, _board: &[u8]) -> Option<i32> {
        None
    }

    /// The digit that `content` gets in the index of a position: a permutation of `0..cell_states()[cell]`.
    ///
    /// The index of a board has one digit for each cell, cell 0 first.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        content
    }

    /// Whether every move leads to a lower index, see [`ExplicitGame::digit`].
    ///
    /// Solvers then decide all positions in one pass. They check the promise on every move.
    fn moves_lower_index(&self) -> bool {
        false
    }

    /// Whether play ends whatever the players do, from every board.
    fn always_ends(&self) -> bool {
        self.moves_lower_index()
    }
}

/// `board` after `mv`.
///
/// # Panics
/// When the move names a cell outside the board.
pub fn apply(board: &[u8], mv: &Move) -> Vec<u8> {
    let mut next = board.to_vec();
    for change in mv {
        next[usize::from(change.cell)] = change.after;
    }
    next
}
