//! The words that satisfy the limits of positions.

use std::collections::BTreeSet;

use nerode_dfa::{Dfa, Letter, Result, Set};

use super::graph::{Effect, NodeId};
use super::possible::{Limit, Possible, counted};
use super::sets::Sets;

impl Possible {
    /// Returns the words with which a turn may begin at a node, according to all limits or to the limits in use.
    pub(super) fn set(&self, sets: &mut Sets<'_>, node: NodeId, all: bool) -> Result<Set> {
        let limits = if all { &self.limits } else { &self.used };
        let mut parts = Vec::new();
        for limit in limits.get(&node).into_iter().flatten() {
            parts.push(match limit {
                Limit::Never => sets.store.empty(),
                Limit::AtMost(pieces, most) => sets.at_most(pieces, *most)?,
                Limit::Together(squares, pairs) => sets.together(*squares, pairs)?,
            });
        }
        sets.store.intersection_all(&parts)
    }

    /// Returns the words that are possible at a node of a path, according to the amounts of pieces.
    pub(super) fn counted(&self, sets: &mut Sets<'_>, node: NodeId) -> Result<Set> {
        let mut parts = Vec::new();
        let Ok(node) = self.nodes.binary_search(&node) else { return Ok(sets.store.full()) };
        for (pieces, most) in counted(&self.amounts, node) {
            parts.push(sets.at_most(pieces, most)?);
        }
        sets.store.intersection_all(&parts)
    }
}

impl Sets<'_> {
    /// Returns the words with at most the given amount of these pieces.
    fn at_most(&mut self, pieces: &BTreeSet<u32>, most: usize) -> Result<Set> {
        let contents = &self.graph.contents;
        let squares = 0..contents.num_squares();
        let always = |square: &usize| {
            self.layer(*square).is_none() && contents.of(*square).any(|piece| pieces.contains(&piece))
        };
        let start = squares.clone().filter(always).count();
        let mut letters: Vec<Vec<bool>> = vec![Vec::new(); self.store.shape().num_layers()];
        for square in squares {
            if let Some(layer) = self.layer(square) {
                letters[layer] = contents.of(square).map(|piece| pieces.contains(&piece)).collect();
            }
        }
        let step = |layer: usize, so_far: &usize, letter: Letter| {
            let counts = letters[layer].get(usize::from(letter)).copied().unwrap_or_default();
            Some(so_far + usize::from(counts)).filter(|count| *count <= most)
        };
        let set = Dfa::from_step(self.store.shape(), start, step, |count| *count <= most)?;
        self.store.import(&set)
    }

    /// Returns the words in which two squares contain one of these pairs.
    fn together(&mut self, squares: [usize; 2], pairs: &[(u32, u32)]) -> Result<Set> {
        let mut parts = Vec::new();
        for &(one, other) in pairs {
            let held = [one, other].map(|content| vec![(content, content)]);
            let effect = Effect { test: None, cells: squares.into_iter().zip(held).collect() };
            let letters = self.letters(&effect);
            let full = self.store.full();
            parts.push(self.back(&letters, &full)?);
        }
        self.store.union_all(&parts)
    }
}
