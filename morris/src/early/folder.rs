//! The folder `bounds` beside sectors: a file for each sector, and a manifest that names them.
//!
//! A file is a zstd frame with a byte for each slot. The manifest is written anew after every file, so what is finished stays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use nerode_games::morris::State;
use serde::{Deserialize, Serialize};

use super::ranges::{RangeCounts, SectorRanges};
use crate::tables::file::digest_of;
use crate::tables::{GameName, IndexMaker, Sector, SectorSolution};
use nerode_solver::archive::claim;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::ValueRange;
use nerode_solver::units::lock::Lock;

/// Name of the folder, in that of the sectors.
pub const FOLDER: &str = "bounds";
const SUFFIX: &str = ".bounds";
/// How hard zstd tries.
const LEVEL: i32 = 3;

/// What the folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameName,
    /// Digest of the sectors that were searched into.
    from: String,
    /// By sector.
    sectors: BTreeMap<String, EarlySector>,
}

/// What the manifest says of a sector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlySector {
    /// Stones placed before.
    pub placements: u8,
    /// Plies that every position was searched.
    pub plies: u32,
    /// How many positions have which range.
    pub counts: RangeCounts,
    /// Its file.
    pub file: StoredFile,
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The range, for the side to move.
    pub range: ValueRange,
    /// Plies of a search that would show no more; 0 if there are other sectors now than were searched into.
    pub plies: u32,
}

/// Stored ranges of early positions. Sectors are read when they are first asked for.
#[derive(Debug)]
pub struct EarlyBounds {
    path: PathBuf,
    manifest: Manifest,
    held: BTreeMap<Sector, OnceLock<SectorRanges>>,
    is_current: bool,
}

impl EarlyBounds {
    /// The ranges beside `sectors`; `None` where there are none.
    ///
    /// # Errors
    /// [`Error::WrongRules`] for ranges of other rules; [`Error::WrongVersion`]; [`Error::Corrupt`]; [`Error::Io`].
    pub fn of(sectors: &SectorSolution) -> Result<Option<Self>> {
        let path = sectors.dir.path().join(FOLDER);
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
        let no_sector = |_| Error::corrupt(Contents::Bounds.file(&path), "it names a sector that is none");
        let names = manifest.sectors.keys().map(|name| name.parse().map_err(no_sector));
        let held = names.map(|sector| Ok((sector?, OnceLock::new()))).collect::<Result<_>>()?;
        let is_current = manifest.from == digest_of_all(sectors)?;
        Ok(Some(Self { path, manifest, held, is_current }))
    }

    /// The ranges beside `sectors`, to be added to, and the right to do so. Those that were made from the same sectors stay, unless
    /// they are to be made anew.
    ///
    /// # Errors
    /// As [`EarlyBounds::of`]; [`Error::Occupied`] for ranges made from other sectors, without `overwrite`; [`Error::Busy`] while
    /// another process adds some.
    pub fn begin(sectors: &SectorSolution, overwrite: bool) -> Result<(Self, Lock)> {
        let path = sectors.dir.path().join(FOLDER);
        let lock = claim::claim(&path, Contents::Bounds)?;
        let found = if overwrite { None } else { Self::of(sectors)? };
        match found {
            Some(found) if found.is_current => return Ok((found, lock)),
            Some(_) => {
                let contents = "bounds that a search into other sectors has shown".into();
                return Err(Error::Occupied { path, contents });
            }
            None => {}
        }
        let game = sectors.dir.game().clone();
        let manifest = Manifest { game, from: digest_of_all(sectors)?, sectors: BTreeMap::new() };
        contents::write(&Contents::Bounds.file(&path), Contents::Bounds, &manifest)?;
        Ok((Self { path, manifest, held: BTreeMap::new(), is_current: true }, lock))
    }

    /// Writes the ranges of a sector and notes them in the manifest.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::DiskFull`]; [`Error::Codec`].
    pub fn put(&mut self, ranges: SectorRanges, placements: u8, plies: u32) -> Result<()> {
        let sector = ranges.sector();
        let packed = zstd::bulk::compress(ranges.bytes(), LEVEL);
        let packed = packed.map_err(|source| Error::Codec { what: "zstd in memory", source })?;
        let file = StoredFile::write(&file_of(&self.path, sector), &packed)?;
        let entry = EarlySector { placements, plies, counts: ranges.counts(), file };
        self.manifest.sectors.insert(sector.to_string(), entry);
        contents::write(&Contents::Bounds.file(&self.path), Contents::Bounds, &self.manifest)?;
        self.held.insert(sector, OnceLock::from(ranges));
        Ok(())
    }

    /// What the manifest says of a sector.
    pub fn sector(&self, sector: Sector) -> Option<&EarlySector> {
        self.manifest.sectors.get(&sector.to_string())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is stored of a position; `None` for one that is not among them. *Cost*: reads a sector once.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a file that is not what was written; [`Error::Io`].
    pub fn get(&self, state: State, maker: &IndexMaker) -> Result<Option<Stored>> {
        let sector = Sector::of(state);
        let Some(held) = self.held.get(&sector) else { return Ok(None) };
        let Some(entry) = self.sector(sector) else { return Ok(None) };
        let ranges = match held.get() {
            Some(ranges) => ranges,
            None => {
                let ranges = self.read(sector, entry, maker)?;
                held.get_or_init(|| ranges)
            }
        };
        let plies = if self.is_current { entry.plies } else { 0 };
        Ok(ranges.get(state).map(|range| Stored { range, plies }))
    }

    fn read(&self, sector: Sector, entry: &EarlySector, maker: &IndexMaker) -> Result<SectorRanges> {
        let path = file_of(&self.path, sector);
        let damaged = || Error::corrupt(&path, "it does not hold what its sector needs");
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

/// A digest of all sectors in a directory. *Cost*: the last bytes of each file.
fn digest_of_all(sectors: &SectorSolution) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    for file in sectors.dir.sectors()? {
        hasher.update(file.sector.to_string().as_bytes());
        hasher.update(&digest_of(&file.path)?);
    }
    Ok(hasher.finalize().to_hex().to_string())
}
