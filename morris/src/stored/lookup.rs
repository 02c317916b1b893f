//! What a look-up in sectors says about a missing sector.

use nerode_games::Value;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::Evaluation;

/// Converts a look-up in sectors. A missing sector means that the position is not covered.
pub(super) fn covered(evaluation: Result<(Value, Option<u16>)>) -> Result<Evaluation> {
    match evaluation {
        Ok(known) => Ok(Evaluation::of_plies(known)),
        Err(Error::MissingSector { .. }) => Ok(Evaluation::of(None)),
        Err(other) => Err(other),
    }
}

/// Returns the sector that a failed look-up reports as missing.
pub(super) fn missing<T>(evaluation: Result<T>) -> Result<Option<String>> {
    match evaluation {
        Ok(_) => Ok(None),
        Err(Error::MissingSector { sector, .. }) => Ok(Some(sector)),
        Err(other) => Err(other),
    }
}
