//! Reads sector files and checks everything before it is used.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::{
    BLOCK_BYTES, DIGEST_BYTES, FORMAT_VERSION, GameName, Header, LENGTH_BYTES, MAGIC, PREFIX_BYTES, numbers,
};
use crate::tables::codes::{Codes, Width};
use crate::tables::index::{IndexMaker, SectorIndex};
use crate::tables::sector::Sector;
use crate::tables::table::SectorTable;
use nerode_solver::archive::codec;
use nerode_solver::archive::disk::File;
use nerode_solver::archive::files::damaged_or;
use nerode_solver::error::{Error, Result};

/// Reads the table of `sector` of `game` from `path`, and checks it completely.
///
/// *Cost*: reads the file once and decompresses it on the threads of the current pool, with the file and the table in
/// memory.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::WrongVersion`], [`Error::WrongRules`] if the file was created for another game,
/// [`Error::Corrupt`] if it is not a sector file, belongs to another sector, or is truncated or damaged, or
/// [`Error::TooLarge`].
pub fn read_sector(path: &Path, game: &GameName, sector: Sector, maker: &IndexMaker) -> Result<SectorTable> {
    read_trusting(path, game, sector, maker).map_err(|error| damaged_or(path, error))
}

/// Reads a table, and believes the header of the file in errors.
fn read_trusting(path: &Path, game: &GameName, sector: Sector, maker: &IndexMaker) -> Result<SectorTable> {
    let mut source = Source::open(path)?;
    let (index, width) = source.begin(game, sector, maker)?;
    let index = Arc::new(index);
    let codes = source.codes(index.num_slots(), width)?;
    let table = SectorTable { sector, codes, index };
    check_holes(&table).map_err(|reason| source.corrupt(&reason))?;
    Ok(table)
}

/// Returns `true` if the file `path` records that every position of its sector was checked by forward play. Reads only
/// the header.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::WrongVersion`], or [`Error::Corrupt`].
pub fn is_checked(path: &Path) -> Result<bool> {
    header_of(path).map(|header| header.checked)
}

/// Returns the game that the header of the file `path` names. Reads only the header.
///
/// # Errors
/// Returns the same errors as [`is_checked`].
pub fn game_of(path: &Path) -> Result<GameName> {
    header_of(path).map(|header| header.game)
}

/// Returns the number of bytes that the codes of the sector file `path` occupy in memory, according to its header.
/// Reads only the header.
///
/// # Errors
/// Returns the same errors as [`is_checked`].
pub fn code_bytes(path: &Path) -> Result<u64> {
    let header = header_of(path)?;
    Ok(header.num_slots.saturating_mul(header.bytes_per_code.into()))
}

fn header_of(path: &Path) -> Result<Header> {
    let header = Source::open(path).and_then(|mut source| source.header());
    header.map_err(|error| damaged_or(path, error))
}

/// Returns the digest at the end of the sector file `path` without verifying it.
///
/// # Errors
/// Returns [`Error::Io`], or [`Error::Corrupt`] if the file is too short.
pub fn digest_of(path: &Path) -> Result<[u8; DIGEST_BYTES]> {
    let mut digest = [0; DIGEST_BYTES];
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    file.seek(SeekFrom::End(-(DIGEST_BYTES as i64))).map_err(|_| Error::corrupt(path, "truncated"))?;
    file.read_exact(&mut digest).map_err(|e| Error::io(path, e))?;
    Ok(digest)
}

/// A file that is hashed as it is read.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    file: File,
    /// The number of bytes that have not been read yet.
    pub(super) left: u64,
    hasher: blake3::Hasher,
}

