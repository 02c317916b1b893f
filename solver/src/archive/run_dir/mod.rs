//! A run directory: a manifest and one file per automaton, enough to resume, query and verify a solve.
//!
//! Invariants: the manifest is replaced as a whole, after every file that it names is on disk; so at any moment the
//! directory describes a finished ply. Nothing in the manifest depends on time, threads or interruptions: equal requests
//! give equal bytes. Nothing outside the directory is read or written.

mod request;
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

pub use request::{Progress, Request};
pub use set::{Kind, SetEntry, SetName};

const SETS: &str = "sets";

/// The manifest of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// What is solved.
    pub(crate) request: Request,
    /// How far.
    pub(crate) progress: Progress,
    /// Sets by name.
    pub(crate) sets: BTreeMap<String, SetEntry>,
}

/// An open run directory.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// The manifest as it will be written by the next [`RunDir::commit`].
    pub(crate) manifest: Manifest,
    /// Held while the run may write.
    _lock: Option<Lock>,
}

impl RunDir {
    /// Whether `path` holds a run.
    pub fn exists(path: &Path) -> bool {
        Contents::Run.is_in(path)
    }

    /// Makes a new run directory, locked for writing. With `overwrite`, an earlier run in it is removed first.
    ///
    /// # Errors
    /// [`Error::Occupied`] when there is a run already, [`Error::OtherContents`] when there is something else;
    /// [`Error::Busy`] while another process writes it; [`Error::Io`].
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

