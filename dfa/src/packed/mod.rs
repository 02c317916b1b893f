//! Maps from words to codes in a file, for look-ups by random access.
//!
//! A map is correct only on a care set: words outside it have any code, so that states which agree on the care set can
//! be merged. A look-up reads one block for each letter at most, and blocks are cached, so a file may be much larger
//! than the memory.
//!
//! Edges are numbered layer by layer, state by state and letter by letter. States are numbered in the order in which
//! edges first lead to them, beginning with 0 at the root, so the first edge to a state need not store its number.
//! Every edge has a mark of two bits. Each [`EDGES`] edges form a block (all numbers little-endian):
//!
//! ```text
//! number of states that earlier blocks introduce u32 | first state s that a pointer leads to u32 | bits of a pointer u8 |
//! number c of codes that pointers lead to u8 | the high bits of the marks | the low bits of the marks |
//! the pointers without gaps, from the lowest bit up
//! ```
//!
//! | mark | edge |
//! |---|---|
//! | 00 | leads to the most common code, or may lead anywhere |
//! | 01 | leads to the second most common code |
//! | 10 | is the first edge to the next state |
//! | 11 | has a pointer p: to the code with the number 2 + p if p < c, and otherwise to state s + p - c |
//!
//! The index of a map follows its blocks:
//!
//! ```text
//! number of codes u8 | the codes u8, the most common first | for each layer, its number of states u32 |
//! for each block, its length in bytes u16 | for each block, the first 8 bytes of its BLAKE3 digest
//! ```
//!
//! Invariant: no block is used before its digest has been compared with the index, and the caller verifies the index.
//! A look-up that is correct on intact data therefore returns an error on damaged data, and never another code.

#[cfg(feature = "engine")]
mod build;
#[cfg(feature = "engine")]
mod encode;
mod map;
#[cfg(feature = "engine")]
mod merge;
mod read;
#[cfg(feature = "engine")]
mod rows;

#[cfg(feature = "engine")]
pub use build::PartialMap;
#[cfg(feature = "engine")]
pub use encode::WrittenMap;
pub use map::PackedMap;
pub use read::{Block, BlockCache, PackedReader, ReadAt};
#[cfg(feature = "engine")]
pub use rows::Workspace;

/// The number of edges of a block; the last block of a map may have fewer.
pub const EDGES: usize = 2048;

/// The bit that marks a target as a code.
#[cfg(feature = "engine")]
const CODE: u32 = 1 << 31;
/// The target of a letter after which no word matters.
#[cfg(feature = "engine")]
const FREE: u32 = u32::MAX;

/// Returns the first 8 bytes of the digest of a block.
pub fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut first = [0; 8];
    first.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    first
}
