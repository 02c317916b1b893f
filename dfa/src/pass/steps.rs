//! The relations of one direction, laid out for expansion: the states of all clusters in one numbering.

use crate::relation::{IDENTITY, NOTHING, Relation};
use crate::shape::{Letter, Shape};

/// The state in which a move is done: what follows stays as it is. Other states count from 1.
pub(super) const DONE: u32 = 0;

/// All relations of a side in one direction.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// Numbers of the roots.
    pub(super) roots: Vec<u32>,
    pub(super) layers: Vec<StepLayer>,
}

/// Rows of one layer, grouped by the letter that the image gets.
#[derive(Clone, Debug)]
pub(super) struct StepLayer {
    letters: usize,
    /// Start of the group of (number, letter) at `(number - 1) * letters + letter`; one more entry closes the last.
    starts: Vec<u32>,
    /// (letter of the set that is moved, number in the next layer).
    arcs: Vec<(Letter, u32)>,
    max_group: usize,
}

impl StepLayer {
    /// Relation states of the layer, [`DONE`] not counted.
    pub(super) fn num_states(&self) -> usize {
        (self.starts.len() - 1) / self.letters
    }

    /// Most arcs of a state and letter, and at least the one of a move that is done.
    pub(super) fn max_group(&self) -> usize {
        self.max_group
    }

    /// Pairs by which state `number` makes `letter`.
    #[inline]
    pub(super) fn group(&self, number: u32, letter: usize) -> &[(Letter, u32)] {
        let at = (number as usize - 1) * self.letters + letter;
        &self.arcs[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Steps {
    /// Hands on what the relations are.
    pub(super) fn add_to(&self, to: &mut impl FnMut(&[u32])) {
        to(&self.roots);
        for layer in &self.layers {
            to(&layer.starts);
            let arcs: Vec<u32> =
                layer.arcs.iter().flat_map(|&(letter, number)| [u32::from(letter), number]).collect();
            to(&arcs);
        }
    }

    pub(super) fn new(shape: &Shape, relations: &[Relation]) -> Self {
        let n = shape.num_layers();
        // First number of each relation's states, by layer.
        let mut first: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
        for (layer, first) in first.iter_mut().enumerate().take(n) {
            let mut next = 1;
            for relation in relations {
                first.push(next);
                next += relation.layers[layer].num_states();
            }
        }
        let number = |layer: usize, r: usize, state: u32| match state {
            IDENTITY => DONE,
            state => first[layer][r] + state - 2,
        };
        let layers = (0..n).map(|layer| {
            let letters = shape.num_letters(layer);
            let mut out = StepLayer { letters, starts: vec![0], arcs: Vec::new(), max_group: 1 };
            for (r, relation) in relations.iter().enumerate() {
                for state in 0..relation.layers[layer].num_states() {
                    for letter in 0..letters {
                        let group = relation.layers[layer].group(state + 2, letter);
                        out.arcs.extend(group.iter().map(|&(before, t)| (before, number(layer + 1, r, t))));
                        out.max_group = out.max_group.max(group.len());
                        out.starts.push(out.arcs.len() as u32);
                    }
                }
            }
            out
        });
        let layers = layers.collect();
        let roots = relations.iter().enumerate().filter(|(_, r)| r.root != NOTHING);
        Self { roots: roots.map(|(r, relation)| number(0, r, relation.root)).collect(), layers }
    }
}
