//! Other ways to keep the values of all positions, to be compared with automata: packed arrays, run-length coding, zstd
//! blocks, binary decision diagrams.
//!
//! The array forms are built from runs `(code, length)` in index order and answer [`Representation::get`] for an index;
//! `bdd` (cargo feature `bdd`) is built from automata and answers for a word. Codes are [`UNKNOWN`], [`LOSS`], [`DRAW`], [`WIN`].
//!
//! Invariants: a representation gives back every code it was built from; [`Representation::bytes`] counts all that a
//! lookup needs, indices included, and nothing else. Building stops with an error, not with a full memory: each builder
//! takes the most bytes it may use.

#[cfg(feature = "bdd")]
pub mod bdd;
mod packed;
mod rle;
mod runs;
mod zstd_blocks;

use crate::error::{Error, Result};

pub use packed::{Packed, packed_bytes};
pub use rle::{MAX_PLIES, Rle, RleValue};
pub use zstd_blocks::{BLOCK_POSITIONS, ZstdBlocks};

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
fn past_the_end(index: u64, num_positions: u64) -> Error {
    Error::Unsupported(format!("index {index} is past the {num_positions} positions"))
}

/// The error for a representation that would take more than the bytes allowed.
fn too_large(what: &str, needed_bytes: u128, limit_bytes: u64) -> Error {
    Error::TooLarge { what: what.to_string(), needed_bytes, limit_bytes }
}
