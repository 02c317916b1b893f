//! What a pass makes of its macrostates: states of a minimal automaton (`minimise.rs`), or counts (`tally.rs`).

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Shape;

use super::budget::{Bytes, Loan};
use super::copies::Copies;
use super::minimise::Finished;
use super::rows::RowStore;

/// What is made of the macrostates of a layer and of all layers after it.
pub(super) trait Fold: Bytes + Sized {
    /// What the macrostate of the whole result becomes.
    type Whole;

    /// Whether residuals that depend on the first side set alone are copied from it.
    const COPIES: bool;

    /// The whole if it is every word, or none.
    fn constant(shape: &Shape, value: bool) -> Self::Whole;

    /// The whole if it is the first side set.
    ///
    /// # Errors
    /// [`crate::Error::CountOverflow`].
    fn copied(side: &Dfa) -> Result<Self::Whole>;

    /// The whole, from what the first layer's only macrostate became.
    fn whole(self, shape: &Shape) -> Self::Whole;

    /// States of the whole.
    fn num_states(whole: &Self::Whole) -> u64;

    /// For layer `from` without macrostates.
    fn none(shape: &Shape, from: usize) -> Self;

    /// Of the last layers, from `layer` on.
    fn of_suffix_table(table: Finished, shape: &Shape, layer: usize) -> Self;

    /// Goes from layer `cut` back to layer `from`, by the `rows` between. There is one part, or, where macrostates of the cut
    /// were dealt by letter, one part for each letter. `work` is the loan for all of this but the rows that wait.
    ///
    /// # Errors
    /// Those of [`Loan::resize`]; [`crate::Error::TooManyStates`]; [`crate::Error::Io`].
    fn join(
        shape: &Shape,
        layers: (usize, usize),
        rows: RowStore<'_>,
        parts: Vec<Self>,
        copies: &Copies<'_>,
        work: &Loan<'_>,
    ) -> Result<Self>;
}
