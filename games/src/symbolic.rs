//! The symbolic description of a game: positions as words, sets of positions as automata, moves as relations.

use std::ops::RangeInclusive;

use nerode_dfa::{Dfa, MoveGraph, Result, Set, Shape, Store};

use crate::side::{Side, Value};

/// A partition of some words by the value for the side to move. The three sets are disjoint.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// The side to move has won: `W0` where the game is over.
    pub win: Set,
    /// The side to move has lost: `L0`.
    pub loss: Set,
    /// The game is drawn: `D0`.
    pub draw: Set,
}

/// Where play is over and a move is left, by the value for the side to move. A position is in a part if it is in one of its sets.
///
/// The parts of positions that play reaches are disjoint. A word that play does not reach may be in any number of sets.
#[derive(Clone, Debug, Default)]
pub struct OverInPlay {
    /// The side to move has won.
    pub win: Vec<Set>,
    /// The side to move has lost.
    pub loss: Vec<Set>,
    /// The game is drawn.
    pub draw: Vec<Set>,
}

/// One layer of the word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerInfo {
    /// What the layer stands for, such as the name of a square.
    pub label: String,
    /// A readable name for each letter.
    pub letters: Vec<String>,
}

/// A game as sets and relations.
///
/// A position is a word with one letter for each layer. The side to move is not part of the word: each side has its own sets
/// and its own moves. Every word of the shape is a position for either side, reachable or not, so the rules must decide all
/// words.
///
/// The required methods are enough for a game whose moves change the board and whose games end. The others state further facts;
/// their defaults suit a game without them.
///
/// Write this description without looking at the [`crate::ExplicitGame`] of the same game: tests compare the two.
pub trait SymbolicGame {
    /// Number of letters of each layer, in the letter order in force.
    fn shape(&self) -> &Shape;

    /// Labels of the layers, in the letter order in force.
    fn layers(&self) -> Vec<LayerInfo>;

    /// `cell_of_layer()[l]` is the cell of the explicit board that layer `l` holds: a permutation of the cells.
    fn cell_of_layer(&self) -> &[usize];

    /// Positions with `side` to move where the game is over, by value for that side.
    ///
    /// The rule "a side without a legal move has lost" (or won, or drawn) does not belong here: the solver derives those
    /// positions from [`SymbolicGame::moves`].
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal>;

    /// Sets that together hold the positions of play with `side` to move where the game is over and a move is left, by value.
    ///
    /// Forward search, and the solver that works back over the positions it reaches, use these instead of
    /// [`SymbolicGame::terminal`]. State them where one set of all such words would be large and several are small. `None`: the game
    /// has one set of each value.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn over_in_play(&self, _store: &mut Store, _side: Side) -> Result<Option<OverInPlay>> {
        Ok(None)
    }

    /// Outcome for the side to move when it has no legal move and [`SymbolicGame::terminal`] does not end the game.
    fn no_move_value(&self) -> Value;

    /// Outcome for the side to move when it has no legal move, where that depends on the position.
    ///
    /// In chess the lack of a move is a loss in check and a draw otherwise. Words in none of the three sets have
    /// [`SymbolicGame::no_move_value`]; `None` says that all words have it.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn no_move(&self, _store: &mut Store, _side: Side) -> Result<Option<Terminal>> {
        Ok(None)
    }

    /// Whether a side without a move passes while the other side has one.
    ///
    /// A pass is a ply of its own and leaves the board as it is. The lack of a move then ends the game only where neither side
    /// has one. [`SymbolicGame::moves`] holds no passes: the solver adds them.
    fn has_passes(&self) -> bool {
        false
    }

    /// A superset of the positions of play with `side` to move, by a short and certain rule such as the numbers of pieces.
    ///
    /// What is outside cannot be reached from the start; what is inside need not be reachable. `None`: the game states no rule.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn admissible(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }

    /// A superset of the positions after exactly `ply` plies, by a short and certain rule such as one stone a ply.
    ///
    /// In a game that ends, the set is empty from some ply on. `None`: the game states no rule.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn admissible_at(&self, _store: &mut Store, _ply: u32) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Whether no position is reached at two different plies, as where every move adds a stone.
    ///
    /// The number of reachable positions is then the sum over the plies.
    fn plies_are_disjoint(&self) -> bool {
        false
    }

    /// The words that a move of `side` may lead to, with the opponent to move. What [`SymbolicGame::moves`] leads elsewhere is
    /// not a legal move.
    ///
    /// Use it for a condition on the result that would make the relation of every move large, such as "no king is left in
    /// check". `None`: every word.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn arrivals(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Whether the game can only be searched forward from the start.
    ///
    /// Sets of all words with some property, such as "no legal move", are too large then, so nothing is solved backward.
    fn forward_only(&self) -> bool {
        false
    }

    /// Whether play may go on for ever.
    ///
    /// Forward search may then find no end, so such games are solved backward unless the caller asks otherwise.
    fn may_cycle(&self) -> bool {
        false
    }

    /// One representative for each class of equivalent words of `set`, with `side` to move: the set to count.
    ///
    /// Two words are equivalent when neither a move nor an outcome can tell them apart. `None`: all words are different.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn canonical_for_counting(&self, _store: &mut Store, _side: Side, _set: &Dfa) -> Result<Option<Set>> {
        Ok(None)
    }

    /// The moves of `side`, without passes. Moves from terminal positions may be included: the solver removes them.
    ///
    /// `store` is room for sets that conditions of moves are made of; it limits their memory.
    ///
    /// # Errors
    /// A description that does not fit the shape; running out of memory in `store`.
    fn moves(&self, store: &mut Store, side: Side) -> Result<MoveGraph>;

    /// The range of scores of a finished game, seen from P1, where the game counts more than win, draw and loss.
    ///
    /// P1 has won above 0; 0 is a draw. `None`: the game has no scores.
    fn scores(&self) -> Option<RangeInclusive<i32>> {
        None
    }

    /// `{ w : the score of w, if the game were over there, is at least least }`. Empty where the game has no scores.
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn score_at_least(&self, store: &mut Store, _least: i32) -> Result<Set> {
        Ok(store.empty())
    }
}
