//! What a pass computes from its macrostates: states of a minimal automaton (`minimise.rs`) or counts (`tally.rs`).

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Shape;

use super::budget::{Bytes, Loan};
use super::copies::Copies;
use super::minimise::Finished;
use super::rows::RowStore;

/// A result computed from the macrostates of a layer and of all subsequent layers.
pub(super) trait Fold: Bytes + Sized {
    /// The result for the macrostate of the first layer.
    type Whole;

    /// Whether residuals that depend only on the first side set are copied from it.
    const COPIES: bool;

    /// Returns the whole result for the set of all words (`true`) or for the empty set (`false`).
    fn constant(shape: &Shape, value: bool) -> Self::Whole;

    /// Returns the whole result for a set that equals the first side set.
    ///
    /// # Errors
    /// Returns [`crate::Error::CountOverflow`] if the words of the set cannot be counted.
    fn copied(side: &Dfa) -> Result<Self::Whole>;

    /// Returns the whole result, given that of the only macrostate in the first layer.
    fn whole(self, shape: &Shape) -> Self::Whole;

    /// Returns the number of states of the whole result.
    fn num_states(whole: &Self::Whole) -> u64;

    /// Returns the result for layer `from` without macrostates.
    fn none(shape: &Shape, from: usize) -> Self;

    /// Returns the result for the last layers, from `layer` on.
    fn of_suffix_table(table: Finished, shape: &Shape, layer: usize) -> Self;

    /// Processes the layers from `cut` back to `from`, using the `rows` in between. There is a single part or, if the
    /// macrostates of the cut were distributed by letter, one part for each letter. `work` is the loan for everything
    /// except the pending rows.
    ///
    /// # Errors
    /// Returns the same errors as [`Loan::resize`], as well as [`crate::Error::TooManyStates`] and
    /// [`crate::Error::Io`].
    fn join(
        shape: &Shape,
        layers: (usize, usize),
        rows: RowStore<'_>,
        parts: Vec<Self>,
        copies: &Copies<'_>,
        work: &Loan<'_>,
    ) -> Result<Self>;
}
