//! Residuals of the states of all inputs in the last layers, represented as rows of bits.
//!
//! A state of the image is an image pair, and a state of a side set is a state of its automaton. A row has one bit for
//! each class of suffixes. Rows are computed from the last layer backwards. The rows of a layer are first computed over
//! *extensions*, which are pairs of a letter and a class of the next layer. Then extensions whose bits are equal in all
//! rows are combined into one class.
//!
//! The image matters only at *bearing* extensions, where the side sets do not already determine the value. Its
//! other bits are set to 0.
//!
//! Image pairs whose children have equal rows share a row. This is common in the middle of a move, because only those
//! words of the set matter that have the letters required by the rest of the move.

mod maker;
mod merge;
mod states;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::error::Result;
use crate::unique::FIRST;

use maker::Maker;
use states::Found;
pub(super) use states::{Collector, StateRows};

use super::bits::Bits;
use super::budget::Loan;
use super::classes::Classes;
use super::columns::{BLOCK, Columns};
use super::inputs::{IMAGE, InputStates, Inputs};

/// The number of states that a task processes.
const STRETCH: usize = 1 << 12;
/// Rows of bits for the states of all inputs in one layer. Two suffixes belong to one class and share a bit if no state
/// of this layer or of the preceding layers distinguishes them where the value depends on it.
pub(super) struct Residuals {
    pub(super) layer: usize,
    /// The rows of each input.
    pub(super) rows: Vec<StateRows>,
    /// The number of bits in a row.
    pub(super) len: usize,
    /// The classes of this layer and of all subsequent layers.
    pub(super) classes: Vec<Classes>,
}

/// The states of one layer whose residuals are needed.
struct Level {
    states: Vec<Found>,
    beside: Vec<Vec<u32>>,
}

impl Residuals {
    /// Computes the residuals of the states `wanted` in the first layer of `inputs`. If a row would take more than
    /// `most` bits, or all rows together more than `room` bytes, computes the residuals of the first layer for which
    /// this is not the case.
    ///
    /// Cost: for each layer, a hash of each state's children, and twice the number of different rows times the number
    /// of classes of the layer below.
    ///
    /// # Errors
    /// Returns the same errors as [`Loan::resize`].
    pub(super) fn new(
        inputs: &Inputs<'_>,
        wanted: InputStates,
        (most, room): (usize, u64),
        work: &Loan<'_>,
    ) -> Result<Self> {
        let num_layers = inputs.expansion.shape().num_layers();
        let mut levels = vec![Level::new(wanted)];
        for layer in inputs.from()..num_layers {
            let next = Level::new(levels[levels.len() - 1].next(inputs, layer));
            levels.push(next);
            work.resize(levels.iter().map(Level::bytes).sum())?;
        }
        let mut below = Self::end(num_layers, levels.pop());
        while let Some(mut level) = levels.pop() {
            let maker = Maker { inputs, layer: below.layer - 1, below: &below };
            if maker.num_extensions() > most {
                break;
            }
            let held = levels.iter().map(Level::bytes).sum::<u64>() + below.bytes();
            work.resize(held + level.bytes() + maker.bytes_to_merge(&level))?;
            let numbers = maker.merge(&mut level);
            let bearing = maker.bearing(&level.beside);
            // No layer precedes the first one, so combining columns would save nothing.
            let columns = if levels.is_empty() {
                Columns::apart(maker.num_extensions())
            } else {
                maker.columns(&level, &bearing)
            };
            let classes = Classes::new(maker.num_letters(), below.len, &columns);
            let bytes = (8 * classes.len().div_ceil(64) * level.len()) as u64;
            if bytes > room {
                break;
            }
            work.resize(held + level.bytes() + 4 * numbers[IMAGE].len() as u64 + bytes)?;
            let rows: Vec<Bits> = maker.rows(&level, &bearing, &classes);
            let layer = maker.layer;
            let rows = level.states.into_iter().zip(numbers).zip(rows);
            let states =
                |((found, numbers), bits): ((Found, _), _)| StateRows { places: found.places, numbers, bits };
            let rows = rows.map(states).collect();
            let len = classes.len();
            let mut all = below.classes;
            all.insert(0, classes);
            below = Self { layer, rows, len, classes: all };
        }
        Ok(below)
    }

    /// Returns the residuals after the last layer, where the only suffix is the empty one.
    fn end(layer: usize, level: Option<Level>) -> Self {
        let of_one = |found: Found| {
            let rows = vec![1; found.states.len()];
            StateRows { bits: Bits { len: 1, words: 1, rows }, numbers: Vec::new(), places: found.places }
        };
        let rows = level.into_iter().flat_map(|level| level.states).map(of_one).collect();
        Self { layer, rows, len: 1, classes: Vec::new() }
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.iter().map(StateRows::bytes).sum()
    }
}

impl Level {
    /// Returns the number of states.
    fn len(&self) -> usize {
        self.states.iter().map(|found| found.states.len()).sum()
    }

    /// Returns the number of bytes held.
    fn bytes(&self) -> u64 {
        let of = |found: &Found| 4 * found.states.capacity() + 16 * found.places.0.capacity();
        self.states.iter().map(of).sum::<usize>() as u64
    }

    fn new(wanted: InputStates) -> Self {
        Self {
            states: wanted.states.into_iter().map(Collector::finish).collect(),
            beside: wanted.beside.into_iter().map(|states| states.finish().states).collect(),
        }
    }

    /// Returns the states of the next layer to which these states lead.
    fn next(&self, inputs: &Inputs<'_>, layer: usize) -> InputStates {
        let next = inputs.none(layer + 1);
        for (input, found) in self.states.iter().enumerate() {
            found.states.par_chunks(BLOCK).with_min_len(STRETCH / BLOCK).for_each(|states| {
                let mut children: SmallVec<[u32; 4 * BLOCK]> = SmallVec::new();
                for &state in states {
                    inputs.advance(input, layer, state, |_, child| children.push(child));
                }
                children.retain(|child| *child >= FIRST);
                next.states[input].add_all(&children);
            });
        }
        for (j, states) in self.beside.iter().enumerate() {
            for &state in states {
                if state < FIRST {
                    next.beside[j].add(state);
                } else {
                    inputs.advance(j + 1, layer, state, |_, child| next.beside[j].add(child));
                }
            }
        }
        next
    }
}
