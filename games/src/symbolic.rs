//! What the symbolic solver asks of a game: words, terminal sets and one forward move graph per side.

use std::ops::RangeInclusive;

use nerode_dfa::{Dfa, MoveGraph, Result, Set, Shape, Store};

use crate::side::{Side, Value};

/// Terminal positions of one side to move, by value for that side. The three sets are disjoint.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// `W0`: ended and won.
    pub win: Set,
    /// `L0`: ended and lost.
    pub loss: Set,
    /// `D0`: ended and drawn.
    pub draw: Set,
}

/// One layer of the board string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerInfo {
    /// What the layer stands for, such as a square's name.
    pub label: String,
    /// Readable letters, index = letter.
    pub letters: Vec<String>,
}

/// A game as sets: a position is a word with one letter per layer; the side to move is not part of the word.
///
/// Every word of the shape is a position for either side, reachable or not, and the rules say what happens in it.
pub trait SymbolicGame {
    /// Alphabets of the layers, in the letter order in force.
    fn shape(&self) -> &Shape;

    /// Labels of the layers, in the letter order in force.
    fn layers(&self) -> Vec<LayerInfo>;

    /// The cell (index in the explicit board) that each layer holds: a permutation of `0..num_layers`.
    fn cell_of_layer(&self) -> &[usize];

    /// Terminal positions with `side` to move, leaving out "no legal move", which the solver derives from
    /// [`SymbolicGame::moves`] and [`SymbolicGame::no_move_value`].
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal>;

    /// Value for the side to move of a position that is not otherwise terminal and has no legal move.
    fn no_move_value(&self) -> Value;

    /// Words by the value for `side`, to move, that the lack of a legal move has there, where it is not
    /// [`SymbolicGame::no_move_value`] everywhere: in chess stalemate is a draw, but where the king is in check it is mate. `None`
    /// where it is.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn stuck(&self, _store: &mut Store, _side: Side) -> Result<Option<Terminal>> {
        Ok(None)
    }

    /// Whether a side without a move in [`SymbolicGame::moves`], where the game is not over by [`SymbolicGame::terminal`],
    /// leaves the board as it is while the other side has one, which is a ply. Only where neither has a move does the lack of
    /// one end the game then.
    fn has_passes(&self) -> bool {
        false
    }

    /// Words among which every position of play with `side` to move is, by a rule that is short and certain, such as the
    /// numbers of pieces; `None` where the game states none. What is outside cannot be reached from the start, what is inside
    /// need not be.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn legal(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Whether no position is reached at two plies, as where every move adds a stone: then the positions of all plies are as many
    /// as their numbers together.
    fn plies_are_disjoint(&self) -> bool {
        false
    }

    /// Words among which every position after exactly `ply` plies is, by a rule that is short and certain, such as a piece placed a
    /// ply; none from some ply on in a game that ends. `None` where the game states no such rule.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn admissible_at(&self, _store: &mut Store, _ply: u32) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Words that a move of `side` must lead to, with the opponent to move: what [`SymbolicGame::moves`] leads elsewhere is no
    /// move. For conditions on the result that would make the relations of all moves large, such as that no king is left in
    /// check. `None`: every word.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn arrivals(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Whether only sets of positions met in play are within reach, and not sets of all words with some property, such as "no
    /// legal move": then nothing is solved backward, and positions without a move are not made out beforehand.
    fn forward_only(&self) -> bool {
        false
    }

    /// Whether play may go on for ever, so that forward search from the start may find no end: then games are solved backward
    /// unless it is asked for otherwise.
    fn may_cycle(&self) -> bool {
        false
    }

    /// `set`, of words with `side` to move, with words between which no move and no outcome tells a difference replaced by one
    /// of each: for counting. `None` where no two words are alike so.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn canonical_for_counting(&self, _store: &mut Store, _side: Side, _set: &Dfa) -> Result<Option<Set>> {
        Ok(None)
    }

    /// All moves of `side` but passes, forward only. Moves from terminal positions may be included: the solver cuts them off.
    ///
    /// # Errors
    /// A description that does not fit the shape.
    fn moves(&self, side: Side) -> Result<MoveGraph>;

    /// The scores that a finished game may have, seen from P1, where the game counts more than won, drawn and lost: it is won by
    /// P1 above 0, drawn at 0.
    fn scores(&self) -> Option<RangeInclusive<i32>> {
        None
    }

    /// `{ w : the score of w, were the game over, is at least least }`; empty where the game has no scores.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn score_at_least(&self, store: &mut Store, _least: i32) -> Result<Set> {
        Ok(store.empty())
    }
}
