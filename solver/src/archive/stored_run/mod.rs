//! A run, finished or not, opened for reading: values and depths of single positions, and of all at once.
//!
//! Invariant: a set that is asked is read from disk at most once; looking up in a set that was read takes no lock.

mod maps;
mod query;

pub(crate) use query::PlySets;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::{Dfa, Passes, belongs_in_files};
use nerode_games::{Game, Side};

use super::resolver::{Registry, Resolver};
use super::slot::Slot;
use crate::archive::run_dir::{Kind, RunDir, SetEntry, SetName};
use crate::archive::values::Attached;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::disk::Disk;
use crate::solve::method::{Keep, Method};

/// A run opened for reading. Many threads may ask at once.
pub struct StoredRun {
    /// The game it solves, in the letter order of the run.
    pub game: Arc<dyn Game>,
    /// The directory.
    pub run: RunDir,
    /// Sets by file, remainders by name, each read when it is first needed.
    sets: BTreeMap<String, Slot<Dfa>>,
    /// The values folder in the run directory, which answers faster.
    values: Attached,
    /// Whether an unfinished run is taken as one cut short.
    so_far: bool,
    /// Bytes of memory for the sets; `None` where all may be there.
    memory: Option<u64>,
}

impl StoredRun {
    /// Opens the run of a registered game in `path`.
    ///
    /// # Errors
    /// As [`StoredRun::open_with`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &Registry)
    }

    /// Opens the run in `path`, of the game that `resolver` finds.
    ///
    /// # Errors
    /// As [`RunDir::open`]; what `resolver` returns; [`Error::WrongRules`] when the game has other rules than the run, or
    /// another letter order.
    pub fn open_with(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let run = RunDir::open(path)?;
        let request = &run.manifest.request;
        let game = request.id().resolve(resolver, &run.manifest_path())?;
        let values = Attached::of(&run, &game);
        let key = |(name, entry): (&String, &SetEntry)| {
            if entry.is_remainder() { name.clone() } else { entry.file.clone() }
        };
        let sets = run.manifest.sets.iter().map(|set| (key(set), Slot::default())).collect();
        Ok(Self { game, run, sets, values, so_far: false, memory: None })
    }

    /// The same with `memory` bytes for its sets. A set that is large for that lies in nameless files in the directory of the run,
    /// if these can be written. Answers are the same, and may take longer.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// A retrograde run as one cut short after the last ply it has: what is not decided by then is unknown. Draws and unknown
    /// positions have no sets of their own then. A finished run stays as it is.
    ///
    /// # Errors
    /// [`Error::WrongRun`] for an unfinished run from the start; [`Error::NoRetrogradePly`].
    pub fn so_far(mut self) -> Result<Self> {
        if self.run.manifest.progress.finished {
            return Ok(self);
        }
        if self.method() != Method::Retrograde {
            let wanted = "answers and checks before the end";
            return Err(Error::WrongRun { wanted, needs: RunNeeds::RetrogradeOrFinished });
        }
        if self.run.manifest.progress.backward.is_none() {
            return Err(Error::NoRetrogradePly { path: self.run.path().into() });
        }
        self.run.manifest.progress.finished = true;
        self.so_far = true;
        Ok(self)
    }

    /// Whether this is an unfinished run taken as one cut short, see [`StoredRun::so_far`].
    pub fn is_so_far(&self) -> bool {
        self.so_far
    }

    /// The method of the run.
    pub fn method(&self) -> Method {
        self.run.manifest.request.method
    }

    /// Whether every position that the run covers has a proved value.
    pub fn is_complete(&self) -> bool {
        let p = &self.run.manifest.progress;
        match self.method() {
            Method::Retrograde => p.finished && p.fixpoint,
            Method::Meet => p.finished && (p.forward_complete || p.fixpoint),
        }
    }

    /// Last retrograde ply.
    pub fn last_ply(&self) -> u32 {
        self.run.manifest.progress.backward.unwrap_or(0)
    }

    /// Whether every position has its exact depth: the sets of all plies are kept.
    pub fn has_depths(&self) -> bool {
        self.run.manifest.request.keep == Keep::All
    }

    /// The first ply whose set is kept; all later ones are.
    pub(crate) fn first_kept(&self, kind: Kind, side: Side) -> Result<u32> {
        let mut first = if self.has_depths() { 0 } else { self.last_ply() };
        while first > 0 && !self.entry(kind, side, first - 1)?.dropped {
            first -= 1;
        }
        Ok(first)
    }

    /// The manifest's entry of a set.
    ///
    /// # Errors
    /// When the run has no such set.
    pub fn entry(&self, kind: Kind, side: Side, ply: u32) -> Result<&SetEntry> {
        self.run.entry(SetName { kind, side, ply })
    }

    /// A set of the run, read once.
    ///
    /// # Errors
    /// As [`RunDir::get`].
    pub fn set(&self, kind: Kind, side: Side, ply: u32) -> Result<&Dfa> {
        let name = SetName { kind, side, ply };
        let entry = self.run.entry(name)?;
        entry.must_be_stored()?;
        if entry.is_remainder() {
            return self.slot(&name.to_string())?.get_or_read(|| self.read_entry(entry));
        }
        self.of_file(entry)
    }

    /// As [`StoredRun::set`], read anew and not kept: for whoever goes through many sets.
    ///
    /// # Errors
    /// As [`RunDir::get`].
    pub fn read(&self, kind: Kind, side: Side, ply: u32) -> Result<Dfa> {
        self.read_entry(self.run.entry(SetName { kind, side, ply })?)
    }

    /// [`StoredRun::read`] for a set that the manifest lists.
    pub fn read_entry(&self, entry: &SetEntry) -> Result<Dfa> {
        let mut passes = Passes::new(self.memory.unwrap_or(u64::MAX), 1)?;
        if self.memory.is_some() {
            passes.set_scratch(self.run.path().into());
            passes.set_sets_in_files(true);
        }
        self.run.read_by(entry, &passes, |entry| self.read_file(entry))
    }

    /// The automaton of an entry's file.
    pub(crate) fn read_file(&self, entry: &SetEntry) -> Result<Dfa> {
        let set = match self.in_files(entry) {
            Some(set) => set,
            None => self.run.read_file(entry)?,
        };
        if set.shape() == self.game.shape() {
            return Ok(set);
        }
        Err(Error::corrupt(self.run.path().join(&entry.file), "its words are not those of the game"))
    }

    /// The automaton of an entry's file, in nameless files; `None` where it belongs into memory, or must be there.
    fn in_files(&self, entry: &SetEntry) -> Option<Dfa> {
        let bytes = entry.most_bytes(self.game.shape());
        self.memory.filter(|&memory| belongs_in_files(bytes, memory))?;
        let folder = self.run.path();
        Disk::default().must_hold(folder, bytes).ok()?;
        // What is wrong with the set itself is wrong in memory too, and said there.
        self.run.read_in_files(entry, folder).ok()
    }

    /// The automaton of an entry's file, read once.
    fn of_file(&self, entry: &SetEntry) -> Result<&Dfa> {
        self.slot(&entry.file)?.get_or_read(|| self.read_file(entry))
    }

    fn slot(&self, key: &str) -> Result<&Slot<Dfa>> {
        let unknown = || Error::corrupt(self.run.manifest_path(), format!("it did not name {key} before"));
        self.sets.get(key).ok_or_else(unknown)
    }

    /// Side to move after `ply` plies.
    pub fn side_at(&self, ply: u32) -> Side {
        let first = self.game.start().1;
        if ply.is_multiple_of(2) { first } else { first.other() }
    }

    /// Refuses a run that is not finished.
    ///
    /// # Errors
    /// [`Error::NotFinished`].
    pub fn must_be_finished(&self) -> Result<()> {
        if self.run.manifest.progress.finished {
            return Ok(());
        }
        Err(Error::NotFinished { path: self.run.path().into() })
    }
}
