//! The value-map file, which is versioned and has a checksum. Its bytes depend only on the map (for one version of
//! zstd).
//!
//! ```text
//! magic "NERODVM\n" | version u32 | number of layers u32 | letters of each layer u16 |
//! number of codes c u32 | the codes u16, ascending | root u32: below c a code by its number, c the first state |
//! per layer its block, the transitions (`block.rs`), where numbers below c are codes |
//! BLAKE3 of everything before it, 32 bytes                                  (all numbers little-endian)
//! ```
//!
//! Reading a file verifies everything that the format guarantees: the numbering, that no two rows are equal, that no
//! row consists of a single code, and that every code is used.

use std::path::Path;

use super::{CODE, ValueMap};
use crate::block::{Decompress, take_layers};
use crate::error::Result;
use crate::frame::{FileFormat, Parsed, corrupt};

pub(super) const FORMAT: FileFormat =
    FileFormat { magic: b"NERODVM\n", version: ValueMap::FORMAT_VERSION, name: "a value-map" };

/// The maximum number of distinct 16-bit codes.
const MAX_CODES: usize = 1 << 16;

/// # Files
impl ValueMap {
    /// The version of the format that this program writes, which is also the only version it reads.
    pub const FORMAT_VERSION: u32 = 2;

    /// Reads a value map from bytes in memory, like [`ValueMap::from_bytes`], by another decompressor of zstd frames.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`](crate::Error::Corrupt) or [`Error::Version`](crate::Error::Version).
    pub fn from_bytes_with(bytes: &[u8], path: &Path, decompress: Decompress) -> Result<Self> {
        decode_file(bytes, decompress).map_err(|problem| FORMAT.error(problem, path))
    }
}

fn decode_file(bytes: &[u8], decompress: Decompress) -> Parsed<ValueMap> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let num_codes = cursor.u32()? as usize;
    if num_codes == 0 || num_codes > MAX_CODES {
        return corrupt(format!("{num_codes} codes; a map must have between 1 and {MAX_CODES}"));
    }
    let codes: Vec<u16> = (0..num_codes).map(|_| cursor.u16()).collect::<Parsed<_>>()?;
    if !codes.is_sorted_by(|a, b| a < b) {
        return corrupt("the codes are not in ascending order");
    }
    let root = cursor.u32()?;
    let (root, num_roots) = match codes.get(root as usize) {
        Some(&code) => (CODE | u32::from(code), 0),
        None if root as usize == num_codes => (0, 1),
        None => return corrupt("the root is not the first state"),
    };
    let c = num_codes as u32;
    let mut layers = take_layers(cursor, &shape, c, num_roots, decompress)?;
    for target in layers.iter_mut().flatten() {
        *target = codes.get(*target as usize).map_or_else(|| *target - c, |&code| CODE | u32::from(code));
    }
    let map = ValueMap { shape, root, layers };
    if map.codes() != codes {
        return corrupt("the list of codes contains a code that no word has");
    }
    Ok(map)
}
