//! Sector files: the codes of one sector in compressed blocks, with what they were made for and a digest.
//!
//! ```text
//! "NERODSEC"  u32 version  u32 length of the header  header  blocks  u32 length of each block  BLAKE3 of all before, 32 bytes
//! ```
//! Integers are little-endian; the header is one value of [`nerode_solver::archive::codec`]. A block is a zstd frame: the codes of the next
//! slots, one or two bytes each, [`BLOCK_BYTES`] in all but the last.
//!
//! Why: neighbouring codes are much alike. The first 24 sectors of nine men's morris take 22 % of what their codes do.
//!
//! Invariant: a table that is read is one that was written, of the game and sector asked for.

mod blocks;
mod read;
mod write;

use serde::{Deserialize, Serialize};

use super::sector::Sector;

pub(crate) use blocks::{Block, Blocks};
pub(crate) use read::digest_of;
pub use read::{code_bytes, game_of, is_checked, read_sector};
pub use write::write_sector;

/// Version of the files written by this program, the only one it reads. Version 1 held the codes as they are.
pub const FORMAT_VERSION: u32 = 2;

/// Bytes of codes in a block.
pub const BLOCK_BYTES: usize = 1 << 18;

const MAGIC: &[u8; 8] = b"NERODSEC";
const PREFIX_BYTES: usize = 16;
const DIGEST_BYTES: usize = 32;
const LENGTH_BYTES: usize = 4;

/// A game as files name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameName {
    /// Canonical spec, such as `morris:nine`.
    pub spec: String,
    /// Fingerprint of spec and rules.
    pub fingerprint: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    game: GameName,
    sector: [u8; 4],
    bytes_per_code: u8,
    num_slots: u64,
    /// Whether every position was checked by forward play before the file was written.
    checked: bool,
}

fn numbers(sector: Sector) -> [u8; 4] {
    [sector.own, sector.other, sector.own_hand, sector.other_hand]
}
