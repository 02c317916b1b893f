//! A directory of solved sectors, one file each, to which any number of processes may add.
//!
//! Invariants: a sector file under its final name is complete, two processes never work on the same unit, and nothing
//! outside the directory is read or written.

mod request;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use nerode_games::morris::board::MOST_POINTS;
use nerode_solver::archive::disk;
use serde::{Deserialize, Serialize};

use crate::tables::file::{game_of, is_checked, read_sector, write_sector};
use crate::tables::index::IndexMaker;
use crate::tables::name::GameName;
use crate::tables::sector::{Sector, Unit};
use crate::tables::table::SectorTable;
use nerode_solver::archive::claim;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::archive::files::{remove_abandoned, remove_unfinished};
use nerode_solver::error::{Error, Result, check_interrupt};
use nerode_solver::units::lock::{Lock, try_lock};

pub use request::SectorsRequest;

const SUFFIX: &str = ".sector";
const LOCKS: &str = "locks";
/// The manifest lock is stored with the locks of the units, which are named after sectors.
const MANIFEST_LOCK: &str = "manifest";
/// How often locking a unit is attempted, because a process that only checks whether the unit is in progress also holds
/// its lock for an instant.
const CLAIM_TRIES: u32 = 5;

/// A directory of sectors of one game.
#[derive(Debug)]
pub struct SectorDir {
    path: PathBuf,
    game: GameName,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameName,
    rules: String,
    /// The requested sectors. Their dependencies are requested implicitly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wanted: Vec<String>,
    /// Whether every position is to be checked by forward play before its sector is written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    check: bool,
}

fn file_name(sector: Sector) -> String {
    format!("{sector}{SUFFIX}")
}

/// Returns the sector whose file has the given name, if no number of its stones exceeds the points of a board.
fn sector_called(name: &OsStr) -> Option<Sector> {
    let sector: Sector = name.to_str()?.strip_suffix(SUFFIX)?.parse().ok()?;
    let counts = [sector.own, sector.other, sector.own_hand, sector.other_hand];
    counts.iter().all(|&stones| usize::from(stones) <= MOST_POINTS).then_some(sector)
}

