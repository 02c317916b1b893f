//! Numbers states in the order in which a breadth-first traversal visits them.

use std::hint::black_box;

use crate::unique::FIRST;

/// The number of targets whose numbers are read in advance, so that their memory accesses overlap.
const TARGETS_AT_ONCE: usize = 128;

/// The states of a layer that have been visited, and the number of each.
pub(crate) struct Numbering {
    /// The states in the order in which they were visited.
    met: Vec<u32>,
    /// The number of each state, or 0 if the state has not been visited.
    numbers: Vec<u32>,
}

impl Numbering {
    /// Creates a numbering without visited states. States are the numbers from [`FIRST`] to `limit`, excluding `limit`.
    ///
    /// Cost: one word for each number below `limit`, and one for each visited state.
    pub(crate) fn new(limit: usize) -> Self {
        Self { met: Vec::new(), numbers: vec![0; limit] }
    }

    /// Replaces states by their numbers. Targets that are not states remain unchanged.
    pub(crate) fn number(&mut self, targets: &mut [u32]) {
        let Self { met, numbers } = self;
        let limit = numbers.len();
        let known = |target: u32| target >= FIRST && (target as usize) < limit;
        for targets in targets.chunks_mut(TARGETS_AT_ONCE) {
            let early =
                targets.iter().filter(|target| known(**target)).map(|&target| numbers[target as usize]);
            black_box(early.fold(0, |all, number| all ^ number));
            for target in targets.iter_mut().filter(|target| known(**target)) {
                let slot = &mut numbers[*target as usize];
                if *slot == 0 {
                    met.push(*target);
                    *slot = FIRST - 1 + met.len() as u32;
                }
                *target = *slot;
            }
        }
    }

    /// Returns the number of bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.met.capacity() + self.numbers.len()) as u64
    }

    /// Returns the states in the order in which they were visited.
    pub(crate) fn into_met(self) -> Vec<u32> {
        self.met
    }
}

/// Numbers the states among `targets` like [`Numbering`], and returns them in the order in which they were visited.
pub(crate) fn number_as_met(targets: &mut [u32], limit: usize) -> Vec<u32> {
    let mut numbering = Numbering::new(limit);
    numbering.number(targets);
    numbering.into_met()
}
