//! Packed values of the reached positions of a run (`reached.packed` in a values folder): one file that answers any
//! position by random access, without expanding sets in memory.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `NERODRPK` |
//! | 4 | format version, u32 little-endian |
//! | for each map | its blocks and its index, see [`nerode_dfa::packed`] |
//! | as given | [`Header`], see [`crate::archive::codec`] |
//! | 4 | length of the header in bytes, u32 little-endian |
//! | 32 | BLAKE3 of the magic, the version, the header and its length |
//! | 32 | BLAKE3 of everything before |
//!
//! For each ply i, one map contains the words of `R_i` and another one their values. Words that a look-up never asks for
//! may have any code, which makes the maps smaller: in both maps, words that are not admissible at this ply if the game
//! has such a rule, and one word of each pair of mirror images; in the map of values, also words that are not in `R_i` and
//! terminal positions, whose value follows from the rules.
//!
//! Invariants: the header contains the digest of every index and the digest of the run, and every index contains the
//! checksums of its blocks. A block of another version of the file is therefore rejected like a damaged one.

mod header;
mod mirror;
mod read;

pub use header::{Header, MapPlace, PlyMaps};
#[cfg(feature = "engine")]
pub(super) use mirror::Mirror;
pub use read::Packed;
#[cfg(feature = "engine")]
pub(super) use read::header_digest;

/// The file in a values folder.
pub const FILE: &str = "reached.packed";

/// The care set of a values folder that contains packed values of reached positions.
pub const REACHED: &str = "reached";

/// The version of the format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 1;

pub(super) const MAGIC: &[u8; 8] = b"NERODRPK";
/// The magic and the version.
pub(super) const PREFIX_BYTES: u64 = 12;
/// The length of the header, its digest, and the digest of the file.
const TRAILER_BYTES: u64 = 4 + 2 * DIGEST_BYTES;
const DIGEST_BYTES: u64 = 32;

/// The code of the words of `R_i`, and of admissible words.
pub(super) const INSIDE: u8 = 1;
/// The code of all other words.
#[cfg(feature = "engine")]
pub(super) const OUTSIDE: u8 = 0;