impl<'a> Source<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        let left = file.metadata().map_err(|e| Error::io(path, e))?.len();
        Ok(Self { path, file, left, hasher: blake3::Hasher::new() })
    }

    pub(super) fn corrupt(&self, reason: &str) -> Error {
        Error::corrupt(self.path, reason)
    }

    /// Reads and hashes the next bytes. Never allocates more than the file contains.
    pub(super) fn read(&mut self, count: usize) -> Result<Vec<u8>> {
        let left = self.left.checked_sub(count as u64).ok_or_else(|| self.corrupt("truncated"))?;
        let mut part = vec![0; count];
        self.file.read_exact(&mut part).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof => self.corrupt("truncated"),
            _ => Error::io(self.path, e),
        })?;
        self.hasher.update(&part);
        self.left = left;
        Ok(part)
    }

    /// Returns the position of the next byte in the file.
    pub(super) fn at(&mut self) -> Result<u64> {
        self.file.stream_position().map_err(|e| Error::io(self.path, e))
    }

    fn header(&mut self) -> Result<Header> {
        let prefix = self.read(PREFIX_BYTES)?;
        if prefix[..MAGIC.len()] != *MAGIC {
            return Err(self.corrupt("not a sector file: it does not begin with NERODSEC"));
        }
        let (found, length) = (number(&prefix[8..12]), number(&prefix[12..]) as usize);
        if found != FORMAT_VERSION {
            return Err(Error::WrongVersion { path: self.path.into(), found, supported: FORMAT_VERSION });
        }
        if length > codec::MAX_BYTES {
            return Err(self.corrupt("its header does not fit: truncated or damaged"));
        }
        let encoded = self.read(length)?;
        codec::decode(&encoded).map_err(|e| self.corrupt(&e.to_string()))
    }

    /// Reads the header, which must belong to `sector` of `game`. Returns the index of the sector and the width of its
    /// codes.
    pub(super) fn begin(
        &mut self,
        game: &GameName,
        sector: Sector,
        maker: &IndexMaker,
    ) -> Result<(SectorIndex, Width)> {
        let header = self.header()?;
        if header.game != *game {
            return Err(Error::WrongRules {
                path: self.path.into(),
                found: format!("{} ({})", header.game.fingerprint, header.game.spec),
                expected: format!("{} ({})", game.fingerprint, game.spec),
            });
        }
        if header.sector != numbers(sector) {
            let held = header.sector.map(|number| number.to_string()).join("-");
            return Err(self.corrupt(&format!("it contains sector {held}, not {sector}")));
        }
        let index = maker.try_index(sector.own, sector.other);
        let index = index.ok_or_else(|| self.corrupt("it has more stones than the board has points"))?;
        if header.num_slots != index.num_slots() {
            let (found, slots) = (header.num_slots, index.num_slots());
            return Err(self.corrupt(&format!("{found} slots, but sector {sector} has {slots}")));
        }
        match header.bytes_per_code {
            1 => Ok((index, Width::One)),
            2 => Ok((index, Width::Two)),
            other => Err(self.corrupt(&format!("unsupported codes of {other} bytes"))),
        }
    }

    /// Returns the number of blocks and their total size in the file.
    pub(super) fn blocks(&self, num_slots: u64, width: Width) -> Result<(usize, u64)> {
        let num_blocks = usize::try_from((num_slots * width.bytes()).div_ceil(BLOCK_BYTES as u64))
            .map_err(|_| self.too_large())?;
        let tail = (num_blocks * LENGTH_BYTES + DIGEST_BYTES) as u64;
        let compressed = self.left.checked_sub(tail).ok_or_else(|| self.corrupt("truncated"))?;
        // Compression never makes a block larger than this bound, so the check limits allocations to what the sector
        // needs.
        let most = num_blocks.saturating_mul(zstd::zstd_safe::compress_bound(BLOCK_BYTES)) as u64;
        if compressed > most {
            return Err(self.corrupt("it is too long for its sector"));
        }
        Ok((num_blocks, compressed))
    }

    fn too_large(&self) -> Error {
        self.corrupt("too large for this machine")
    }

    /// Reads the digest, which must match everything read before it.
    pub(super) fn must_have_digest(&mut self) -> Result<()> {
        let expected = self.hasher.finalize();
        if self.read(DIGEST_BYTES)? == expected.as_bytes() {
            return Ok(());
        }
        Err(self.corrupt("its digest differs from its contents: truncated or damaged"))
    }

    /// Reads the remaining blocks and lengths, and then the digest as [`Source::must_have_digest`] does. *Cost*: one
    /// block of memory.
    pub(super) fn rest_must_have_digest(&mut self) -> Result<()> {
        while self.left > DIGEST_BYTES as u64 {
            self.read((self.left - DIGEST_BYTES as u64).min(BLOCK_BYTES as u64) as usize)?;
        }
        self.must_have_digest()
    }

    /// Reads the rest of the file: the blocks, their lengths, and the digest.
    fn codes(&mut self, num_slots: u64, width: Width) -> Result<Codes> {
        let (num_blocks, compressed) = self.blocks(num_slots, width)?;
        let blocks = self.read(usize::try_from(compressed).map_err(|_| self.too_large())?)?;
        let lengths = self.read(num_blocks * LENGTH_BYTES)?;
        self.must_have_digest()?;
        let damaged = || self.corrupt("a block does not match its length");
        let mut rest = &blocks[..];
        let mut parts = Vec::with_capacity(num_blocks);
        for length in lengths.chunks(LENGTH_BYTES) {
            let (block, after) = rest.split_at_checked(number(length) as usize).ok_or_else(damaged)?;
            parts.push(block);
            rest = after;
        }
        if !rest.is_empty() {
            return Err(damaged());
        }
        let codes = Codes::new(num_slots, width)?;
        let fill = |(at, block): (usize, &[u8])| {
            let bytes = zstd::bulk::decompress(block, BLOCK_BYTES).ok()?;
            codes.set_block(BLOCK_BYTES, at, &bytes)
        };
        parts.into_par_iter().enumerate().map(fill).collect::<Option<()>>().ok_or_else(damaged)?;
        Ok(codes)
    }
}

/// Decodes a number, least significant byte first.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Checks that the table has holes exactly where the index has them.
fn check_holes(table: &SectorTable) -> std::result::Result<(), String> {
    let (index, codes): (&SectorIndex, &Codes) = (&table.index, &table.codes);
    let hole = codes.width().hole();
    let holes = codes.histogram()[usize::from(hole)];
    let mut expected = 0u64;
    let mut lacking = None;
    index.holes(0..index.num_slots(), |slot| {
        expected += 1;
        if codes.get(slot) != hole {
            lacking.get_or_insert(slot);
        }
    });
    match lacking {
        None if holes == expected => Ok(()),
        None => Err(format!("sector {} has {holes} holes instead of {expected}", table.sector)),
        Some(slot) => Err(format!("slot {slot} of sector {} is a hole, but has a value", table.sector)),
    }
}
