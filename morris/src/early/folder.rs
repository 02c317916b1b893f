//! The folder `bounds` in a directory of sectors: a file for each sector, and a manifest that names the files.
//!
//! A file is a zstd frame with one byte for each slot. The manifest is rewritten after every file, so finished sectors
//! are never lost.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use nerode_games::morris::State;
use serde::{Deserialize, Serialize};

use super::ranges::{RangeCounts, SectorRanges};
use crate::tables::file::digest_of;
use crate::tables::{GameName, IndexMaker, Sector, SectorSolution};
use nerode_solver::archive::claim;
pub use nerode_solver::archive::contents::{self, BOUNDS_FOLDER, Contents};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::ValueRange;
use nerode_solver::units::lock::Lock;

const SUFFIX: &str = ".bounds";
/// The compression level of zstd.
const LEVEL: i32 = 3;

/// The contents of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameName,
    /// The digest of the sectors that the search used.
    from: String,
    /// The entries by sector.
    sectors: BTreeMap<String, EarlySector>,
}

/// The manifest's entry for a sector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlySector {
    /// The number of stones already placed.
    pub placements: u8,
    /// The search depth in plies of every position.
    pub plies: u32,
    /// The numbers of positions by range.
    pub counts: RangeCounts,
    /// The file of the sector.
    pub file: StoredFile,
}

/// The stored information about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The range for the side to move.
    pub range: ValueRange,
    /// The depth in plies up to which a search would show no more; 0 if the available sectors have changed since the
    /// search.
    pub plies: u32,
}

/// Stored ranges of early positions. Sectors are read on demand.
#[derive(Debug)]
pub struct EarlyBounds {
    path: PathBuf,
    manifest: Manifest,
    ranges: BTreeMap<Sector, OnceLock<SectorRanges>>,
    is_current: bool,
    /// The error after which [`EarlyBounds::find`] stopped reading the ranges.
    problem: OnceLock<String>,
}

impl EarlyBounds {
    /// Opens the ranges next to `sectors`. Returns `None` if there are none.
    ///
    /// # Errors
    /// Returns [`Error::WrongRules`] if the ranges belong to other rules, [`Error::WrongVersion`], [`Error::Corrupt`],
    /// or [`Error::Io`].
    pub fn of(sectors: &SectorSolution) -> Result<Option<Self>> {
        let path = sectors.dir.path().join(BOUNDS_FOLDER);
        if !Contents::Bounds.is_in(&path) {
            return Ok(None);
        }
        let manifest: Manifest = contents::read_from(&path, Contents::Bounds)?;
        if manifest.game != *sectors.dir.game() {
            return Err(Error::WrongRules {
                path,
                found: manifest.game.fingerprint,
                expected: sectors.dir.game().fingerprint.clone(),
            });
        }
        let no_sector = |_| Error::corrupt(Contents::Bounds.file(&path), "it lists an invalid sector");
        let names = manifest.sectors.keys().map(|name| name.parse().map_err(no_sector));
        let ranges = names.map(|sector| Ok((sector?, OnceLock::new()))).collect::<Result<_>>()?;
        let is_current = manifest.from == digest_of_all(sectors)?;
        Ok(Some(Self { path, manifest, ranges, is_current, problem: OnceLock::new() }))
    }

    /// Opens the ranges next to `sectors` for writing, and acquires the right to add to them. Ranges computed from the
    /// same sectors are kept unless `overwrite` is set or their files are missing or damaged.
    ///
    /// *Cost*: reads all ranges.
    ///
    /// # Errors
    /// Returns the same errors as [`EarlyBounds::of`], [`Error::Occupied`] if there are ranges computed from other
    /// sectors and `overwrite` is not set, or [`Error::Busy`] if another process is adding ranges.
    pub fn begin(sectors: &SectorSolution, overwrite: bool) -> Result<(Self, Lock)> {
        let path = sectors.dir.path().join(BOUNDS_FOLDER);
        let lock = claim::claim(&path, Contents::Bounds)?;
        let found = if overwrite { None } else { Self::of(sectors)? };
        match found {
            Some(mut found) if found.is_current => {
                found.forget_damaged(sectors.maker())?;
                return Ok((found, lock));
            }
            Some(_) => {
                let contents = "bounds computed from other sectors".into();
                return Err(Error::Occupied { path, contents });
            }
            None => {}
        }
        let game = sectors.dir.game().clone();
        let manifest = Manifest { game, from: digest_of_all(sectors)?, sectors: BTreeMap::new() };
        contents::write(&Contents::Bounds.file(&path), Contents::Bounds, &manifest)?;
        Ok((
            Self { path, manifest, ranges: BTreeMap::new(), is_current: true, problem: OnceLock::new() },
            lock,
        ))
    }

