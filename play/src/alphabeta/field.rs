//! The interface between a search and the game that it searches.

use nerode_games::{Position, Side, Value};

/// A game as the search sees it: positions from the point of view of the side to move.
pub trait Field {
    /// A position.
    type Node;
    /// A move.
    type Step: Clone + Eq;

    /// Converts a position to the representation of the search.
    fn node(&self, position: &Position) -> Self::Node;

    /// Converts a position from the representation of the search, with `side` to move.
    fn position(&self, node: &Self::Node, side: Side) -> Position;

    /// Returns a key for the position. Different positions have different keys, as far as 64 bits allow.
    fn key(&self, node: &Self::Node) -> u64;

    /// Returns the value for the side to move if the game is over.
    fn over(&self, node: &Self::Node) -> Option<Value>;

    /// Appends the legal moves.
    fn steps(&self, node: &Self::Node, steps: &mut Vec<Self::Step>);

    /// Returns the position after a move.
    fn after(&self, node: &Self::Node, step: &Self::Step) -> Self::Node;

    /// Returns `true` if a move captures something.
    fn takes(&self, step: &Self::Step) -> bool;

    /// Returns a heuristic evaluation of a position for the side to move, much smaller than that of a win.
    fn judge(&self, node: &Self::Node) -> i32;
}