/// A sector that is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorFile {
    /// The sector.
    pub sector: Sector,
    /// The path of its file.
    pub path: PathBuf,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl SectorDir {
    /// Returns `true` if `path` is a directory of sectors.
    pub fn exists(path: &Path) -> bool {
        contents::kind_of(path) == Some(Contents::Sectors)
    }

    /// Creates the directory for `game`, whose full rules are `rules`, or opens it if it exists.
    ///
    /// # Errors
    /// Returns [`Error::Io`], the errors of [`SectorDir::open`], [`Error::WrongRules`] if the directory holds another
    /// game, or [`Error::OtherContents`] if it holds something else.
    pub fn create(path: &Path, game: GameName, rules: &str) -> Result<Self> {
        if Self::exists(path) {
            let dir = Self::open(path)?;
            // Temporary files left by a killed writer only waste space, so a failure to remove them is ignored.
            let _ = remove_abandoned(&Contents::Sectors.file(path));
            return if dir.game == game {
                Ok(dir)
            } else {
                Err(Error::WrongRules {
                    path: path.into(),
                    found: format!("{} ({})", dir.game.fingerprint, dir.game.spec),
                    expected: format!("{} ({})", game.fingerprint, game.spec),
                })
            };
        }
        claim::must_be_free_for(path, Contents::Sectors)?;
        disk::create_dir_all(path).map_err(|e| Error::io(path, e))?;
        let (wanted, check) = (Vec::new(), false);
        let manifest = Manifest { game: game.clone(), rules: rules.to_string(), wanted, check };
        contents::write(&Contents::Sectors.file(path), Contents::Sectors, &manifest)?;
        Ok(Self { path: path.into(), game })
    }

    /// Opens a directory of sectors.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if it is not a directory of sectors, [`Error::Io`], [`Error::WrongVersion`], or
    /// [`Error::Corrupt`].
    pub fn open(path: &Path) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::Sectors)?;
        Ok(Self { path: path.into(), game: manifest.game })
    }

    /// Returns the sectors whose files are in the directory `path`, and the game that one of them names. Does not need
    /// a manifest.
    pub fn found_in(path: &Path) -> Option<(GameName, BTreeSet<Sector>)> {
        let names = disk::read_dir(path).ok()?.filter_map(|entry| sector_called(&entry.ok()?.file_name()));
        let sectors: BTreeSet<Sector> = names.collect();
        let game = sectors.iter().find_map(|&sector| game_of(&path.join(file_name(sector))).ok())?;
        Some((game, sectors))
    }

    /// Returns the game whose sectors these are.
    pub fn game(&self) -> &GameName {
        &self.game
    }

    /// Acquires the right to replace the manifest, which a process holds only for a short time.
    fn lock_manifest(&self) -> Result<Lock> {
        self.patient_lock(MANIFEST_LOCK, 100)?.ok_or_else(|| Error::Busy { path: self.path.clone() })
    }

    /// Acquires the lock called `name`, with up to `times` attempts and a short pause between them.
    fn patient_lock(&self, name: &str, times: u32) -> Result<Option<Lock>> {
        let locks = self.path.join(LOCKS);
        disk::create_dir_all(&locks).map_err(|e| Error::io(&locks, e))?;
        for _ in 0..times {
            if let Some(lock) = try_lock(&locks.join(name))? {
                return Ok(Some(lock));
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Ok(None)
    }

    /// Returns `true` if another process is currently working on `unit`.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn is_in_work(&self, unit: &Unit) -> Result<bool> {
        let lock = self.path.join(LOCKS).join(unit.first().to_string());
        Ok(lock.exists() && try_lock(&lock)?.is_none())
    }

    /// Returns the sectors whose files exist but are damaged. *Cost*: reads every file.
    ///
    /// # Errors
    /// Returns the errors of [`SectorDir::load`] other than [`Error::Corrupt`], or [`Error::Interrupted`].
    pub fn damaged(&self, maker: &IndexMaker, interrupt: &AtomicBool) -> Result<BTreeSet<Sector>> {
        let mut damaged = BTreeSet::new();
        for file in self.sectors()? {
            check_interrupt(interrupt)?;
            match self.load(file.sector, maker) {
                Ok(_) => {}
                Err(Error::Corrupt { .. }) => drop(damaged.insert(file.sector)),
                Err(other) => return Err(other),
            }
        }
        Ok(damaged)
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file of `sector`, whether or not it exists.
    pub fn file(&self, sector: Sector) -> PathBuf {
        self.path.join(file_name(sector))
    }

    /// Returns `true` if all sectors of `unit` are on disk.
    pub fn has(&self, unit: &Unit) -> bool {
        unit.sectors().iter().all(|&sector| self.file(sector).is_file())
    }

    /// Returns the sectors on disk, in order.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn sectors(&self) -> Result<Vec<SectorFile>> {
        let io = |e| Error::io(&self.path, e);
        let mut found = BTreeSet::new();
        for entry in disk::read_dir(&self.path).map_err(io)? {
            found.extend(sector_called(&entry.map_err(io)?.file_name()));
        }
        let file = |sector| {
            let path = self.file(sector);
            let bytes = disk::metadata(&path).map_err(|e| Error::io(&path, e))?.len();
            Ok(SectorFile { sector, path, bytes })
        };
        found.into_iter().map(file).collect()
    }

    /// Reads and checks a sector.
    ///
    /// # Errors
    /// Returns the errors of [`read_sector`].
    pub fn load(&self, sector: Sector, maker: &IndexMaker) -> Result<SectorTable> {
        read_sector(&self.file(sector), &self.game, sector, maker)
    }

    /// Writes a sector and records whether it was checked completely. Returns the number of bytes.
    ///
    /// # Errors
    /// Returns the errors of [`write_sector`].
    pub fn store(&self, table: &SectorTable, checked: bool) -> Result<u64> {
        write_sector(&self.file(table.sector), &self.game, table, checked)
    }

    /// Returns `true` if the files of `unit` record that every position was checked by forward play. *Cost*: reads
    /// their headers.
    ///
    /// # Errors
    /// Returns the errors of [`is_checked`].
    pub fn is_checked(&self, unit: &Unit) -> Result<bool> {
        for &sector in unit.sectors() {
            if !is_checked(&self.file(sector))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Acquires the right to work on `unit`, which is held until the lock is dropped.
    ///
    /// # Errors
    /// Returns [`Error::BusyUnit`] if another process is working on the unit, or [`Error::Io`].
    pub(crate) fn claim(&self, unit: &Unit) -> Result<Lock> {
        let first = unit.first();
        let lock = self.patient_lock(&first.to_string(), CLAIM_TRIES)?;
        let lock =
            lock.ok_or_else(|| Error::BusyUnit { folder: self.path.clone(), unit: first.to_string() })?;
        for sector in unit.sectors() {
            remove_unfinished(&self.path, &file_name(*sector))?;
        }
        Ok(lock)
    }
}
