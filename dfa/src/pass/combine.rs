//! Boolean functions of sets, as a pass that moves nothing.

use crate::automaton::Dfa;
use crate::error::Result;
use crate::formula::Formula;

use super::Passes;
use super::minimise::Finished;
use super::steps::Steps;

impl Passes {
    /// `{ y : f([y ∈ side for each side]) }`: a Boolean function of at most [`crate::MAX_SIDES`] sets, in one product.
    ///
    /// # Errors
    /// As [`Passes::image`].
    ///
    /// # Panics
    /// With no set, or more than [`crate::MAX_SIDES`].
    pub fn combine(&self, sides: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        assert!(!sides.is_empty(), "a Boolean function of at least one set");
        let shape = sides[0].shape();
        let nothing = Dfa::empty(shape);
        let formula = Formula::new(sides.len(), |_, sides| f(sides));
        let result = self.work::<Finished>((&nothing, false), &Steps::new(shape, &[]), sides, &formula)?;
        let result = self.in_files(result)?;
        self.charge(&result);
        Ok(result)
    }
}
