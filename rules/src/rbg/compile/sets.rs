//! Sets of positions in the compiled rules, and the backward steps along effects.

use std::collections::HashMap;

use nerode_dfa::{Dfa, Letter, Result, Set, Store};

use super::explore::Graph;
use super::graph::{Effect, NodeId, Test};
use super::numbers::{CompareTest, Needs};

/// Letters before and after, by layer.
pub(super) type Rewriting = Vec<(usize, Vec<(Letter, Letter)>)>;

/// A store with the cells of a graph as its layers.
pub(super) struct Sets<'a> {
    pub(super) store: &'a mut Store,
    pub(super) graph: &'a Graph,
    /// The layer of each cell, or `None` if its content is constant.
    layers: &'a [Option<usize>],
    /// The positions from which the end of a pattern is reachable, by node of the pattern.
    pub(super) patterns: HashMap<NodeId, Set>,
}

impl<'a> Sets<'a> {
    pub(super) fn new(store: &'a mut Store, graph: &'a Graph, layers: &'a [Option<usize>]) -> Self {
        Self { store, graph, layers, patterns: HashMap::new() }
    }

    /// Returns the layer of a cell.
    pub(super) fn layer(&self, cell: usize) -> Option<usize> {
        self.layers[cell]
    }

    /// Returns the letter of a content of a cell.
    fn letter(&self, cell: usize, content: u32) -> Option<Letter> {
        self.graph.contents.of(cell).position(|held| held == content).map(|letter| letter as Letter)
    }

    /// Returns the effect on the layers: the letters before and after.
    pub(super) fn letters(&self, effect: &Effect) -> Rewriting {
        let in_layer = |(cell, pairs): &(usize, Vec<(u32, u32)>)| {
            let layer = self.layer(*cell)?;
            let pair = |&(a, b): &(u32, u32)| Some((self.letter(*cell, a)?, self.letter(*cell, b)?));
            Some((layer, pairs.iter().filter_map(pair).collect()))
        };
        effect.cells.iter().filter_map(in_layer).collect()
    }

    /// Returns the positions that the pairs of letters map into `set`.
    pub(super) fn back(&mut self, pairs: &[(usize, Vec<(Letter, Letter)>)], set: &Set) -> Result<Set> {
        let mut set = set.clone();
        for (layer, pairs) in pairs {
            if pairs.iter().all(|(before, after)| before == after) {
                let kept = pairs.iter().map(|&(letter, _)| letter).collect();
                let kept = self.store.cube(&[(*layer, kept)])?;
                set = self.store.intersection(&set, &kept)?;
                continue;
            }
            let mut parts = Vec::with_capacity(pairs.len());
            for &(before, after) in pairs {
                parts.push(self.store.change(&set, &[(*layer, after, before)])?);
            }
            set = self.store.union_all(&parts)?;
        }
        Ok(set)
    }

    /// Returns the positions in which an effect is possible and leads into `set`. The patterns in its test must have been
    /// computed.
    pub(super) fn before(&mut self, effect: &Effect, set: &Set) -> Result<Set> {
        let letters = self.letters(effect);
        let moved = self.back(&letters, set)?;
        match &effect.test {
            None => Ok(moved),
            Some(test) => {
                let held = self.test(test)?;
                self.store.intersection(&moved, &held)
            }
        }
    }

    /// Returns the positions in which a test holds. The pattern in the test must have been computed.
    pub(super) fn test(&mut self, test: &Test) -> Result<Set> {
        match test {
            Test::Compare(comparing) => {
                let set = self.comparison(comparing)?;
                self.store.import(&set)
            }
            Test::Pattern { start, negated } => {
                let reached = match self.patterns.get(start) {
                    Some(set) => set.clone(),
                    None => self.store.empty(),
                };
                if *negated { self.store.complement(&reached) } else { Ok(reached) }
            }
        }
    }

    /// Returns the positions in which a comparison holds. The automaton stores variables and counts pieces, layer by layer.
    fn comparison(&self, comparing: &CompareTest) -> Result<Dfa> {
        let contents = &self.graph.contents;
        let Needs { variables, pieces } = comparing.needs();
        let variables: Vec<usize> = variables.into_iter().collect();
        let pieces: Vec<usize> = pieces.into_iter().collect();
        let count = |piece: usize, content: u32| i64::from(content == piece as u32);
        let mut start = vec![0_i64; variables.len() + pieces.len()];
        for cell in (0..contents.num_squares()).filter(|&cell| self.layer(cell).is_none()) {
            for (sum, &piece) in start[variables.len()..].iter_mut().zip(&pieces) {
                *sum += contents.of(cell).map(|content| count(piece, content)).sum::<i64>();
            }
        }
        for (value, &variable) in start.iter_mut().zip(&variables) {
            *value = contents.of(contents.variable(variable)).next().map_or(0, i64::from);
        }
        let mut cell_of = vec![None; self.store.shape().num_layers()];
        for (cell, layer) in self.layers.iter().enumerate() {
            if let Some(layer) = layer {
                cell_of[*layer] = Some(cell);
            }
        }
        let step = |layer: usize, so_far: &Vec<i64>, letter: Letter| {
            let mut next = so_far.clone();
            let Some(cell) = cell_of[layer] else { return Some(next) };
            let content = contents.of(cell).nth(usize::from(letter))?;
            if let Some(variable) = cell.checked_sub(contents.num_squares()) {
                if let Some(at) = variables.iter().position(|&known| known == variable) {
                    next[at] = i64::from(content);
                }
                return Some(next);
            }
            for (sum, &piece) in next[variables.len()..].iter_mut().zip(&pieces) {
                *sum += count(piece, content);
            }
            Some(next)
        };
        let at = |list: &[usize], wanted: usize| {
            list.iter().position(|&known| known == wanted).unwrap_or_default()
        };
        Dfa::from_step(self.store.shape(), start, step, |sums| {
            let variable = |wanted| sums[at(&variables, wanted)];
            let counted = |wanted| sums[variables.len() + at(&pieces, wanted)];
            comparing.holds(&variable, &counted)
        })
    }
}
