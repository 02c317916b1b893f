//! Sector files: the codes of one sector in compressed blocks, with a header and a digest.
//!
//! ```text
//! "NERODSEC"  u32 version  u32 length of the header  header  blocks  u32 length of each block  BLAKE3 of all before, 32 bytes
//! ```
//! Integers are little-endian. The header is one value of [`nerode_solver::archive::codec`]. A block is a zstd frame
//! that contains the codes of the next slots, one or two bytes each: [`BLOCK_BYTES`] bytes in all blocks but the last.
//!
//! Blocks are compressed because neighbouring codes are very similar. The first 24 sectors of nine men's morris take 22
//! % of the size of their codes.
//!
//! Invariant: a table that is read equals one that was written, for the requested game and sector.

mod blocks;
mod read;
mod write;

use serde::{Deserialize, Serialize};

use super::name::GameName;
use super::sector::Sector;

pub(crate) use blocks::{Block, Blocks};
pub(crate) use read::digest_of;
pub use read::{code_bytes, game_of, is_checked, read_sector};
pub use write::write_sector;

/// The version of the files written by this program, the only one that it reads. Version 1 stored the codes
/// uncompressed.
pub const FORMAT_VERSION: u32 = 2;

/// The number of bytes of codes in a block.
pub const BLOCK_BYTES: usize = 1 << 18;

const MAGIC: &[u8; 8] = b"NERODSEC";
const PREFIX_BYTES: usize = 16;
const DIGEST_BYTES: usize = 32;
const LENGTH_BYTES: usize = 4;

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
