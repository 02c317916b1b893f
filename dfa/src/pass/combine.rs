//! Boolean functions of sets, computed as a pass without moves.

use crate::automaton::Dfa;
use crate::error::Result;
use crate::formula::Formula;

use super::Passes;
use super::minimise::Finished;
use super::steps::Steps;

impl Passes {
    /// Computes `{ y : f([y ∈ side for each side]) }`, a Boolean function of at most [`crate::MAX_SIDES`] sets, in one
    /// product.
    ///
    /// # Errors
    /// Returns the same errors as [`Passes::image`].
    ///
    /// # Panics
    /// Panics if `sides` is empty or contains more than [`crate::MAX_SIDES`] sets.
    pub fn combine(&self, sides: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        assert!(!sides.is_empty(), "at least one set is required");
        self.combine_by(sides, &Formula::new(sides.len(), &|_, sides| f(sides)))
    }

    fn combine_by(&self, sides: &[&Dfa], formula: &Formula) -> Result<Dfa> {
        let shape = sides[0].shape();
        let nothing = Dfa::empty(shape);
        let result = self.work::<Finished>((&nothing, false), &Steps::new(shape, &[]), sides, formula)?;
        let result = self.in_files(result)?;
        self.charge(&result);
        Ok(result)
    }
}
