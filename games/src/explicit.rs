//! The explicit description of a game: plain rules on a single board. It is written without automata and independently
//! of the symbolic description, so that each can be checked against the other.

use smallvec::SmallVec;

use crate::side::{Side, Value};

/// A cell whose content is changed by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellChange {
    /// The cell.
    pub cell: u16,
    /// The content of the cell after the move.
    pub after: u8,
}

/// A legal move, given by the cells that it changes. Each cell occurs at most once and receives a new content. A pass
/// changes no cells.
pub type Move = SmallVec<[CellChange; 4]>;

/// A game as rules on a single board: `board[cell]` is a number below `cell_states()[cell]`.
///
/// Every board within those bounds is a position for either side, so the rules must decide all of them.
pub trait ExplicitGame {
    /// Returns the number of possible contents of each cell.
    fn cell_states(&self) -> &[u16];

    /// Returns the start board and the side to move.
    fn start(&self) -> (Vec<u8>, Side);

    /// Returns the value for `side`, which is to move, if the game is over on `board` by any rule, or `None` if play continues.
    ///
    /// The lack of a legal move is one of these rules: a board has an outcome exactly when
    /// [`ExplicitGame::legal_moves`] is empty.
    fn outcome(&self, board: &[u8], side: Side) -> Option<Value>;

    /// Appends the legal moves of `side` to `out`, each once. Terminal positions have no legal moves.
    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>);

    /// Returns a reason, as part of a sentence, why `board` with `side` to move cannot occur in play, or `None` if no
    /// such reason is known.
    ///
    /// This checks a few simple and reliable rules, such as the numbers of pieces, the turn order, and games that must
    /// have ended earlier. A position without a reason need not be reachable. Values do not depend on this method.
    fn why_illegal(&self, _board: &[u8], _side: Side) -> Option<String> {
        None
    }

    /// Returns the score of `board` seen from P1, as if the game were over, or `None` if the game has no scores.
    fn score(&self, _board: &[u8]) -> Option<i32> {
        None
    }

    /// Returns the number of plies from the start to a board, if every move adds something that shows it. Then no
    /// position occurs at two plies. Either all boards of a game have a number or none has, and that of a board that
    /// does not occur means nothing.
    fn plies_played(&self, _board: &[u8]) -> Option<u32> {
        None
    }

    /// Returns `true` if no game from the start ends with a win of the side to move, so that wins take an odd number of plies
    /// and losses an even number.
    fn never_ends_won(&self) -> bool {
        false
    }

    /// Returns the digit of `content` in the index of a position. It must define a permutation of `0..cell_states()[cell]`.
    ///
    /// The index of a board has one digit for each cell, starting with cell 0.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        content
    }

    /// Returns `true` if every move leads to a position with a lower index; see [`ExplicitGame::digit`].
    ///
    /// Solvers then decide all positions in one pass, and they verify the property for every move.
    fn moves_lower_index(&self) -> bool {
        false
    }

    /// Replaces `board` by the representative of its orbit, which is the same for all boards that symmetries turn into each other.
    ///
    /// All boards of an orbit have the same value and depth for either side to move, so that a solver may decide only the
    /// representatives. Each representative represents itself.
    fn representative(&self, _board: &mut [u8]) {}

    /// Returns `true` if every game from every board ends, regardless of how the players move.
    fn always_ends(&self) -> bool {
        self.moves_lower_index()
    }
}

/// Returns `board` after the move `mv`.
///
/// # Panics
/// Panics if the move names a cell outside the board.
pub fn apply(board: &[u8], mv: &Move) -> Vec<u8> {
    let mut next = board.to_vec();
    for change in mv {
        next[usize::from(change.cell)] = change.after;
    }
    next
}
