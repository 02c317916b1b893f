//! Other ways to keep the values of all positions, to be compared with automata: packed arrays, run-length coding, zstd
//! blocks, binary decision diagrams.
//!
//! The array forms are built from runs `(code, length)` in index order and answer [`Representation::get`] for an index;
//! `bdd` (cargo feature `bdd`) is built from automata and answers for a word. Codes are those of [`code2`](crate::outcome::code2).
//!
//! Invariants: a representation gives back every code it was built from; [`Representation::bytes`] counts all that a
//! lookup needs, indices included, and nothing else. Building stops with an error, not with a full memory: each builder
//! takes the most bytes it may use.

#[cfg(feature = "bdd")]
pub mod bdd;
mod form;
mod packed;
mod rle;
mod runs;
mod zstd_blocks;

pub use crate::outcome::code2::{DRAW, LOSS, UNKNOWN, WIN};
pub use form::Representation;
pub use packed::{Packed, packed_bytes};
pub use rle::{MAX_PLIES, Rle, RleValue};
pub use zstd_blocks::{BLOCK_POSITIONS, ZstdBlocks};
