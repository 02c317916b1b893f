//! The layers of a set that are reachable from some states of a layer, with new numbers.

use crate::automaton::Dfa;
use crate::unique::{FIRST, REJECT};

/// The number of bits in a word.
const BITS: usize = u64::BITS as usize;

/// The layers of a set from the cut on, as far as they are reachable from some states of the cut.
pub(super) struct Part {
    pub(super) set: Dfa,
    /// The chosen states of the cut.
    states: Chosen,
}

impl Part {
    /// Creates the part of a set that is reachable from `states` of the layer `cut`, which may include constants.
    ///
    /// Cost: the rows of the part, and one bit for each state of the set.
    pub(super) fn new(set: &Dfa, cut: usize, states: impl Iterator<Item = u32>) -> Self {
        let shape = set.shape();
        let mut layers = vec![Vec::new(); cut];
        let states = Chosen::new(set.num_states_from(cut), states);
        let mut below: Option<Chosen> = None;
        for layer in cut..shape.num_layers() {
            let here = below.as_ref().unwrap_or(&states);
            let letters = shape.num_letters(layer);
            let mut rows = Vec::with_capacity(here.len() * letters);
            for state in here.all() {
                let start = state * letters;
                rows.extend_from_slice(&set.raw_rows(layer)[start..start + letters]);
            }
            let next = Chosen::new(set.num_states_from(layer + 1), rows.iter().copied());
            rows.iter_mut().for_each(|target| *target = next.number(*target));
            layers.push(rows);
            below = Some(next);
        }
        Self { set: Dfa::from_canonical(shape.clone(), REJECT, layers), states }
    }

    /// Returns the new number of a constant or of a state of the cut.
    pub(super) fn of(&self, state: u32) -> u32 {
        self.states.number(state)
    }
}

/// A subset of the states of a layer, numbered in their order.
struct Chosen {
    bits: Vec<u64>,
    /// The number of chosen states before each word of `bits`, followed by the total number.
    before: Vec<u32>,
}

impl Chosen {
    /// Chooses the states among `targets`, where the layer has `num_states` states.
    fn new(num_states: usize, targets: impl Iterator<Item = u32>) -> Self {
        let mut bits = vec![0; num_states.div_ceil(BITS)];
        for target in targets.filter(|&target| target >= FIRST) {
            let state = (target - FIRST) as usize;
            bits[state / BITS] |= 1 << (state % BITS);
        }
        let count = |all: &mut u32, word: &u64| {
            let before = *all;
            *all += word.count_ones();
            Some(before)
        };
        let before = bits.iter().chain([&0]).scan(0, count).collect();
        Self { bits, before }
    }

    fn len(&self) -> usize {
        self.before.last().map_or(0, |&all| all as usize)
    }

    /// Returns the chosen states, numbered from 0.
    fn all(&self) -> impl Iterator<Item = usize> {
        let of_word = |(at, &word): (usize, &u64)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < BITS).then_some(at * BITS + bit)
            })
        };
        self.bits.iter().enumerate().flat_map(of_word)
    }

    /// Returns the new number of a target. Constants keep their numbers, and states are numbered among the chosen ones.
    fn number(&self, target: u32) -> u32 {
        if target < FIRST {
            return target;
        }
        let state = (target - FIRST) as usize;
        let lower = self.bits[state / BITS] & ((1 << (state % BITS)) - 1);
        FIRST + self.before[state / BITS] + lower.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_numbered_in_their_order() {
        let targets = [0, 1, FIRST, FIRST + 63, FIRST + 64, FIRST + 199, FIRST + 64];
        let chosen = Chosen::new(200, targets.into_iter());
        assert_eq!(chosen.all().collect::<Vec<_>>(), [0, 63, 64, 199]);
        assert_eq!(chosen.len(), 4);
        let numbers: Vec<u32> = targets.iter().map(|&target| chosen.number(target)).collect();
        assert_eq!(numbers, [0, 1, FIRST, FIRST + 1, FIRST + 2, FIRST + 3, FIRST + 2]);
        assert_eq!(Chosen::new(0, [0, 1].into_iter()).len(), 0);
    }
}
