//! The common interface of all forms of a sector.

use nerode_games::Value;
use nerode_games::morris::State;

use nerode_solver::error::Result;

/// A stored sector.
pub trait SectorForm {
    /// Returns the name of the form in comparisons.
    fn name(&self) -> String;

    /// Returns the number of bytes that look-ups need; see the invariant of the module.
    fn bytes(&self) -> u64;

    /// Returns the value of a position of the sector. May cache decoded data for the next call.
    ///
    /// # Errors
    /// Returns [`nerode_solver::error::Error::MissingSector`] if a sector needed for the look-up is missing.
    fn value(&mut self, state: State) -> Result<Value>;

    /// Returns the number of plies to the end, with `Some(None)` for draws, or `None` if the form does not store
    /// depths.
    ///
    /// # Errors
    /// Returns the same errors as [`SectorForm::value`].
    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        let _ = state;
        Ok(None)
    }
}
