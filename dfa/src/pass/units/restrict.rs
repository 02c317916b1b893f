//! What the keys of one unit lead to in each set, with numbers of its own.
//!
//! An image pair is a state of the relation and one of the set in 32 bits. A set with more states in a layer than that allows is not
//! moved in one pass. The part of it that one unit needs has fewer states.

use crate::automaton::Dfa;
use crate::unique::{FIRST, REJECT};

use super::super::children::{FULL, Packing};

/// The layers of a set from the cut on, as far as some states of the cut lead to them.
struct Part {
    set: Dfa,
    /// The states of the cut, ascending; they are numbered in this order.
    states: Vec<u32>,
}

impl Part {
    fn new(set: &Dfa, cut: usize, mut states: Vec<u32>) -> Self {
        states.sort_unstable();
        states.dedup();
        let shape = set.shape();
        let mut layers = vec![Vec::new(); cut];
        let mut here = states.clone();
        for layer in cut..shape.num_layers() {
            let letters = shape.num_letters(layer);
            let mut rows = Vec::with_capacity(here.len() * letters);
            for state in here {
                let start = (state - FIRST) as usize * letters;
                rows.extend_from_slice(&set.raw_rows(layer)[start..start + letters]);
            }
            let mut number = vec![REJECT; FIRST as usize + set.num_states_from(layer + 1)];
            rows.iter().filter(|target| **target >= FIRST).for_each(|&state| number[state as usize] = FIRST);
            here = (FIRST..number.len() as u32).filter(|&state| number[state as usize] == FIRST).collect();
            (FIRST..).zip(&here).for_each(|(new, &state)| number[state as usize] = new);
            rows.iter_mut().filter(|t| **t >= FIRST).for_each(|target| *target = number[*target as usize]);
            layers.push(rows);
        }
        Self { set: Dfa::from_canonical(shape.clone(), REJECT, layers), states }
    }

    /// The new number of a constant or of a state of the cut.
    fn of(&self, state: u32) -> u32 {
        if state < FIRST { state } else { FIRST + self.states.partition_point(|&s| s < state) as u32 }
    }
}

/// The parts of the set that is moved and of the side sets that some keys lead to.
pub(super) struct Restricted {
    moved: Part,
    sides: Vec<Part>,
    /// How image pairs of the keys are packed.
    packing: Packing,
}

impl Restricted {
    pub(super) fn new(moved: &Dfa, sides: &[&Dfa], cut: usize, packing: Packing, keys: &[&[u32]]) -> Self {
        let pairs = |key: &&[u32]| -> Vec<u32> { key[sides.len()..].to_vec() };
        let states = keys.iter().flat_map(pairs).filter(|&pair| pair != FULL);
        let states = states.map(|pair| packing.unpack(pair).1).filter(|&state| state >= FIRST);
        let of_side = |(j, side): (usize, &&Dfa)| {
            Part::new(side, cut, keys.iter().map(|key| key[j]).filter(|&state| state >= FIRST).collect())
        };
        Self {
            moved: Part::new(moved, cut, states.collect()),
            sides: sides.iter().enumerate().map(of_side).collect(),
            packing,
        }
    }

    /// The part of the set that is moved.
    pub(super) fn moved(&self) -> &Dfa {
        &self.moved.set
    }

    /// The parts of the side sets.
    pub(super) fn sides(&self) -> Vec<&Dfa> {
        self.sides.iter().map(|part| &part.set).collect()
    }

    /// A key in the new numbers, with image pairs as `packing` has them. Their order stays.
    pub(super) fn key(&self, key: &[u32], packing: Packing) -> Vec<u32> {
        let (sides, pairs) = key.split_at(self.sides.len());
        let pair = |&pair: &u32| match pair {
            FULL => FULL,
            pair => {
                let (relation, state) = self.packing.unpack(pair);
                packing.pack(relation, self.moved.of(state))
            }
        };
        let sides = sides.iter().zip(&self.sides).map(|(&state, part)| part.of(state));
        sides.chain(pairs.iter().map(pair)).collect()
    }
}
