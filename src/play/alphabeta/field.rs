//! What a search plays on.

use nerode_games::{Position, Side, Value};

/// A game as the search sees it: positions seen by the side to move.
pub trait Field {
    /// A position.
    type Node;
    /// A move.
    type Step: Clone + Eq;

    /// The position as the search sees it.
    fn node(&self, position: &Position) -> Self::Node;

    /// The position as others see it, with `side` to move.
    fn position(&self, node: &Self::Node, side: Side) -> Position;

    /// A number for the position; different positions have different ones, as far as 64 bits go.
    fn key(&self, node: &Self::Node) -> u64;

    /// The value for the side to move, where the game is over.
    fn over(&self, node: &Self::Node) -> Option<Value>;

    /// Appends the legal moves.
    fn steps(&self, node: &Self::Node, steps: &mut Vec<Self::Step>);

    /// The position after a move.
    fn after(&self, node: &Self::Node, step: &Self::Step) -> Self::Node;

    /// Whether a move takes something.
    fn takes(&self, step: &Self::Step) -> bool;

    /// A guess at what a position is worth to the side to move, much less than a win.
    fn judge(&self, node: &Self::Node) -> i32;
}
