//! What the other forms have in common: codes of values, a look-up, and two errors.

use crate::error::{Error, Result};

/// Code of a position that is not decided.
pub const UNKNOWN: u8 = 0;
/// Code of a loss for the side to move.
pub const LOSS: u8 = 1;
/// Code of a proved draw.
pub const DRAW: u8 = 2;
/// Code of a win for the side to move.
pub const WIN: u8 = 3;

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
    /// [`Error::Unsupported`] past the last index.
    fn get(&mut self, index: u64) -> Result<u8>;
}

/// The error for an index that does not exist.
pub(super) fn past_the_end(index: u64, num_positions: u64) -> Error {
    Error::Unsupported(format!("index {index} is past the {num_positions} positions"))
}

/// The error for a representation that would take more than the bytes allowed.
pub(super) fn too_large(what: &str, needed_bytes: u128, limit_bytes: u64) -> Error {
    Error::TooLarge { what: what.to_string(), needed_bytes, limit_bytes }
}
