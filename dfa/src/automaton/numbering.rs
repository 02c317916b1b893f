//! States are numbered in the order in which a breadth-first walk meets them.

use std::hint::black_box;

use crate::unique::FIRST;

/// Targets whose numbers are read together before they are needed, so that they are on their way from memory at once.
const TARGETS_AT_ONCE: usize = 128;

/// The states of a layer that were met so far, and the number of each.
pub(crate) struct Numbering {
    /// States in the order in which they were met.
    met: Vec<u32>,
    /// The number of each state; 0 for one that was not met.
    numbers: Vec<u32>,
}

impl Numbering {
    /// None was met. States are the numbers from [`FIRST`] on and below `limit`.
    ///
    /// Cost: one word for each number below `limit`, and one for each state that is met.
    pub(crate) fn new(limit: usize) -> Self {
        Self { met: Vec::new(), numbers: vec![0; limit] }
    }

    /// Puts in place of states their numbers. What is not a state stays as it is.
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

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.met.capacity() + self.numbers.len()) as u64
    }

    /// The states in the order in which they were met.
    pub(crate) fn into_met(self) -> Vec<u32> {
        self.met
    }
}

/// Numbers the states among `targets`, as [`Numbering`] does, and gives them in the order in which they are met.
pub(crate) fn number_as_met(targets: &mut [u32], limit: usize) -> Vec<u32> {
    let mut numbering = Numbering::new(limit);
    numbering.number(targets);
    numbering.into_met()
}
