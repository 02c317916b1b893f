//! Files of ranks: the keys of the draws of one sector in compressed blocks, with a description of their origin and a
//! digest.
//!
//! ```text
//! "NERODRNK"  u32 version  u32 length of the header  header  blocks, each: u32 length, zstd frame  BLAKE3 of all before, 32 bytes
//! ```
//! Integers are little-endian. The header is one value of [`nerode_solver::archive::codec`]. A block holds the keys of
//! the next [`BLOCK_SLOTS`] slots: the low bytes of all first keys, then their high bytes, then the same for the second
//! keys. In this order, low bytes of neighbouring slots are similar, and most high bytes are 0.
//!
//! Invariant: keys that are read equal those that were written, for the requested game, sector, strong file and values.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use nerode_dfa::disk::{self, File};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::ranking::digest_of;
use super::table::RankedTable;
use crate::malom::SectorValues;
use crate::tables::file::digest_of as digest_of_sector;
use crate::tables::{GameName, Sector, SectorDir};
use nerode_solver::archive::codec;
pub use nerode_solver::archive::files::{Hashing, write_atomic};
use nerode_solver::error::{Error, Result};

/// The version of the files written by this program, the only one that it reads.
pub const FORMAT_VERSION: u32 = 1;
/// The number of slots in a block. The last block may have fewer.
const BLOCK_SLOTS: u64 = 1 << 16;
/// The number of bytes of the keys of a slot.
const KEY_BYTES: usize = 4;

const MAGIC: &[u8; 8] = b"NERODRNK";
const PREFIX_BYTES: usize = 16;
const DIGEST_BYTES: usize = 32;
/// The compression level of zstd.
const LEVEL: i32 = 1;

/// The data from which ranks are computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    game: GameName,
    sector: [u8; 4],
    num_slots: u64,
    /// The digest at the end of the strong file.
    strong: [u8; 32],
    /// The digest of the values of the sectors.
    values: [u8; 32],
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    origin: Origin,
    /// Whether every position was checked by forward turns before the file was written.
    checked: bool,
}

/// Returns the path of the file of the ranks of `sector` in `dir`, whether or not it exists.
pub fn path_of(dir: &SectorDir, sector: Sector) -> PathBuf {
    dir.path().join(format!("{sector}.ranks"))
}

impl Origin {
    /// Computes the origin of the sector from its current file in `dir`.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::Corrupt`] if the strong file is missing or truncated.
    pub(super) fn of(dir: &SectorDir, sector: Sector, num_slots: u64, values: &SectorValues) -> Result<Self> {
        Ok(Self {
            game: dir.game().clone(),
            sector: [sector.own, sector.other, sector.own_hand, sector.other_hand],
            num_slots,
            strong: digest_of_sector(&dir.file(sector))?,
            values: digest_of(values),
        })
    }
}

/// Writes the keys of `table`, computed from `origin`, to `path`, and records whether every position was `checked`.
/// Returns the number of bytes written.
///
/// # Errors
/// Returns [`Error::Io`] or [`Error::Codec`].
pub(super) fn write(path: &Path, origin: Origin, table: &RankedTable, checked: bool) -> Result<u64> {
    let keys = &table.keys;
    let header =
        codec::encode(&Header { origin, checked }).map_err(|e| Error::corrupt(path, e.to_string()))?;
    let num_blocks = keys.num_slots().div_ceil(BLOCK_SLOTS);
    write_atomic(path, |file| {
        let io = |e| Error::io(path, e);
        let mut out = Hashing::new(file);
        out.write_all(MAGIC).map_err(io)?;
        out.write_all(&FORMAT_VERSION.to_le_bytes()).map_err(io)?;
        out.write_all(&(header.len() as u32).to_le_bytes()).map_err(io)?;
        out.write_all(&header).map_err(io)?;
        let batch = rayon::current_num_threads() as u64 * 4;
        for first in (0..num_blocks).step_by(batch as usize) {
            let blocks = (first..num_blocks.min(first + batch)).into_par_iter();
            for block in blocks.map(|at| packed(keys, at)).collect::<Result<Vec<_>>>()? {
                out.write_all(&(block.len() as u32).to_le_bytes()).map_err(io)?;
                out.write_all(&block).map_err(io)?;
            }
        }
        out.finish().map(|(_, written)| written.bytes).map_err(io)
    })
}

fn slots_of_block(num_slots: u64, at: u64) -> std::ops::Range<u64> {
    at * BLOCK_SLOTS..num_slots.min((at + 1) * BLOCK_SLOTS)
}

