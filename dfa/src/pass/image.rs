//! Description of the image that a pass computes: the source set, the moves and the direction.

use crate::automaton::Dfa;
use crate::error::Result;
use crate::moves::MoveGraph;
use crate::relation::{Limits, compile};
use crate::shape::Shape;
use crate::store::Store;

use super::steps::Steps;

/// The direction in which moves are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From words to the words to which moves lead, which yields the image.
    Forward,
    /// From words to the words from which moves lead to them, which yields the preimage.
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
    /// Returns [`crate::Error::Move`] if a step does not fit the shape.
    pub fn new(graph: &MoveGraph) -> Result<Self> {
        Self::within(graph, Limits::NONE)
    }

    /// Compiles a move graph with the memory limit and the interrupt flag of a store.
    ///
    /// # Errors
    /// Returns [`crate::Error::Move`] if a step does not fit the shape, [`crate::Error::OutOfMemory`], or
    /// [`crate::Error::Interrupted`].
    pub fn with_limits_of(store: &Store, graph: &MoveGraph) -> Result<Self> {
        Self::within(graph, store.limits_of_moves())
    }

    fn within(graph: &MoveGraph, limits: Limits<'_>) -> Result<Self> {
        let (forward, backward): (Vec<_>, Vec<_>) = compile(graph, limits)?.into_iter().unzip();
        let shape = graph.shape().clone();
        Ok(Self { forward: Steps::new(&shape, &forward), backward: Steps::new(&shape, &backward), shape })
    }

    /// Returns the relations of one direction.
    pub(super) fn steps(&self, direction: Direction) -> &Steps {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        }
    }
}

/// The image that a pass computes: `image(set)` or `image(¬set)`.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    /// The source set, to which the moves are applied.
    pub set: &'a Dfa,
    /// Whether the moves are applied to the complement of the set instead.
    pub complement: bool,
    /// The moves.
    pub moves: &'a PassMoves,
    /// The direction of the moves.
    pub direction: Direction,
}
