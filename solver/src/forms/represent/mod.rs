//! Alternative representations of the values of all positions, for comparison with automata: packed arrays, run-length
//! coding, zstd blocks and binary decision diagrams.
//!
//! The array forms are built from runs `(code, length)` in index order and answer [`Representation::get`] for an index.
//! `bdd` (cargo feature `bdd`) is built from automata and answers queries for words. Codes are those of
//! [`code2`](crate::outcome::code2).
//!
//! Invariants: a representation returns exactly the codes from which it was built. [`Representation::bytes`] counts all
//! bytes needed for a look-up, including indices, and nothing else. Each builder takes a limit for the bytes it may
//! use, so that it fails with an error instead of exhausting memory.

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
