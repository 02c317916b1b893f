//! The relations of one direction, prepared for expansion: the states of all clusters share one numbering.

use crate::relation::{IDENTITY, NOTHING, Relation};
use crate::shape::{Letter, Shape};

/// The state in which a move is complete and the remaining letters do not change. Other states are numbered from 1.
pub(super) const DONE: u32 = 0;

/// All relations of a side in one direction.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// The numbers of the roots.
    pub(super) roots: Vec<u32>,
    pub(super) layers: Vec<StepLayer>,
}

/// The rows of one layer, grouped by the letter that the image receives.
#[derive(Clone, Debug)]
pub(super) struct StepLayer {
    letters: usize,
    /// The start of the group of (number, letter) at `(number - 1) * letters + letter`. One extra entry marks the end
    /// of the last group.
    starts: Vec<u32>,
    /// Pairs of (letter of the source set, number in the next layer).
    arcs: Vec<(Letter, u32)>,
    max_group: usize,
}

impl StepLayer {
    /// Returns the number of relation states of the layer, excluding [`DONE`].
    pub(super) fn num_states(&self) -> usize {
        (self.starts.len() - 1) / self.letters
    }

    /// Returns the maximum number of arcs for a state and letter, which is at least 1 to account for completed moves.
    pub(super) fn max_group(&self) -> usize {
        self.max_group
    }

    /// Returns the arcs by which state `number` produces `letter`.
    #[inline]
    pub(super) fn group(&self, number: u32, letter: usize) -> &[(Letter, u32)] {
        let at = (number as usize - 1) * self.letters + letter;
        &self.arcs[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Steps {
    /// Passes the contents of the relations to `to`.
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
        // The first number of each relation's states, by layer.
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
