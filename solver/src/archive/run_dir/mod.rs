//! A run directory: a manifest and one file per automaton, which suffice to resume, query and verify a solve.
//!
//! Invariants: the manifest is always replaced as a whole, after all files that it names are on disk, so the directory
//! describes a finished ply at any moment. Nothing in the manifest depends on time, threads or interruptions, so equal
//! requests produce equal bytes. Nothing outside the directory is read or written.

mod set;
mod upkeep;

use std::collections::BTreeMap;
use std::iter;
use std::path::{Path, PathBuf};

use nerode_dfa::{Dfa, MAX_SIDES, Passes, disk};
use serde::{Deserialize, Serialize};

use crate::archive::claim;
use crate::archive::contents::{self, Contents};
use crate::archive::files::{remove_unfinished, write_atomic};
use crate::error::{Error, Result};
use crate::units::lock::Lock;
use crate::units::{FOLDER as UNITS, remove_folder};

pub use crate::archive::request::{Progress, Request};
pub use set::{Kind, SetEntry, SetName};

const SETS: &str = "sets";

/// The manifest of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The request that is solved.
    pub(crate) request: Request,
    /// The progress of the solve.
    pub(crate) progress: Progress,
    /// The sets by name.
    pub(crate) sets: BTreeMap<String, SetEntry>,
}

/// An open run directory.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// The manifest that the next [`RunDir::commit`] will write.
    pub(crate) manifest: Manifest,
    /// The lock that is held while the run may be written.
    _lock: Option<Lock>,
}

impl RunDir {
    /// Returns `true` if `path` contains a run.
    pub fn exists(path: &Path) -> bool {
        Contents::Run.is_in(path)
    }

    /// Creates a run directory, locked for writing. With `overwrite`, an existing run in it is removed first.
    ///
    /// # Errors
    /// Returns [`Error::Occupied`] if there already is a run, [`Error::OtherContents`] if the directory has other
    /// contents, [`Error::Busy`] while another process writes to it, or [`Error::Io`].
    pub fn create(path: &Path, request: Request, overwrite: bool) -> Result<Self> {
        let lock = claim::begin(path, Contents::Run, overwrite)?;
        let sets = path.join(SETS);
        let io = |e| Error::io(&sets, e);
        if overwrite && sets.exists() {
            disk::remove_dir_all(&sets).map_err(io)?;
        }
        if overwrite {
            remove_folder(&path.join(UNITS))?;
        }
        disk::create_dir_all(&sets).map_err(io)?;
        remove_unfinished(&sets, "")?;
        let manifest = Manifest { request, progress: Progress::default(), sets: BTreeMap::new() };
        let run = Self { path: path.into(), manifest, _lock: Some(lock) };
        run.commit()?;
        Ok(run)
    }

    /// Opens a run to continue it, locked for writing. A request for more plies than before continues from the existing
    /// ones.
    ///
    /// # Errors
    /// Returns the errors of [`RunDir::open`], [`Error::OtherRequest`] if the request differs in any other respect, or
    /// [`Error::Busy`] while another process writes to the run.
    pub fn resume(path: &Path, request: &Request) -> Result<Self> {
        // The lock is taken first, because a run must not be read while another process writes it.
        let lock = if Self::exists(path) { Some(claim::claim(path, Contents::Run)?) } else { None };
        let mut run = Self::open(path)?;
        run._lock = lock;
        let found = &run.manifest.request;
        if request.goes_further_than(found) {
            run.go_further(request)?;
        } else if !found.is_same(request) {
            return Err(Error::OtherRequest {
                path: path.into(),
                found: found.to_string(),
                request: request.to_string(),
            });
        }
        let sets = path.join(SETS);
        disk::create_dir_all(&sets).map_err(|e| Error::io(&sets, e))?;
        remove_unfinished(&sets, "")?;
        run.remove_unnamed()?;
        Ok(run)
    }