    /// Opens a run to continue it, locked for writing. A request for more plies than before goes on from those that are there.
    ///
    /// # Errors
    /// As [`RunDir::open`]; [`Error::OtherRequest`] when the request differs in anything else; [`Error::Busy`] while another
    /// process writes it.
    pub fn resume(path: &Path, request: &Request) -> Result<Self> {
        // A run that is being written is not read before its writer is done.
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
                asked: request.to_string(),
            });
        }
        let sets = path.join(SETS);
        disk::create_dir_all(&sets).map_err(|e| Error::io(&sets, e))?;
        remove_unfinished(&sets, "")?;
        run.remove_unnamed()?;
        Ok(run)
    }

    /// Opens a run to read it.
    ///
    /// # Errors
    /// [`Error::OtherContents`] when there is none; [`Error::WrongVersion`]; [`Error::Corrupt`] when the manifest cannot be read;
    /// [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::Run)?;
        if let Some(entry) = manifest.sets.values().find(|e| !is_inside(&e.file)) {
            let reason = format!("'{}' is not a file of this run", entry.file);
            return Err(Error::corrupt(Contents::Run.file(path), reason));
        }
        Ok(Self { path: path.into(), manifest, _lock: None })
    }

    /// What is solved.
    pub fn request(&self) -> &Request {
        &self.manifest.request
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.manifest.progress
    }

    /// Its sets by name, in the order of the names.
    pub fn sets(&self) -> impl Iterator<Item = (&str, &SetEntry)> {
        self.manifest.sets.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// The manifest's entry of the set with this name, such as `W-P1-004`.
    pub fn entry_named(&self, name: &str) -> Option<&SetEntry> {
        self.manifest.sets.get(name)
    }

    /// The file of the manifest.
    pub(crate) fn manifest_path(&self) -> PathBuf {
        Contents::Run.file(&self.path)
    }

    /// Where the run lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of the manifest, by which other files say which run they were made from.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the manifest has no JSON form.
    pub fn digest(&self) -> Result<String> {
        contents::digest(&self.manifest_path(), Contents::Run, &self.manifest)
    }

    /// Writes a set; the manifest names it from the next [`RunDir::commit`] on.
    ///
    /// # Errors
    /// [`Error::Io`]; counting beyond 128 bits.
    pub(crate) fn put(&mut self, name: SetName, set: &Dfa) -> Result<SetEntry> {
        let entry = self.write(name, set)?;
        self.insert(name, entry.clone());
        Ok(entry)
    }

    /// Lets the manifest name a set that [`RunDir::write`] has written, from the next [`RunDir::commit`] on.
    pub(crate) fn insert(&mut self, name: SetName, entry: SetEntry) {
        self.manifest.sets.insert(name.to_string(), entry);
    }

    /// Writes the file of a set, which is not part of the run before [`RunDir::insert`].
    ///
    /// # Errors
    /// As [`RunDir::put`].
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

    /// Lets `name`, of a set with `num_states` states, be what the sets `without`, which are disjoint parts of the set `whole`, leave of
    /// it.
    ///
    /// # Errors
    /// [`Error::NoSuchSet`]; [`Error::Corrupt`] for parts with more positions than `whole` has.
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
            Error::corrupt(self.manifest_path(), format!("{name} would have fewer than 0 positions"))
        })?;
        let without = without.iter().map(SetName::to_string).collect();
        let entry = SetEntry { num_states, num_positions, without, ..whole };
        self.insert(name, entry.clone());
        Ok(entry)
    }

    /// Lets `name` be the mirror image of the set `other`, whose file it names.
    ///
    /// # Errors
    /// [`Error::NoSuchSet`] for `other`.
    pub(crate) fn mirror(&mut self, name: SetName, other: SetName) -> Result<()> {
        let entry = SetEntry { mirror: true, ..self.entry(other)?.clone() };
        self.insert(name, entry);
        Ok(())
    }

    /// The manifest's entry of a set.
    ///
    /// # Errors
    /// [`Error::NoSuchSet`].
    pub fn entry(&self, name: SetName) -> Result<&SetEntry> {
        let missing = || Error::NoSuchSet { path: self.path.clone(), name: name.to_string() };
        self.manifest.sets.get(&name.to_string()).ok_or_else(missing)
    }

    /// Reads a set and checks its digest.
    ///
    /// # Errors
    /// [`Error::NoSuchSet`]; [`Error::Corrupt`] when the file is not the one that was written.
    pub fn get(&self, name: SetName) -> Result<Dfa> {
        self.read(self.entry(name)?)
    }

    /// Reads the set of an entry and checks its digest. A remainder is computed from the sets that leave it.
    ///
    /// # Errors
    /// [`Error::MirrorImage`] for one, which has no automaton; otherwise as [`RunDir::read_file`].
    pub fn read(&self, entry: &SetEntry) -> Result<Dfa> {
        self.read_by(entry, &Passes::new(u64::MAX, 1)?, |entry| self.read_file(entry))
    }

    /// [`RunDir::read`] with files read by `read_file` and remainders computed by `passes`.
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

    /// The entries of the sets that leave a remainder.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where there is no such set, or it has no file of its own.
    pub(crate) fn parts(&self, names: &[String]) -> Result<Vec<&SetEntry>> {
        let part = |name: &String| {
            let entry = self.manifest.sets.get(name).filter(|entry| !entry.mirror && !entry.is_remainder());
            entry
                .ok_or_else(|| Error::corrupt(self.manifest_path(), format!("{name} has no file of its own")))
        };
        names.iter().map(part).collect()
    }

    /// Reads the file of an entry, which is not the set where that is a mirror image or a remainder, and checks its digest.
    ///
    /// # Errors
    /// [`Error::NotKept`]; [`Error::Corrupt`] when the file is not the one that was written; [`Error::Io`].
    pub fn read_file(&self, entry: &SetEntry) -> Result<Dfa> {
        entry.must_be_kept()?;
        let path = self.path.join(&entry.file);
        Ok(Dfa::from_bytes(&entry.stored.read(&path)?, &path)?)
    }

    /// As [`RunDir::read_file`], a layer at a time, with large layers in nameless files in `folder`.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn read_in_files(&self, entry: &SetEntry, folder: &Path) -> Result<Dfa> {
        entry.must_be_kept()?;
        let path = self.path.join(&entry.file);
        entry.stored.must_be_whole(&path)?;
        Ok(Dfa::read_in_files(&path, folder)?)
    }

    /// Puts the manifest on disk: the sets written since the last call belong to the run from now on.
    ///
    /// # Errors
    /// [`Error::Io`]; the manifest on disk is the old one then.
    pub(crate) fn commit(&self) -> Result<()> {
        contents::write(&self.manifest_path(), Contents::Run, &self.manifest)
    }
}

fn is_inside(file: &str) -> bool {
    file.strip_prefix("sets/").is_some_and(|name| !name.contains(['/', '\\']) && name != "..")
}
