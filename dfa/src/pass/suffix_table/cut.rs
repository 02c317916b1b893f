//! The choice of the layer at which expansion ends and the suffix table begins.

use crate::error::{Error, Result};
use crate::shape::Shape;

use super::super::budget::Loan;
use super::super::classes::Classes;
use super::super::expand::Expansion;
use super::super::inputs::{InputStates, Inputs};
use super::super::macrostates::Macrostates;
use super::super::residuals::Residuals;

/// A layer with more suffixes is never chosen as the cut.
const MAX_SUFFIXES: usize = 1 << 20;
/// If there are at most this many suffixes, residuals are represented explicitly regardless of the number of
/// macrostates.
const FEW_SUFFIXES: usize = 256;
/// If macrostates have fewer words than this for each state whose residual would be represented explicitly, they are
/// expanded instead, which costs less.
const WORDS_A_STATE: usize = 8;
/// The number of sampled macrostates from which the number of classes is estimated.
const SAMPLE: usize = 1024;

/// The layer at which expansion ends.
#[derive(Clone)]
pub(in crate::pass) struct Cut {
    /// The maximum number of bits in a row.
    pub(super) most: usize,
    /// The first layer that may be the cut.
    first: usize,
    /// The last layer that may be the cut.
    last: usize,
    /// The number of bits of a row, from the last layer backwards, as long as it does not exceed [`Cut::most`].
    /// Estimated from a sample.
    bits: Option<Vec<usize>>,
    /// Grows with each attempt that did not fit. Rows must be expected to fit into the room divided by this number.
    caution: u64,
}

impl Cut {
    pub(in crate::pass) fn new(shape: &Shape, most: usize) -> Self {
        let [first, last] =
            [MAX_SUFFIXES, FEW_SUFFIXES.min(most)].map(|suffixes| first_with(shape, suffixes));
        Self { most, first, last, bits: None, caution: 1 }
    }

    /// Returns `true` if expansion must end at this layer, regardless of the macrostates.
    pub(in crate::pass) fn must_be(&self, layer: usize) -> bool {
        layer >= self.last
    }

    /// Returns the states of the inputs in the `macrostates` of `layer` if their residuals should be represented
    /// explicitly. This is the case if there are very few suffixes. It is also the case if the macrostates are long and
    /// numerous compared with these states, a row takes few enough bits, and the rows fit into `room`.
    ///
    /// # Errors
    /// Returns the same errors as [`Loan::resize`], except for a lack of memory.
    pub(in crate::pass) fn at(
        &mut self,
        expansion: &Expansion<'_>,
        layer: usize,
        macrostates: &Macrostates,
        room: u64,
        work: &Loan<'_>,
    ) -> Result<Option<InputStates>> {
        if layer < self.first {
            return Ok(None);
        }
        let inputs = Inputs::new(expansion, layer);
        let wanted = inputs.none(layer);
        inputs.add(&wanted, macrostates, 1);
        if self.must_be(layer) {
            return Ok(Some(wanted));
        }
        if macrostates.num_words() < WORDS_A_STATE * wanted.len() {
            return Ok(None);
        }
        let num_layers = expansion.shape().num_layers();
        if self.bits.is_none() {
            let sample = inputs.none(layer);
            inputs.add(&sample, macrostates, (macrostates.len() / SAMPLE).max(1));
            let classes = match Residuals::new(&inputs, sample, (self.most, u64::MAX), work) {
                Err(Error::OutOfMemory { .. }) => return Ok(None),
                residuals => residuals?.classes,
            };
            let of_layer =
                |(layer, classes): (usize, &Classes)| expansion.shape().num_letters(layer) * classes.below();
            self.bits = Some((layer..num_layers).rev().zip(classes.iter().rev()).map(of_layer).collect());
        }
        let bits = self.bits.iter().flatten().nth(num_layers - 1 - layer);
        let bytes = bits.map(|bits| (8 * bits.div_ceil(64) * wanted.len()) as u64);
        Ok(bytes.is_some_and(|bytes| bytes <= room / self.caution).then_some(wanted))
    }

    /// Makes later attempts more cautious.
    pub(in crate::pass) fn did_not_fit(&mut self) {
        self.caution *= 2;
    }

    /// Adopts the caution of another cut if it is greater.
    pub(in crate::pass) fn be_as_careful_as(&mut self, other: &Self) {
        self.caution = self.caution.max(other.caution);
    }

    /// Excludes all layers before `layer` from being the cut.
    pub(super) fn no_earlier(&mut self, layer: usize, num_layers: usize) {
        if let Some(bits) = &mut self.bits {
            bits.truncate(num_layers - layer);
        }
    }
}

/// Returns the first layer with at most `most` suffixes.
pub(in crate::pass) fn first_with(shape: &Shape, most: usize) -> usize {
    let mut suffixes = 1usize;
    let fits = |&layer: &usize| {
        suffixes = suffixes.saturating_mul(shape.num_letters(layer));
        suffixes <= most
    };
    (0..shape.num_layers()).rev().take_while(fits).last().unwrap_or(shape.num_layers())
}
