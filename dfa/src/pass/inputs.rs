//! The inputs of a pass's formula as automata of the last layers: the image, whose states are image pairs, and the side
//! sets.

use rayon::prelude::*;

use crate::formula::MAX_SIDES;
use crate::unique::FIRST;

use super::children::View;
use super::expand::Expansion;
use super::macrostates::Macrostates;
use super::residuals::Collector;

/// The number of the image among the inputs. Side set j is input j + 1.
pub(super) const IMAGE: usize = 0;

/// Access to the inputs from a given layer on.
pub(super) struct Inputs<'a> {
    pub(super) expansion: &'a Expansion<'a>,
    from: usize,
    views: Vec<View<'a>>,
}

/// The states of the inputs in one layer, collected by several threads.
pub(super) struct InputStates {
    /// For each input, the states whose residuals are needed.
    pub(super) states: Vec<Collector>,
    /// For each side set, its states and constants in macrostates whose value may depend on the image.
    pub(super) beside: Vec<Collector>,
}

impl InputStates {
    /// Returns the number of states whose residuals are needed.
    pub(super) fn len(&self) -> usize {
        self.states.iter().map(Collector::len).sum()
    }
}

impl<'a> Inputs<'a> {
    pub(super) fn new(expansion: &'a Expansion<'a>, from: usize) -> Self {
        let num_layers = expansion.shape().num_layers();
        Self { expansion, from, views: (from..num_layers).map(|layer| expansion.view(layer)).collect() }
    }

    /// Returns the first layer that can be accessed.
    pub(super) fn from(&self) -> usize {
        self.from
    }

    /// Returns the relation state of an image pair.
    pub(super) fn relation_state(&self, layer: usize, pair: u32) -> u32 {
        self.views[layer - self.from].here.unpack(pair).0
    }

    /// Calls `emit` for each transition of a state, with the letter and a state of the next layer, `REJECT` or
    /// `ACCEPT`. Several calls for one letter stand for the union of the targets.
    #[inline]
    pub(super) fn advance(&self, input: usize, layer: usize, state: u32, mut emit: impl FnMut(usize, u32)) {
        let view = &self.views[layer - self.from];
        if input == IMAGE {
            return view.advance(state, emit);
        }
        let start = (state - FIRST) as usize * view.letters;
        let row = &view.sides[input - 1][start..start + view.letters];
        row.iter().enumerate().for_each(|(letter, &target)| emit(letter, target));
    }

    /// Creates an empty collection of states of `layer`.
    pub(super) fn none(&self, layer: usize) -> InputStates {
        let sides = self.expansion.sides();
        let of_side = || sides.iter().map(|side| Collector::new(side.num_states_from(layer) as u32 + FIRST));
        let image = Collector::new(self.expansion.pair_limit(layer));
        InputStates { states: std::iter::once(image).chain(of_side()).collect(), beside: of_side().collect() }
    }

    /// Adds the states of every `step`-th macrostate.
    pub(super) fn add(&self, wanted: &InputStates, macrostates: &Macrostates, step: usize) {
        macrostates.partitions.par_iter().for_each(|partition| {
            (0..partition.len())
                .step_by(step)
                .for_each(|place| self.add_macrostate(wanted, partition.macrostate(place)));
        });
    }

    fn add_macrostate(&self, wanted: &InputStates, macrostate: &[u32]) {
        let pairs = self.expansion.pairs(macrostate).unwrap_or(&[]);
        pairs.iter().for_each(|&pair| wanted.states[IMAGE].add(pair));
        for (j, &state) in macrostate[..self.expansion.sides().len()].iter().enumerate() {
            if state >= FIRST {
                wanted.states[j + 1].add(state);
            }
            if !pairs.is_empty() {
                wanted.beside[j].add(state);
            }
        }
    }

    /// Returns the bits at which the value may depend on the image. `sides[j]` contains the bits at which side set j
    /// may be 0 and those at which it may be 1.
    pub(super) fn bearing(&self, sides: &[[Vec<u64>; 2]], words: usize) -> Vec<u64> {
        let mut bearing = vec![0; words];
        let mut values = [false; MAX_SIDES];
        for assignment in 0..1u32 << sides.len() {
            let values = &mut values[..sides.len()];
            values.iter_mut().enumerate().for_each(|(j, value)| *value = assignment >> j & 1 == 1);
            if !self.expansion.formula().asks_for_image(values) {
                continue;
            }
            for (i, word) in bearing.iter_mut().enumerate() {
                let possible = |(j, &value): (usize, &bool)| sides[j][usize::from(value)][i];
                *word |= values.iter().enumerate().map(possible).fold(u64::MAX, |all, word| all & word);
            }
        }
        bearing
    }
}
