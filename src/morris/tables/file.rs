//! Sector files: the codes of one sector as they are in memory, with what they were made for and a digest.
//!
//! ```text
//! "NERODSEC"  u32 version  u32 length of the header  header  codes by slot, 1 or 2 bytes each  BLAKE3 of all before, 32 bytes
//! ```
//! Integers are little-endian; the header is one value of [`crate::archive::codec`].
//!
//! Invariant: a table that is read is one that was written, of the game and sector asked for.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::codes::{Codes, Width};
use super::index::{IndexMaker, SectorIndex};
use super::sector::Sector;
use super::table::SectorTable;
use crate::archive::codec;
use crate::archive::files::{Hashing, write_atomic};
use crate::error::{Error, Result};

/// Version of the files written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"NERODSEC";
const PREFIX_BYTES: usize = 16;
const DIGEST_BYTES: usize = 32;

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
}

fn numbers(sector: Sector) -> [u8; 4] {
    [sector.own, sector.other, sector.own_hand, sector.other_hand]
}

/// Writes `table`, solved for `game`, to `path`; the number of bytes written.
///
/// # Errors
/// [`Error::Io`].
pub fn write_sector(path: &Path, game: &GameName, table: &SectorTable) -> Result<u64> {
    let header = Header {
        game: game.clone(),
        sector: numbers(table.sector),
        bytes_per_code: table.codes.width().bytes() as u8,
        num_slots: table.codes.num_slots(),
    };
    let header = codec::encode(&header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    write_atomic(path, |file| {
        let io = |e| Error::io(path, e);
        let mut out = Hashing::new(file);
        out.write_all(MAGIC).map_err(io)?;
        out.write_all(&FORMAT_VERSION.to_le_bytes()).map_err(io)?;
        out.write_all(&(header.len() as u32).to_le_bytes()).map_err(io)?;
        out.write_all(&header).map_err(io)?;
        table.codes.blocks(|block| out.write_all(block).map_err(io))?;
        out.finish().map(|(_, written)| written.bytes).map_err(io)
    })
}

/// The digest that the sector file `path` ends with, whether it is right or not.
///
/// # Errors
/// [`Error::Io`]; [`Error::Corrupt`] for a file that is too short.
pub(super) fn digest_of(path: &Path) -> Result<[u8; DIGEST_BYTES]> {
    let mut digest = [0; DIGEST_BYTES];
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    file.seek(SeekFrom::End(-(DIGEST_BYTES as i64))).map_err(|_| Error::corrupt(path, "cut off"))?;
    file.read_exact(&mut digest).map_err(|e| Error::io(path, e))?;
    Ok(digest)
}

/// Reads the table of `sector` of `game` from `path`, and checks all of it.
///
/// *Cost*: reads the file once, and looks at every code.
///
/// # Errors
/// [`Error::Io`]; [`Error::WrongVersion`]; [`Error::WrongRules`] when it was made for another game; [`Error::Corrupt`] when it
/// is no sector file, one of another sector, cut off or damaged.
pub fn read_sector(path: &Path, game: &GameName, sector: Sector, maker: &IndexMaker) -> Result<SectorTable> {
    let corrupt = |reason: &str| Error::corrupt(path, reason);
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    let bytes = file.metadata().map_err(|e| Error::io(path, e))?.len();
    let mut hasher = blake3::Hasher::new();
    let mut read = |count: usize| -> Result<Vec<u8>> {
        let mut part = vec![0; count];
        file.read_exact(&mut part).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => corrupt("cut off"),
            _ => Error::io(path, e),
        })?;
        Ok(part)
    };
    let prefix = read(PREFIX_BYTES)?;
    hasher.update(&prefix);
    let number =
        |at: usize| prefix[at..at + 4].iter().rev().fold(0u32, |number, &byte| number << 8 | u32::from(byte));
    if prefix[..8] != *MAGIC {
        return Err(corrupt("not a sector file: it does not begin with NERODSEC"));
    }
    if number(8) != FORMAT_VERSION {
        return Err(Error::WrongVersion { path: path.into(), found: number(8), supported: FORMAT_VERSION });
    }
    let length = number(12) as usize;
    if length > codec::MAX_BYTES || (length + PREFIX_BYTES + DIGEST_BYTES) as u64 > bytes {
        return Err(corrupt("its header does not fit: cut off or damaged"));
    }
    let encoded = read(length)?;
    hasher.update(&encoded);
    let header: Header = codec::decode(&encoded).map_err(|e| corrupt(&e.to_string()))?;
    if header.game != *game {
        return Err(Error::WrongRules {
            path: path.into(),
            found: format!("{} ({})", header.game.fingerprint, header.game.spec),
            expected: format!("{} ({})", game.fingerprint, game.spec),
        });
    }
    if header.sector != numbers(sector) {
        let held = header.sector.map(|number| number.to_string()).join("-");
        return Err(corrupt(&format!("it holds sector {held}, not {sector}")));
    }
    let index = Arc::new(maker.index(sector.own, sector.other));
    let width = match header.bytes_per_code {
        1 => Width::One,
        2 => Width::Two,
        other => return Err(corrupt(&format!("codes of {other} bytes"))),
    };
    // What the header claims is compared with what is there before anything is allocated for it.
    let codes_bytes = bytes - (length + PREFIX_BYTES + DIGEST_BYTES) as u64;
    if header.num_slots != index.num_slots()
        || Some(codes_bytes) != header.num_slots.checked_mul(width.bytes())
    {
        return Err(corrupt(&format!(
            "{codes_bytes} bytes of codes where sector {sector} has {} slots",
            index.num_slots()
        )));
    }
    let codes = read(usize::try_from(codes_bytes).map_err(|_| corrupt("too large for this machine"))?)?;
    hasher.update(&codes);
    if read(DIGEST_BYTES)? != hasher.finalize().as_bytes() {
        return Err(corrupt("its digest differs from its contents: at least one byte is damaged"));
    }
    let table = SectorTable { sector, codes: Codes::from_bytes(&codes, width)?, index };
    check_holes(&table).map_err(|reason| corrupt(&reason))?;
    Ok(table)
}

/// Holes are where the index has them, and nowhere else.
fn check_holes(table: &SectorTable) -> std::result::Result<(), String> {
    let index: &SectorIndex = &table.index;
    let hole = table.codes.width().hole();
    match (0..index.num_slots()).find(|&slot| index.hole(slot).is_some() != (table.codes.get(slot) == hole)) {
        None => Ok(()),
        Some(slot) => Err(format!("slot {slot} of sector {} is a hole here or there only", table.sector)),
    }
}