fn packed(keys: &Keys, at: u64) -> Result<Vec<u8>> {
    let slots = slots_of_block(keys.num_slots(), at);
    let len = (slots.end - slots.start) as usize;
    let mut bytes = vec![0; KEY_BYTES * len];
    for (place, slot) in slots.enumerate() {
        for (plane, byte) in keys.bytes_of(slot).into_iter().enumerate() {
            bytes[plane * len + place] = byte;
        }
    }
    zstd::bulk::compress(&bytes, LEVEL).map_err(|source| Error::Codec { what: "zstd in memory", source })
}

/// Returns whether the file `path` records that every position was checked, or `None` if it is not a file of ranks
/// computed from `origin`. *Cost*: reads the header.
pub(super) fn is_of(path: &Path, origin: &Origin) -> Option<bool> {
    let mut prefix = [0; PREFIX_BYTES];
    let mut file = File::open(path).ok()?;
    file.read_exact(&mut prefix).ok()?;
    let mut header = vec![0; header_len(path, &prefix).ok()?];
    file.read_exact(&mut header).ok()?;
    let header: Header = codec::decode(&header).ok()?;
    (header.origin == *origin).then_some(header.checked)
}

/// Reads the keys in `path`, which must have been computed from `origin`, and checks the file completely.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::WrongVersion`], [`Error::Mismatch`] if the ranks were computed from another sector,
/// another strong file or other values, [`Error::Corrupt`], or [`Error::TooLarge`].
pub(super) fn read(path: &Path, origin: &Origin) -> Result<Keys> {
    let corrupt = |reason: &str| Error::corrupt(path, reason);
    let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
    let prefix = bytes.first_chunk().ok_or_else(|| corrupt("truncated"))?;
    let body = PREFIX_BYTES + header_len(path, prefix)?;
    let (whole, digest) = bytes.split_at(bytes.len().saturating_sub(DIGEST_BYTES));
    let header = whole.get(PREFIX_BYTES..body).ok_or_else(|| corrupt("truncated"))?;
    let header: Header = codec::decode(header).map_err(|e| corrupt(&e.to_string()))?;
    if header.origin != *origin {
        return Err(Error::Mismatch {
            what: path.display().to_string(),
            found: "ranks computed from another file of the sector or with other sector values".into(),
            expected: "the ranks of the directory".into(),
        });
    }
    if blake3::hash(whole).as_bytes() != digest {
        return Err(corrupt("its digest differs from its contents: truncated or damaged"));
    }
    let damaged = || corrupt("a block does not match its length");
    let mut blocks = Vec::new();
    let mut rest = &whole[body..];
    while let Some((len, after)) = rest.split_first_chunk() {
        let (block, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or_else(damaged)?;
        blocks.push(block);
        rest = after;
    }
    if !rest.is_empty() || blocks.len() as u64 != origin.num_slots.div_ceil(BLOCK_SLOTS) {
        return Err(damaged());
    }
    let keys = Keys::new(origin.num_slots)?;
    let fill = |(at, block): (usize, &[u8])| unpack(&keys, at as u64, block);
    blocks.into_par_iter().enumerate().map(fill).collect::<Option<()>>().ok_or_else(damaged)?;
    Ok(keys)
}

fn unpack(keys: &Keys, at: u64, block: &[u8]) -> Option<()> {
    let slots = slots_of_block(keys.num_slots(), at);
    let len = (slots.end - slots.start) as usize;
    let bytes = zstd::bulk::decompress(block, KEY_BYTES * len).ok()?;
    if bytes.len() != KEY_BYTES * len {
        return None;
    }
    for (place, slot) in slots.enumerate() {
        keys.set_bytes(slot, std::array::from_fn(|plane| bytes[plane * len + place]));
    }
    Some(())
}

/// Returns the number of bytes of the header, given the prefix before it.
fn header_len(path: &Path, prefix: &[u8; PREFIX_BYTES]) -> Result<usize> {
    let [found, length] = [8, 12].map(|at| (0..4).rev().fold(0, |n, i| n << 8 | u32::from(prefix[at + i])));
    if prefix[..MAGIC.len()] != *MAGIC {
        return Err(Error::corrupt(path, "not a file of ranks: it does not begin with NERODRNK"));
    }
    if found != FORMAT_VERSION {
        return Err(Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION });
    }
    let length = length as usize;
    if length > codec::MAX_BYTES {
        return Err(Error::corrupt(path, "its header does not fit: truncated or damaged"));
    }
    Ok(length)
}