    /// Opens a run for reading.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if there is no run, [`Error::WrongVersion`], [`Error::Corrupt`] if the manifest
    /// cannot be read, or [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::Run)?;
        if let Some(entry) = manifest.sets.values().find(|e| !is_inside(&e.file)) {
            let reason = format!("'{}' is not a file of this run", entry.file);
            return Err(Error::corrupt(Contents::Run.file(path), reason));
        }
        Ok(Self { path: path.into(), manifest, _lock: None })
    }

    /// Returns the request that is solved.
    pub fn request(&self) -> &Request {
        &self.manifest.request
    }

    /// Returns the progress of the solve.
    pub fn progress(&self) -> &Progress {
        &self.manifest.progress
    }

    /// Returns the sets by name, in alphabetical order.
    pub fn sets(&self) -> impl Iterator<Item = (&str, &SetEntry)> {
        self.manifest.sets.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// Returns the entry of the set with this name, such as `W-P1-004`.
    pub fn entry_named(&self, name: &str) -> Option<&SetEntry> {
        self.manifest.sets.get(name)
    }

    /// Returns the path of the manifest.
    pub(crate) fn manifest_path(&self) -> PathBuf {
        Contents::Run.file(&self.path)
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the digest of the manifest, by which other files identify the run from which they were derived.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the manifest cannot be represented in JSON.
    pub fn digest(&self) -> Result<String> {
        contents::directory::digest(&self.manifest_path(), Contents::Run, &self.manifest)
    }

    /// Writes a set, which the manifest names from the next [`RunDir::commit`] on.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if the number of words does not fit into 128 bits.
    pub(crate) fn put(&mut self, name: SetName, set: &Dfa) -> Result<SetEntry> {
        let entry = self.write(name, set)?;
        self.insert(name, entry.clone());
        Ok(entry)
    }

    /// Adds a set written by [`RunDir::write`] to the manifest, with effect from the next [`RunDir::commit`] on.
    pub(crate) fn insert(&mut self, name: SetName, entry: SetEntry) {
        self.manifest.sets.insert(name.to_string(), entry);
    }

    /// Writes the file of a set, which becomes part of the run only with [`RunDir::insert`].
    ///
    /// # Errors
    /// Returns the same errors as [`RunDir::put`].
    pub(crate) fn write(&self, name: SetName, set: &Dfa) -> Result<SetEntry> {
        let file = format!("{SETS}/{name}.dfa");
        let path = self.path.join(&file);
        let written = write_atomic(&path, |out| Ok(set.write_to(out, &path)?))?;
        Ok(SetEntry {
            file,
            num_states: set.num_states() as u64,
            num_positions: set.count()?,
            stored: written.into(),
            mirror: false,
            dropped: false,
            without: Vec::new(),
        })
    }

    /// Defines `name`, a set with `num_states` states, as the remainder of the set `whole` after removing the sets
    /// `without`, which must be disjoint subsets of `whole`.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSet`], or [`Error::Corrupt`] if the parts have more positions than `whole`.
    pub(crate) fn remainder(
        &mut self,
        name: SetName,
        num_states: u64,
        (whole, without): (SetName, &[SetName]),
    ) -> Result<SetEntry> {
        let whole = self.entry(whole)?.clone();
        let mut left = Some(whole.num_positions);
        for &part in without {
            let positions = self.entry(part)?.num_positions;
            left = left.and_then(|left| left.checked_sub(positions));
        }
        let num_positions = left.ok_or_else(|| {
            Error::corrupt(self.manifest_path(), format!("{name} would have a negative number of positions"))
        })?;
        let without = without.iter().map(SetName::to_string).collect();
        let entry = SetEntry { num_states, num_positions, without, ..whole };
        self.insert(name, entry.clone());
        Ok(entry)
    }

    /// Defines `name` as the mirror image of the set `other`, whose file its entry names.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSet`] for `other`.
    pub(crate) fn mirror(&mut self, name: SetName, other: SetName) -> Result<()> {
        let entry = SetEntry { mirror: true, ..self.entry(other)?.clone() };
        self.insert(name, entry);
        Ok(())
    }

    /// Returns the entry of a set in the manifest.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSet`].
    pub fn entry(&self, name: SetName) -> Result<&SetEntry> {
        let missing = || Error::NoSuchSet { path: self.path.clone(), name: name.to_string() };
        self.manifest.sets.get(&name.to_string()).ok_or_else(missing)
    }

    /// Reads a set and verifies its digest.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSet`], or [`Error::Corrupt`] if the file was changed.
    pub fn get(&self, name: SetName) -> Result<Dfa> {
        self.read(self.entry(name)?)
    }

    /// Reads the set of an entry and verifies its digest. A remainder is computed from the sets that define it.
    ///
    /// # Errors
    /// Returns [`Error::MirrorImage`] for a mirror image, which has no automaton, or the errors of
    /// [`RunDir::read_file`].
    pub fn read(&self, entry: &SetEntry) -> Result<Dfa> {
        self.read_by(entry, &Passes::new(u64::MAX, 1)?, |entry| self.read_file(entry))
    }

    /// Reads a set as [`RunDir::read`] does. Reads files by `read_file` and computes remainders by `passes`.
    pub(crate) fn read_by(
        &self,
        entry: &SetEntry,
        passes: &Passes,
        read_file: impl Fn(&SetEntry) -> Result<Dfa>,
    ) -> Result<Dfa> {
        entry.must_be_stored()?;
        let mut set = read_file(entry)?;
        for names in entry.without.chunks(MAX_SIDES - 1) {
            let parts = self.parts(names)?.into_iter().map(&read_file).collect::<Result<Vec<_>>>()?;
            let sets: Vec<&Dfa> = iter::once(&set).chain(&parts).collect();
            set = passes.combine(&sets, |x| x[0] && !x[1..].contains(&true))?;
        }
        Ok(set)
    }

    /// Returns the entries of the sets whose removal leaves a remainder.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if there is no such set or it has no file of its own.
    pub(crate) fn parts(&self, names: &[String]) -> Result<Vec<&SetEntry>> {
        let part = |name: &String| {
            let entry = self.manifest.sets.get(name).filter(|entry| !entry.mirror && !entry.is_remainder());
            entry
                .ok_or_else(|| Error::corrupt(self.manifest_path(), format!("{name} has no file of its own")))
        };
        names.iter().map(part).collect()
    }

    /// Reads the file of an entry and verifies its digest. For a mirror image or a remainder, the file does not contain
    /// the set itself.
    ///
    /// # Errors
    /// Returns [`Error::NotKept`], [`Error::Corrupt`] if the file was changed, or [`Error::Io`].
    pub fn read_file(&self, entry: &SetEntry) -> Result<Dfa> {
        entry.must_be_kept()?;
        let path = self.path.join(&entry.file);
        Ok(Dfa::from_bytes(&entry.stored.read(&path)?, &path)?)
    }

    /// Reads a file as [`RunDir::read_file`] does, but layer by layer, with large layers in unnamed files in `folder`.
    ///
    /// # Errors
    /// Returns the same errors as [`RunDir::read_file`].
    pub(crate) fn read_in_files(&self, entry: &SetEntry, folder: &Path) -> Result<Dfa> {
        entry.must_be_kept()?;
        let path = self.path.join(&entry.file);
        entry.stored.must_be_whole(&path)?;
        Ok(Dfa::read_in_files(&path, folder)?)
    }

    /// Writes the manifest to disk, which makes the sets written since the last call part of the run.
    ///
    /// # Errors
    /// Returns [`Error::Io`]. In that case, the manifest on disk is unchanged.
    pub(crate) fn commit(&self) -> Result<()> {
        contents::write(&self.manifest_path(), Contents::Run, &self.manifest)
    }
}

fn is_inside(file: &str) -> bool {
    file.strip_prefix("sets/").is_some_and(|name| !name.contains(['/', '\\']) && name != "..")
}
