//! The symbolic description of a game: positions are words, sets of positions are automata, and moves are relations.

use std::ops::RangeInclusive;

use nerode_dfa::{Dfa, MoveGraph, Result, Set, Store};

use crate::side::{Side, Value};

/// A set of words, partitioned by the value for the side to move. The three sets are disjoint.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// The terminal positions that the side to move has won: `W0`.
    pub win: Set,
    /// The terminal positions that the side to move has lost: `L0`.
    pub loss: Set,
    /// The drawn terminal positions: `D0`.
    pub draw: Set,
}

/// The terminal positions of play that still have a move, by the value for the side to move. A position belongs to a
/// part if it is in one of the sets of that part.
///
/// For reachable positions, the parts are disjoint. An unreachable word may be in any number of sets.
#[derive(Clone, Debug, Default)]
pub struct OverInPlay {
    /// The positions that the side to move has won.
    pub win: Vec<Set>,
    /// The positions that the side to move has lost.
    pub loss: Vec<Set>,
    /// The drawn positions.
    pub draw: Vec<Set>,
}

/// A game as sets and relations.
///
/// A position is a word with one letter for each layer; see [`crate::Game::shape`]. The side to move is not part of the word; instead, each side
/// has its own sets and its own moves. Every word of the shape is a position for either side, whether it is reachable
/// or not, so the rules must decide all words.
///
/// The required methods suffice for a game in which every move changes the board and every game ends. The other methods
/// state further facts, and their defaults suit a game without them.
///
/// Write this description without reference to the [`crate::ExplicitGame`] of the same game, because tests compare the two.
pub trait SymbolicGame {
    /// Returns the positions with `side` to move in which the game is over, by the value for that side.
    ///
    /// The rule that a side without a legal move has lost (or won, or drawn) does not belong here, because the solver
    /// derives those positions from [`SymbolicGame::moves`].
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal>;

    /// Returns sets that together contain the positions of play with `side` to move in which the game is over although
    /// a move is left, by value.
    ///
    /// These sets replace [`SymbolicGame::terminal`] in forward search, and in the solver that works backward over the
    /// positions that forward search reaches. Implement this method if a single set of all such words would be large
    /// and several sets are small. `None` means that [`SymbolicGame::terminal`] is used.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn over_in_play(&self, _store: &mut Store, _side: Side) -> Result<Option<OverInPlay>> {
        Ok(None)
    }

    /// Returns the outcome for the side to move if it has no legal move and the position is not in [`SymbolicGame::terminal`].
    fn no_move_value(&self) -> Value;

    /// Returns the outcome for the side to move if it has no legal move, for games in which this outcome depends on the
    /// position.
    ///
    /// In chess, for example, the lack of a legal move is a loss in check and a draw otherwise. Words outside the three
    /// sets have the value [`SymbolicGame::no_move_value`], and `None` means that all words have it.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn no_move(&self, _store: &mut Store, _side: Side) -> Result<Option<Terminal>> {
        Ok(None)
    }

    /// Returns `true` if a side without a move passes as long as the other side has a move.
    ///
    /// A pass counts as a ply and leaves the board unchanged. The lack of a move then ends the game only if neither
    /// side can move. [`SymbolicGame::moves`] contains no passes, because the solver adds them.
    fn has_passes(&self) -> bool {
        false
    }

    /// Returns a superset of the positions of play with `side` to move, defined by a simple and reliable rule such as
    /// the numbers of pieces.
    ///
    /// Positions outside the set cannot be reached from the start, but positions inside need not be reachable. `None`
    /// means that the game states no such rule.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn admissible(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Returns a superset of the positions after exactly `ply` plies, defined by a simple and reliable rule such as one
    /// stone per ply.
    ///
    /// In a game that always ends, the set is empty from some ply on. `None` means that the game states no such rule.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn admissible_at(&self, _store: &mut Store, _ply: u32) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Returns the words to which a move of `side` may lead, with the opponent to move. Moves of
    /// [`SymbolicGame::moves`] that lead to other words are not legal.
    ///
    /// Use this method for a condition on the result, such as "no king is left in check", that would make the relation
    /// of every move large. `None` means that every word is allowed.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn arrivals(&self, _store: &mut Store, _side: Side) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Returns `true` if the game can only be searched forward from the start.
    ///
    /// In such games, sets of all words with some property, such as "no legal move", are too large, so backward solving
    /// is not attempted.
    fn forward_only(&self) -> bool {
        false
    }

    /// Returns `true` if play may continue forever.
    ///
    /// Forward search might not terminate for such games, so they are solved backward unless the caller requests otherwise.
    fn may_cycle(&self) -> bool {
        false
    }

    /// Returns one representative for each class of equivalent words in `set`, with `side` to move. Statistics count
    /// these representatives.
    ///
    /// Two words are equivalent if neither moves nor outcomes distinguish them. `None` means that no two words are equivalent.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn canonical_for_counting(&self, _store: &mut Store, _side: Side, _set: &Dfa) -> Result<Option<Set>> {
        Ok(None)
    }

    /// Returns the moves of `side` without passes. They may include moves from terminal positions, which the solver removes.
    ///
    /// The conditions of moves may build their sets in `store`, which limits their memory.
    ///
    /// # Errors
    /// Returns an error if the description does not fit the shape, or if `store` runs out of memory.
    fn moves(&self, store: &mut Store, side: Side) -> Result<MoveGraph>;

    /// Returns the range of scores of a finished game, seen from P1, if the game has more results than win, draw and loss.
    ///
    /// P1 wins with a score above 0, and a score of 0 is a draw. `None` means that the game has no scores.
    fn scores(&self) -> Option<RangeInclusive<i32>> {
        None
    }

    /// Returns the set `{ w : the score of w, if the game were over there, is at least least }`, which is empty if the
    /// game has no scores.
    ///
    /// # Errors
    /// Returns an error if `store` runs out of memory.
    fn score_at_least(&self, store: &mut Store, _least: i32) -> Result<Set> {
        Ok(store.empty())
    }
}
