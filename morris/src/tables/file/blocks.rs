//! Blocks of a sector file, read one at a time if the whole table would not fit into memory.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::read::{Source, number};
use super::{BLOCK_BYTES, GameName, LENGTH_BYTES};
use crate::tables::codes::Width;
use crate::tables::index::{IndexMaker, SectorIndex};
use crate::tables::sector::Sector;
use nerode_solver::archive::disk::File;
use nerode_solver::error::{Error, Result};

/// The positions of the blocks of a sector file, and their digests.
///
/// Invariant: the file was checked completely, and a block that is read later has not changed since.
#[derive(Debug)]
pub(crate) struct Blocks {
    path: PathBuf,
    index: SectorIndex,
    width: Width,
    places: Vec<Place>,
}

/// The position of a block in the file.
#[derive(Debug)]
struct Place {
    at: u64,
    bytes: u32,
    digest: blake3::Hash,
}

/// The codes of some slots.
#[derive(Debug)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    width: Width,
}

impl Block {
    /// Returns the code numbered `at`, if there is one.
    pub(crate) fn get(&self, at: u64) -> Option<u16> {
        let at = usize::try_from(at).ok()?;
        Some(match self.width {
            Width::One => u16::from(*self.bytes.get(at)?),
            Width::Two => u16::from_le_bytes([*self.bytes.get(2 * at)?, *self.bytes.get(2 * at + 1)?]),
        })
    }
}

impl Blocks {
    /// Checks the file `path` as [`super::read_sector`] does, except for its holes, without keeping any of its codes.
    ///
    /// *Cost*: reads the file once, with one block in memory.
    ///
    /// # Errors
    /// Returns the errors of [`super::read_sector`].
    pub(crate) fn open(path: &Path, game: &GameName, sector: Sector, maker: &IndexMaker) -> Result<Self> {
        let mut source = Source::open(path)?;
        let (index, width) = source.begin(game, sector, maker)?;
        let (num_blocks, compressed) = source.blocks(index.num_slots(), width)?;
        let places = places(&mut source, num_blocks, compressed)?;
        // The digest is checked first, because a wrong digest is a better explanation than wrong lengths.
        source.rest_must_have_digest()?;
        let places = places.ok_or_else(|| source.corrupt("a block does not match its length"))?;
        Ok(Self { path: path.into(), index, width, places })
    }

    /// Returns the index of the sector.
    pub(crate) fn index(&self) -> &SectorIndex {
        &self.index
    }

    /// Returns the width of a code.
    pub(crate) fn width(&self) -> Width {
        self.width
    }

    /// Returns the block that holds the code of `slot`, and the number of the code within the block.
    pub(crate) fn place_of(&self, slot: u64) -> (u64, u64) {
        let slots = BLOCK_BYTES as u64 / self.width.bytes();
        (slot / slots, slot % slots)
    }

    /// Returns the number of bytes of codes in the block numbered `at`.
    pub(crate) fn bytes_of(&self, at: u64) -> u64 {
        let before = at.saturating_mul(BLOCK_BYTES as u64);
        (self.index.num_slots() * self.width.bytes()).saturating_sub(before).min(BLOCK_BYTES as u64)
    }

    /// Reads the block numbered `at`. *Cost*: decompresses 256 KiB.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Corrupt`] if the file has changed since it was opened.
    pub(crate) fn read(&self, at: u64) -> Result<Block> {
        let changed = || Error::corrupt(&self.path, "it has changed since it was opened");
        let place = usize::try_from(at).ok().and_then(|at| self.places.get(at)).ok_or_else(changed)?;
        let mut block = vec![0; place.bytes as usize];
        let mut file = File::open(&self.path).map_err(|e| Error::io(&self.path, e))?;
        file.seek(SeekFrom::Start(place.at)).map_err(|e| Error::io(&self.path, e))?;
        file.read_exact(&mut block).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof => changed(),
            _ => Error::io(&self.path, e),
        })?;
        if blake3::hash(&block) != place.digest {
            return Err(changed());
        }
        let bytes = zstd::bulk::decompress(&block, BLOCK_BYTES).map_err(|_| changed())?;
        if bytes.len() as u64 != self.bytes_of(at) {
            return Err(Error::corrupt(&self.path, "a block does not match its length"));
        }
        Ok(Block { bytes, width: self.width })
    }
}

/// Reads `num_blocks` blocks of `compressed` bytes in total, and their lengths, and returns the position of each block.
/// Returns `None` if the lengths do not match.
fn places(source: &mut Source<'_>, num_blocks: usize, compressed: u64) -> Result<Option<Vec<Place>>> {
    let mut at = source.at()?;
    let end = at + compressed;
    let lengths = lengths_at(source.path, end, num_blocks)?;
    let mut places = Vec::with_capacity(num_blocks);
    for length in lengths.chunks(LENGTH_BYTES) {
        let bytes = number(length);
        if u64::from(bytes) > end - at {
            return Ok(None);
        }
        let block = source.read(bytes as usize)?;
        places.push(Place { at, bytes, digest: blake3::hash(&block) });
        at += u64::from(bytes);
    }
    Ok((at == end && source.read(lengths.len())? == lengths).then_some(places))
}

/// Reads the lengths of the blocks, which are stored at `at`.
fn lengths_at(path: &Path, at: u64, num_blocks: usize) -> Result<Vec<u8>> {
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    file.seek(SeekFrom::Start(at)).map_err(|e| Error::io(path, e))?;
    let mut lengths = vec![0; num_blocks * LENGTH_BYTES];
    file.read_exact(&mut lengths).map_err(|e| match e.kind() {
        ErrorKind::UnexpectedEof => Error::corrupt(path, "truncated"),
        _ => Error::io(path, e),
    })?;
    Ok(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::SectorSolve;
    use nerode_solver::solve::resources::Resources;

    #[test]
    fn blocks_hold_what_the_table_holds_and_a_file_that_changes_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let sector: Sector = "4-4-0-0".parse().unwrap();
        let solve = SectorSolve::open("morris:six").unwrap().of(vec![sector]).unwrap();
        let dir = solve.solve_into(folder.path(), &Resources::default(), &mut |_| ()).unwrap();
        let SectorSolve { rules, name, .. } = solve;
        let (path, maker) = (dir.file(sector), IndexMaker::new(&rules.board));
        let blocks = Blocks::open(&path, &name, sector, &maker).unwrap();
        let table = dir.load(sector, &maker).unwrap();
        let block = blocks.read(0).unwrap();
        for slot in 0..table.codes.num_slots() {
            assert_eq!(blocks.place_of(slot), (0, slot));
            assert_eq!(block.get(slot), Some(table.codes.get(slot)));
        }
        assert_eq!(block.get(table.codes.num_slots()), None);
        assert_eq!(blocks.bytes_of(0), table.codes.num_slots());
        let whole = std::fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(11) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(Blocks::open(&path, &name, sector, &maker).is_err(), "byte {at}");
        }
        let place = &blocks.places[0];
        let mut bytes = whole.clone();
        bytes[place.at as usize + 5] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(blocks.read(0), Err(Error::Corrupt { .. })));
        std::fs::write(&path, &whole[..place.at as usize]).unwrap();
        assert!(matches!(blocks.read(0), Err(Error::Corrupt { .. })));
    }
}
