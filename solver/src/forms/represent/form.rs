//! What the other forms have in common: a look-up, and two errors.

use crate::error::{Error, Result};

/// The codes of all positions of one side, by index.
pub trait Representation {
    /// What it is called in comparisons.
    fn name(&self) -> String;

    /// Number of positions.
    fn num_positions(&self) -> u64;

    /// Bytes that lookups need, on disk or in memory.
    fn bytes(&self) -> u64;

    /// Code of the position with that index. May keep what it decoded for the next call.
    ///
    /// # Errors
    /// [`Error::PastTheEnd`] past the last index.
    fn get(&mut self, index: u64) -> Result<u8>;
}

/// The error for an index that does not exist.
pub(super) fn past_the_end(index: u64, num_positions: u64) -> Error {
    Error::PastTheEnd { index, num_positions }
}

/// The error for a representation that would take more than the bytes allowed.
pub(super) fn too_large(what: &str, needed_bytes: u128, limit_bytes: u64) -> Error {
    Error::TooLarge { what: what.to_string(), needed_bytes, limit_bytes }
}
