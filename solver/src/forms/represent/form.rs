//! The common interface of the alternative forms: a look-up, and two errors.

use crate::error::{Error, Result};

/// The codes of all positions of one side, by index.
pub trait Representation {
    /// Returns the name of the representation in comparisons.
    fn name(&self) -> String;

    /// Returns the number of positions.
    fn num_positions(&self) -> u64;

    /// Returns the number of bytes needed for look-ups, on disk or in memory.
    fn bytes(&self) -> u64;

    /// Returns the code of the position with the given index. May cache decoded data for the next call.
    ///
    /// # Errors
    /// Returns [`Error::PastTheEnd`] if the index is out of range.
    fn get(&mut self, index: u64) -> Result<u8>;
}

/// Returns the error for an index that is out of range.
pub(super) fn past_the_end(index: u64, num_positions: u64) -> Error {
    Error::PastTheEnd { index, num_positions }
}

/// Returns the error for a representation that would exceed the allowed number of bytes.
pub(super) fn too_large(what: &str, needed_bytes: u128, limit_bytes: u64) -> Error {
    Error::TooLarge { what: what.to_string(), needed_bytes, limit_bytes }
}
