//! What a pass computes: which set is moved, how, and which way.

use crate::automaton::Dfa;
use crate::error::Result;
use crate::moves::MoveGraph;
use crate::relation::compile;
use crate::shape::Shape;

use super::steps::Steps;

/// Which way moves are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Where moves lead: the image.
    Forward,
    /// Where moves come from: the preimage.
    Backward,
}

/// The moves of one side, compiled for [`super::Passes`].
#[derive(Clone, Debug)]
pub struct PassMoves {
    pub(super) shape: Shape,
    forward: Steps,
    backward: Steps,
}

impl PassMoves {
    /// Compiles a move graph.
    ///
    /// # Errors
    /// [`crate::Error::Move`] when a step does not fit the shape.
    pub fn new(graph: &MoveGraph) -> Result<Self> {
        let (forward, backward): (Vec<_>, Vec<_>) = compile(graph)?.into_iter().unzip();
        let shape = graph.shape().clone();
        Ok(Self { forward: Steps::new(&shape, &forward), backward: Steps::new(&shape, &backward), shape })
    }

    /// The relations of one direction.
    pub(super) fn steps(&self, direction: Direction) -> &Steps {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        }
    }
}

/// The set that a pass moves: `image(set)` or `image(¬set)`.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    /// The set that is moved.
    pub set: &'a Dfa,
    /// Whether its complement is moved instead.
    pub complement: bool,
    /// The moves.
    pub moves: &'a PassMoves,
    /// Which way.
    pub direction: Direction,
}
