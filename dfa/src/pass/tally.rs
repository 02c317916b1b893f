//! Counts instead of states: the number of words that the macrostates of a layer represent.
//!
//! The counts are of continuations, and there are at most as many continuations as words of the shape. Therefore sums
//! cannot overflow if the number of words of the shape fits into 128 bits.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Shape;
use crate::unique::{ACCEPT, REJECT};

use super::budget::{Bytes, Loan};
use super::copies::Copies;
use super::fold::Fold;
use super::macrostates::{PARTITIONS, split};
use super::minimise::Finished;
use super::rows::{RowStore, Rows};

/// The number of words that each macrostate or state of a layer represents, by partition.
pub(super) struct Tally(Vec<Vec<u128>>);

impl Tally {
    /// Creates a tally without counts.
    fn empty() -> Self {
        Self(vec![Vec::new(); PARTITIONS])
    }

    /// Counts the words of the rows of `layer`. `below` contains the counts of their targets, as one tally or as one
    /// tally for each letter.
    fn of_rows(shape: &Shape, layer: usize, rows: &Rows, below: &[Tally]) -> Self {
        let letters = shape.num_letters(layer);
        let all = words_from(shape, layer + 1);
        let of_letter = |letter: usize| &below[if below.len() > 1 { letter } else { 0 }];
        let of_row = |row: &[u32]| -> u128 {
            row.iter().enumerate().map(|(letter, &target)| of_letter(letter).of(target, all)).sum()
        };
        Self(rows.0.par_iter().map(|rows| rows.chunks(letters).map(of_row).collect()).collect())
    }

    /// Returns the number of words of a target, where `all` is the number of all continuations.
    #[inline]
    fn of(&self, target: u32, all: u128) -> u128 {
        match target {
            REJECT => 0,
            ACCEPT => all,
            macrostate => {
                let (partition, place) = split(macrostate);
                self.0[partition][place]
            }
        }
    }
}

impl Bytes for Tally {
    fn bytes(&self) -> u64 {
        (size_of::<u128>() * self.0.iter().map(Vec::len).sum::<usize>()) as u64
    }
}

impl Fold for Tally {
    type Whole = u128;

    /// If residuals were copied, the copies would have to be counted separately.
    const COPIES: bool = false;

    fn constant(shape: &Shape, value: bool) -> u128 {
        if value { words_from(shape, 0) } else { 0 }
    }

    fn copied(side: &Dfa) -> Result<u128> {
        side.count()
    }

    fn whole(self, _: &Shape) -> u128 {
        self.0.into_iter().flatten().next().unwrap_or(0)
    }

    fn num_states(_: &u128) -> u64 {
        0
    }

    fn none(_: &Shape, _: usize) -> Self {
        Self::empty()
    }

    fn of_suffix_table(suffixes: Finished, shape: &Shape, from: usize) -> Self {
        let mut below = Self::empty();
        for (i, table) in suffixes.tables.into_iter().enumerate().rev() {
            below = Self::of_rows(shape, from + i, &Rows(table.shards), &[below]);
        }
        let all = words_from(shape, from);
        let of = |states: &Vec<u32>| states.iter().map(|&state| below.of(state, all)).collect();
        Self(suffixes.states.par_iter().map(of).collect())
    }

    fn join(
        shape: &Shape,
        (from, cut): (usize, usize),
        mut rows: RowStore<'_>,
        mut parts: Vec<Self>,
        _: &Copies<'_>,
        work: &Loan<'_>,
    ) -> Result<Self> {
        for layer in (from..cut).rev() {
            let Some(here) = rows.pop()? else { break };
            let done: u64 = parts.iter().map(Self::bytes).sum();
            let coming = here.bytes() / (4 * shape.num_letters(layer) as u64) * size_of::<u128>() as u64;
            work.resize(here.bytes() + done + coming)?;
            parts = vec![Self::of_rows(shape, layer, &here, &parts)];
        }
        Ok(parts.pop().unwrap_or_else(Self::empty))
    }
}

/// Returns the number of words over the layers from `layer` on.
fn words_from(shape: &Shape, layer: usize) -> u128 {
    (layer..shape.num_layers()).map(|layer| shape.num_letters(layer) as u128).product()
}
