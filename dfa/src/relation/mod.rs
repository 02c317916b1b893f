//! Relations between words: layered minimal automata over letter pairs (before, after).
//!
//! The moves of a side are one relation. Its inverse swaps the letters of every pair, so preimages need no separate
//! implementation. Relations can be composed. State 0 is the empty relation and state 1 is the identity on the
//! remaining layers. All other states are rows of (before, after, target) in ascending order, hash-consed per layer.
//! Relations have thousands of states where sets have millions, so ordinary hash maps are sufficient here.

mod arena;
mod extract;
#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::moves::MoveGraph;
use crate::shape::Letter;

use arena::Arena;
pub(crate) use arena::Limits;

/// The empty relation.
pub(crate) const NOTHING: u32 = 0;
/// The identity on the remaining layers.
pub(crate) const IDENTITY: u32 = 1;

/// A relation `{ (before, after) }` between words of one shape, ready for image computation.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) root: u32,
    pub(crate) layers: Vec<RelationLayer>,
}

/// The rows of one layer, grouped by the letter that an image receives.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelationLayer {
    letters: usize,
    /// The start of the group of (state, after) at `(state - 2) * letters + after`. One extra entry marks the end of
    /// the last group.
    starts: Vec<u32>,
    /// The (before, target) of every pair.
    pairs: Vec<(Letter, u32)>,
}

impl RelationLayer {
    /// Returns the number of states of the layer, excluding the constants.
    pub(crate) fn num_states(&self) -> u32 {
        ((self.starts.len() - 1) / self.letters) as u32
    }

    /// Returns (before, target) of every pair of `state` whose second letter is `after`.
    #[inline]
    pub(crate) fn group(&self, state: u32, after: usize) -> &[(Letter, u32)] {
        let at = (state as usize - 2) * self.letters + after;
        &self.pairs[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Relation {
    /// Returns the number of states, excluding the constants.
    pub(crate) fn num_states(&self) -> usize {
        self.layers.iter().map(|l| l.num_states() as usize).sum()
    }
}

/// Compiles a move graph to the union, over its paths, of the composition of their steps. The result is one relation,
/// or several clusters if the union would have too many states; each is returned as (forward, inverse).
///
/// # Errors
/// Returns [`Error::OutOfMemory`](crate::Error::OutOfMemory), [`Error::Interrupted`](crate::Error::Interrupted), or the errors of
/// conditions.
pub(crate) fn compile(graph: &MoveGraph, limits: Limits<'_>) -> Result<Vec<(Relation, Relation)>> {
    let mut arena = Arena::new(graph.shape(), limits);
    let mut after_node: Vec<Vec<u32>> = Vec::with_capacity(graph.num_nodes());
    let mut finished = Vec::new();
    for node in 0..graph.num_nodes() {
        arena.must_go_on()?;
        let step = arena.step(graph.step(node))?;
        let mut before: Vec<u32> = Vec::new();
        let mut is_source = true;
        for p in graph.predecessors(node) {
            is_source = false;
            before.extend(&after_node[p]);
        }
        let here = if is_source {
            vec![step]
        } else {
            let clusters = arena.cluster(&before)?;
            clusters.into_iter().map(|r| arena.compose(0, r, step)).collect()
        };
        if graph.is_sink(node) {
            finished.extend(&here);
        }
        after_node.push(here);
    }
    finished.retain(|&r| r != NOTHING);
    let clusters = arena.cluster(&finished)?;
    let both = |r| {
        arena.must_go_on()?;
        let inverse = arena.inverse(0, r);
        Ok((arena.extract(r), arena.extract(inverse)))
    };
    clusters.into_iter().map(both).collect()
}
