//! What every form of a sector can be asked.

use nerode_games::Value;
use nerode_games::morris::State;

use nerode_solver::error::Result;

/// A stored sector.
pub trait SectorForm {
    /// What it is called in comparisons.
    fn name(&self) -> String;

    /// Bytes that look-ups need; see the invariant of the module.
    fn bytes(&self) -> u64;

    /// The value of a position of the sector. May keep what it decoded for the next call.
    ///
    /// # Errors
    /// [`nerode_solver::error::Error::MissingSector`] when a sector that must be looked at is not there.
    fn value(&mut self, state: State) -> Result<Value>;

    /// Plies to the end, `None` for draws; `None` altogether where the form does not keep them.
    ///
    /// # Errors
    /// As for [`SectorForm::value`].
    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        let _ = state;
        Ok(None)
    }
}