    /// Forgets the ranges whose files are missing or damaged.
    fn forget_damaged(&mut self, maker: &IndexMaker) -> Result<()> {
        for sector in self.ranges.keys().copied().collect::<Vec<_>>() {
            let Some(entry) = self.sector(sector) else { continue };
            match self.read(sector, entry, maker) {
                Ok(_) => {}
                Err(Error::Corrupt { .. }) => self.forget(sector),
                Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => self.forget(sector),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn forget(&mut self, sector: Sector) {
        self.manifest.sectors.remove(&sector.to_string());
        self.ranges.remove(&sector);
    }

    /// Writes the ranges of a sector and records them in the manifest.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::DiskFull`], or [`Error::Codec`].
    pub fn put(&mut self, ranges: SectorRanges, placements: u8, plies: u32) -> Result<()> {
        let sector = ranges.sector();
        let packed = zstd::bulk::compress(ranges.bytes(), LEVEL);
        let packed = packed.map_err(|source| Error::Codec { what: "zstd in memory", source })?;
        let file = StoredFile::write(&file_of(&self.path, sector), &packed)?;
        let entry = EarlySector { placements, plies, counts: ranges.counts(), file };
        self.manifest.sectors.insert(sector.to_string(), entry);
        contents::write(&Contents::Bounds.file(&self.path), Contents::Bounds, &self.manifest)?;
        self.ranges.insert(sector, OnceLock::from(ranges));
        Ok(())
    }

    /// Returns the manifest's entry for a sector.
    pub fn sector(&self, sector: Sector) -> Option<&EarlySector> {
        self.manifest.sectors.get(&sector.to_string())
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the stored information about a position, or `None` if the position is not included. *Cost*: reads each
    /// sector once.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if a file is not what was written, or [`Error::Io`].
    pub fn get(&self, state: State, maker: &IndexMaker) -> Result<Option<Stored>> {
        let sector = Sector::of(state);
        let Some(slot) = self.ranges.get(&sector) else { return Ok(None) };
        let Some(entry) = self.sector(sector) else { return Ok(None) };
        let ranges = match slot.get() {
            Some(ranges) => ranges,
            None => {
                let ranges = self.read(sector, entry, maker)?;
                slot.get_or_init(|| ranges)
            }
        };
        let plies = if self.is_current { entry.plies } else { 0 };
        Ok(ranges.get(state).map(|range| Stored { range, plies }))
    }

    /// Returns what [`EarlyBounds::get`] returns, or `None` from the first file on that is damaged or missing, which
    /// [`EarlyBounds::problem`] then names.
    pub fn find(&self, state: State, maker: &IndexMaker) -> Option<Stored> {
        if self.problem.get().is_some() {
            return None;
        }
        match self.get(state, maker) {
            Ok(found) => found,
            Err(error) => {
                self.problem.get_or_init(|| error.to_string());
                None
            }
        }
    }

    /// Returns the error after which [`EarlyBounds::find`] stopped reading the ranges, if one occurred.
    pub fn problem(&self) -> Option<&str> {
        self.problem.get().map(String::as_str)
    }

    /// Reads all ranges, and checks that they are what was written.
    ///
    /// # Errors
    /// Returns the same errors as [`EarlyBounds::get`].
    pub fn verify(&self, maker: &IndexMaker) -> Result<()> {
        for &sector in self.ranges.keys() {
            if let Some(entry) = self.sector(sector) {
                self.read(sector, entry, maker)?;
            }
        }
        Ok(())
    }

    fn read(&self, sector: Sector, entry: &EarlySector, maker: &IndexMaker) -> Result<SectorRanges> {
        let path = file_of(&self.path, sector);
        let damaged = || Error::corrupt(&path, "its contents do not fit its sector");
        let packed = entry.file.read(&path)?;
        let index = maker.index(sector.own, sector.other);
        let num_slots = usize::try_from(index.num_slots()).map_err(|_| damaged())?;
        let bytes = zstd::bulk::decompress(&packed, num_slots).map_err(|_| damaged())?;
        let ranges = SectorRanges::of_bytes(sector, index, bytes).ok_or_else(damaged)?;
        if ranges.counts() == entry.counts { Ok(ranges) } else { Err(damaged()) }
    }
}

fn file_of(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(format!("{sector}{SUFFIX}"))
}

/// Returns a digest of all sectors in a directory. *Cost*: reads the last bytes of each file.
fn digest_of_all(sectors: &SectorSolution) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    for file in sectors.dir.sectors()? {
        hasher.update(file.sector.to_string().as_bytes());
        hasher.update(&digest_of(&file.path)?);
    }
    Ok(hasher.finalize().to_hex().to_string())
}
