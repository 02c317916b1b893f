//! What the symbolic solver asks of a game: words, terminal sets and one forward move graph per side.

use nerode_dfa::{MoveGraph, Result, Set, Shape, Store};

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
    /// [`SymbolicGame::moves`] and [`SymbolicGame::stuck_value`].
    ///
    /// # Errors
    /// Running out of memory in `store`.
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal>;

    /// Value for the side to move of a position that is not otherwise terminal and has no legal move.
    fn stuck_value(&self) -> Value;

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

    /// All moves of `side`, forward only. Moves from terminal positions may be included: the solver cuts them off.
    ///
    /// # Errors
    /// A description that does not fit the shape.
    fn moves(&self, side: Side) -> Result<MoveGraph>;
}
