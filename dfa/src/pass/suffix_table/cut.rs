//! Where expansion ends and the suffix table begins.

use crate::error::{Error, Result};
use crate::shape::Shape;

use super::super::budget::Loan;
use super::super::classes::Classes;
use super::super::expand::Expansion;
use super::super::inputs::{Inputs, Wanted};
use super::super::macrostates::Macrostates;
use super::super::residuals::Residuals;

/// A layer with more suffixes is never the cut.
const MAX_SUFFIXES: usize = 1 << 20;
/// So few suffixes are written out whatever the number of macrostates.
const FEW_SUFFIXES: usize = 256;
/// Macrostates with fewer words for each state that would be written out are expanded instead: that costs less.
const WORDS_A_STATE: usize = 8;
/// Macrostates that tell how many classes there are.
const SAMPLE: usize = 1024;

/// The layer at which expansion ends.
#[derive(Clone)]
pub(in crate::pass) struct Cut {
    /// Most bits of a row.
    pub(super) most: usize,
    /// The first layer that may be the cut.
    first: usize,
    /// The last layer that may be the cut.
    last: usize,
    /// How many bits a row takes, from the last layer back, as far as that is at most [`Cut::most`]; from a sample.
    bits: Option<Vec<usize>>,
    /// Grows with each attempt that did not fit: rows must be expected to fit into such a part of the room.
    caution: u64,
}

impl Cut {
    pub(in crate::pass) fn new(shape: &Shape, most: usize) -> Self {
        let [first, last] =
            [MAX_SUFFIXES, FEW_SUFFIXES.min(most)].map(|suffixes| first_with(shape, suffixes));
        Self { most, first, last, bits: None, caution: 1 }
    }

    /// Whether expansion ends here whatever the macrostates.
    pub(in crate::pass) fn must_be(&self, layer: usize) -> bool {
        layer >= self.last
    }

    /// The states of the inputs in the `macrostates` of `layer`, if their residuals are to be written out. That is where suffixes
    /// are very few. It is also where the macrostates are long and many compared with those states, a row takes few enough
    /// bits, and the rows fit `room`.
    ///
    /// # Errors
    /// Those of [`Loan::resize`], but for a lack of memory.
    pub(in crate::pass) fn at(
        &mut self,
        expansion: &Expansion<'_>,
        layer: usize,
        macrostates: &Macrostates,
        room: u64,
        work: &Loan<'_>,
    ) -> Result<Option<Wanted>> {
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

    /// Makes later attempts more careful.
    pub(in crate::pass) fn did_not_fit(&mut self) {
        self.caution *= 2;
    }

    /// Takes over what another cut learnt from attempts that did not fit.
    pub(in crate::pass) fn be_as_careful_as(&mut self, other: &Self) {
        self.caution = self.caution.max(other.caution);
    }

    /// Lets no layer before `layer` be the cut any more.
    pub(super) fn no_earlier(&mut self, layer: usize, num_layers: usize) {
        if let Some(bits) = &mut self.bits {
            bits.truncate(num_layers - layer);
        }
    }
}

/// The first layer with at most `most` suffixes.
pub(in crate::pass) fn first_with(shape: &Shape, most: usize) -> usize {
    let mut suffixes = 1usize;
    let fits = |&layer: &usize| {
        suffixes = suffixes.saturating_mul(shape.num_letters(layer));
        suffixes <= most
    };
    (0..shape.num_layers()).rev().take_while(fits).last().unwrap_or(shape.num_layers())
}
