//! Table files (`.tbl`): value and depth of every position of a game, as one 16-bit code each.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `NERODTBL` |
//! | 4 | format version, u32 little-endian |
//! | 4 | length of the header in bytes, u32 little-endian |
//! | as given | [`TableHeader`], see [`crate::archive::codec`] |
//! | 2 x positions | codes with `P1` to move, u16 little-endian, in index order |
//! | 2 x positions | codes with `P2` to move |
//! | 32 | BLAKE3 of everything before |
//!
//! Codes are those of [`code16`](crate::outcome::code16): 0 draw, 1 + 2d loss in d plies, 2 + 2d win in d plies, 65535 unknown.
//!
//! Invariant: an opened table has the right magic and version, a consistent header, and the length that the header
//! requires. Verifying that the codes are undamaged is a separate, slower operation: [`TableFile::verify_digest`].
//!
//! Version 2 of the format lists reached positions only, see [`reached`], and version 3 lists them by key, see [`keyed`].

mod answers;
mod header;
pub mod keyed;
mod prefix;
pub mod reached;
mod read;
#[cfg(test)]
mod tests;
mod write;

use super::files::DIGEST_BYTES;
pub use answers::TableSolution;
pub use header::TableHeader;
pub use read::TableFile;
pub use write::{put_table, write_solution, write_table};

/// The version of the format for the positions of all boards.
pub const FORMAT_VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"NERODTBL";
/// The magic, the version and the length of the header.
const PREFIX_BYTES: u64 = 16;
