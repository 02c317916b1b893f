//! Computes the rows of one layer from those of the next.

use std::hint::black_box;

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::unique::{ACCEPT, REJECT};

use super::super::bits::{Bits, ones, unite_bits};
use super::super::classes::Classes;
use super::super::columns::{BLOCK, Columns, columns_of};
use super::super::inputs::{IMAGE, Inputs};
use super::states::Found;
use super::{Level, Residuals, STRETCH};

/// The number of states of each input that are examined first, so that tasks begin with nearly all differences between
/// columns.
const SAMPLE: usize = 1 << 8;

/// Computes the rows of one layer from those of the next.
pub(super) struct Maker<'a, 'b> {
    pub(super) inputs: &'a Inputs<'b>,
    pub(super) layer: usize,
    pub(super) below: &'a Residuals,
}

impl Maker<'_, '_> {
    pub(super) fn num_letters(&self) -> usize {
        self.inputs.expansion.shape().num_letters(self.layer)
    }

    /// Returns the number of extensions.
    pub(super) fn num_extensions(&self) -> usize {
        self.num_letters() * self.below.len
    }

    /// Computes the `rows` of `states` over all extensions. Bits of the image are restricted to the extensions at which
    /// it affects the value. The rows of the next layer are looked up and touched for all states before they are
    /// united, so that many memory accesses overlap.
    fn extended(&self, input: usize, states: &[u32], bearing: &Bearing, rows: &mut [u64]) {
        let (words, len, below) = (bearing.extensions.len(), self.below.len, &self.below.rows[input]);
        rows.fill(0);
        let mut children: SmallVec<[(usize, usize, u32); 4 * BLOCK]> = SmallVec::new();
        for (i, &state) in states.iter().enumerate() {
            let row = &mut rows[i * words..(i + 1) * words];
            self.inputs.advance(input, self.layer, state, |letter, child| match child {
                REJECT => {}
                ACCEPT => unite_bits(row, letter * len, &bearing.full, 0, len),
                child => children.push((i, letter, child)),
            });
        }
        children.iter_mut().for_each(|(_, _, child)| *child = below.number(*child));
        black_box(children.iter().fold(0, |all, &(_, _, number)| all ^ below.touch(number)));
        for (i, letter, number) in children {
            let row = &mut rows[i * words..(i + 1) * words];
            unite_bits(row, letter * len, below.numbered(number), 0, len);
        }
        if input == IMAGE {
            let rows = rows.chunks_mut(words);
            rows.for_each(|row| {
                row.iter_mut().zip(&bearing.extensions).for_each(|(word, bears)| *word &= bears)
            });
        }
    }

    /// Determines which extensions have equal bits in all rows.
    pub(super) fn columns(&self, level: &Level, bearing: &Bearing) -> Columns {
        let mut columns = Columns::new(self.num_extensions());
        for (input, found) in level.states.iter().enumerate() {
            let step = (found.states.len() / SAMPLE).max(1);
            let sample: Vec<u32> = found.states.iter().copied().step_by(step).collect();
            self.blocks(input, &sample, bearing, |block| columns.refine(block));
        }
        let of_stretch = |(input, stretch): (usize, &[u32])| {
            let mut own = columns.clone();
            self.blocks(input, stretch, bearing, |block| own.refine(block));
            own
        };
        let stretches = stretches(&level.states).into_par_iter();
        stretches.map(of_stretch).reduce(|| columns.clone(), |a, b| a.meet(&b))
    }

    /// Calls `take` with the columns of each [`BLOCK`] of rows over extensions.
    fn blocks(&self, input: usize, states: &[u32], bearing: &Bearing, mut take: impl FnMut(&[u64])) {
        let words = bearing.extensions.len();
        let (mut rows, mut columns) = (vec![0; BLOCK * words], Vec::with_capacity(BLOCK * words));
        for states in states.chunks(BLOCK) {
            self.extended(input, states, bearing, &mut rows[..states.len() * words]);
            columns_of(&rows[..states.len() * words], words, &mut columns);
            take(&columns);
        }
    }

    /// Returns the extensions at which the value may depend on the image in some macrostate.
    pub(super) fn bearing(&self, beside: &[Vec<u32>]) -> Bearing {
        let len = self.num_extensions();
        let mut bearing = Bearing { full: ones(self.below.len), extensions: ones(len) };
        let all = bearing.extensions.clone();
        // The bits at which some state has a zero, and those at which some state has a one.
        let possible = |j: usize, states: &[u32]| {
            let mut found = [vec![0; all.len()], vec![0; all.len()]];
            let mut row = vec![0; all.len()];
            for &state in states {
                match state {
                    REJECT => row.fill(0),
                    ACCEPT => row.copy_from_slice(&all),
                    state => self.extended(j + 1, &[state], &bearing, &mut row),
                }
                for (i, word) in row.iter().enumerate() {
                    found[0][i] |= !word & all[i];
                    found[1][i] |= word;
                }
            }
            found
        };
        let unite = |mut a: [Vec<u64>; 2], b: [Vec<u64>; 2]| {
            a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a |= b);
            a
        };
        let nothing = || [vec![0; all.len()], vec![0; all.len()]];
        let of_side = |(j, states): (usize, &Vec<u32>)| {
            states.par_chunks(STRETCH).map(|states| possible(j, states)).reduce(nothing, unite)
        };
        let sides: Vec<[Vec<u64>; 2]> = beside.iter().enumerate().map(of_side).collect();
        let bears = self.inputs.bearing(&sides, all.len());
        bearing.extensions.iter_mut().zip(bears).for_each(|(word, bears)| *word &= bears);
        bearing
    }

    /// Computes the rows of all states over `classes`.
    pub(super) fn rows(&self, level: &Level, bearing: &Bearing, classes: &Classes) -> Vec<Bits> {
        let apart = classes.len() == self.num_extensions();
        let of_input = |(input, found): (usize, &Found)| {
            let mut bits = Bits::new(classes.len());
            let len = found.states.len() * bits.words;
            bits.rows = rayon::iter::repeat_n(0, len).with_min_len(STRETCH).collect();
            let of_stretch = |(rows, states): (&mut [u64], &[u32])| {
                if apart {
                    let rows = rows.chunks_mut(BLOCK * bits.words).zip(states.chunks(BLOCK));
                    return rows.for_each(|(rows, states)| self.extended(input, states, bearing, rows));
                }
                let mut blocks = rows.chunks_mut(BLOCK * bits.words);
                self.blocks(input, states, bearing, |columns| {
                    blocks.next().into_iter().for_each(|rows| classes.pick(columns, rows));
                });
            };
            let rows = bits.rows.par_chunks_mut(STRETCH * bits.words);
            rows.zip(found.states.par_chunks(STRETCH)).for_each(of_stretch);
            bits
        };
        level.states.iter().enumerate().map(of_input).collect()
    }
}

/// The extensions at which the image affects the value.
pub(super) struct Bearing {
    /// A row in which all classes of the next layer are set.
    full: Vec<u64>,
    extensions: Vec<u64>,
}

/// Divides the states of all inputs into ranges.
fn stretches(states: &[Found]) -> Vec<(usize, &[u32])> {
    let of_input = |(input, found)| -> (usize, &Found) { (input, found) };
    states
        .iter()
        .enumerate()
        .map(of_input)
        .flat_map(|(input, found)| found.states.chunks(STRETCH).map(move |stretch| (input, stretch)))
        .collect()
}
