//! A finished or unfinished run opened for reading: values and depths of single positions and of all positions at once.
//!
//! Invariant: each set is read from disk at most once, and look-ups in a set that has been read take no lock.

mod maps;
mod outcomes;
mod query;

pub use outcomes::OutcomeMap;
pub(crate) use query::PlySets;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hashbrown::HashMap;
use nerode_dfa::{Dfa, Passes, belongs_in_files};
use nerode_games::registry::BUILT_IN;
use nerode_games::{Game, Side};

use super::resolver::Resolver;
use super::slot::Slot;
use crate::archive::packed::Packed;
use crate::archive::run_dir::{Kind, RunDir, SetEntry, SetName};
use crate::archive::values::Attached;
use crate::error::{Error, Result};
use crate::solve::disk::Disk;
use crate::solve::method::{Keep, Method};

/// A run opened for reading. Several threads may query it at the same time.
pub struct StoredRun {
    /// The game that the run solves, in the letter order of the run.
    pub game: Arc<dyn Game>,
    /// The directory of the run.
    pub run: RunDir,
    /// The sets by name. A look-up compares no text.
    sets: HashMap<SetName, StoredSet>,
    /// The values folder in the directory of the run, which allows faster look-ups.
    values: Attached,
    /// `true` if an unfinished run is treated as one that was limited to its current number of plies.
    so_far: bool,
    /// The number of bytes of memory for the sets; `None` means no limit.
    memory: Option<u64>,
}

/// A set of a run, read when it is first needed.
#[derive(Debug)]
struct StoredSet {
    /// The automaton in its file, which other sets may share.
    file: Arc<Slot<Dfa>>,
    /// `true` if the words in the file are mirror images.
    mirror: bool,
    /// The sets whose removal from the set in the file leaves this set, which is then a remainder.
    without: Vec<SetName>,
    /// The automaton of a remainder.
    remainder: Slot<Dfa>,
}

impl StoredSet {
    /// Returns the sets of a run by name.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if a set without a file of its own is not defined by sets with files.
    fn all(run: &RunDir) -> Result<HashMap<SetName, Self>> {
        let mut files: BTreeMap<&str, Arc<Slot<Dfa>>> = BTreeMap::new();
        let mut sets = HashMap::new();
        for (text, entry) in run.sets() {
            run.parts(entry.without())?;
            let named = |text: &str| {
                let unknown =
                    || Error::corrupt(run.manifest_path(), format!("{text} is not the name of a set"));
                SetName::parse(text).ok_or_else(unknown)
            };
            let without = entry.without().iter().map(|text| named(text)).collect::<Result<_>>()?;
            let file = Arc::clone(files.entry(entry.file()).or_default());
            let set = Self { file, mirror: entry.is_mirror(), without, remainder: Slot::default() };
            sets.insert(named(text)?, set);
        }
        Ok(sets)
    }
}

impl StoredRun {
    /// Opens the run of a built-in game in `path`.
    ///
    /// # Errors
    /// Returns the same errors as [`StoredRun::open_with`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &BUILT_IN)
    }

    /// Opens the run in `path` of a game that `resolver` finds.
    ///
    /// # Errors
    /// Returns the errors of [`RunDir::open`], any error of `resolver`, or [`Error::WrongRules`] if the game has other
    /// rules or another letter order than the run.
    pub fn open_with(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let run = RunDir::open(path)?;
        let request = &run.manifest.request;
        let game = request.id().resolve(resolver, &run.manifest_path())?;
        let values = Attached::of(&run, &game);
        let sets = StoredSet::all(&run)?;
        Ok(Self { game, run, sets, values, so_far: false, memory: None })
    }

    /// Limits the memory for sets to `memory` bytes. A set that is large in comparison is kept in unnamed files in the
    /// directory of the run if these can be written. Answers are the same but may take longer.
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.limit_memory(memory);
        self
    }

    /// Limits the memory for sets as [`StoredRun::with_memory`] does, unless the sets of the last ply fit into half of it: a search
    /// looks words up in random order, for which sets in files are many times slower.
    #[must_use]
    pub fn with_memory_for_search(self, memory: u64) -> Self {
        let last = self.last_ply();
        let of_side = |side| [Kind::W, Kind::L].map(|kind| self.run.entry(SetName { kind, side, ply: last }));
        let stored = Side::BOTH.into_iter().flat_map(of_side).flatten().filter(|entry| !entry.is_mirror());
        let bytes = stored.map(|entry| entry.most_bytes(self.game.shape())).fold(0, u64::saturating_add);
        if bytes <= memory / 2 { self } else { self.with_memory(memory) }
    }

    pub(crate) fn limit_memory(&mut self, memory: u64) {
        self.memory = Some(memory);
        self.values.limit_memory(memory);
    }

    /// Returns the packed values of reached positions in the values folder, if they are there and usable.
    pub(crate) fn packed(&self) -> Option<&Packed> {
        self.values.packed()
    }

    /// Ignores the values folder from now on because of `error`.
    pub(crate) fn give_up_values(&self, error: Error) {
        self.values.give_up(error);
    }

    /// Returns the number of bytes of memory for the sets; `None` means no limit.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Treats an unfinished retrograde run as one that was limited to its last completed ply: positions not decided by
    /// then are unknown. Draws and unknown positions then have no sets of their own. A finished run is returned
    /// unchanged.
    ///
    /// # Errors
    /// Returns [`Error::NoValuesYet`] for an unfinished run from the start, or [`Error::NoRetrogradePly`].
    pub fn so_far(mut self) -> Result<Self> {
        self.stop_at_last_ply()?;
        Ok(self)
    }

    pub(crate) fn stop_at_last_ply(&mut self) -> Result<()> {
        if self.run.manifest.progress.finished {
            return Ok(());
        }
        if self.method() != Method::Retrograde {
            return Err(Error::NoValuesYet { path: self.run.path().into() });
        }
        if self.run.manifest.progress.backward.is_none() {
            return Err(Error::NoRetrogradePly { path: self.run.path().into() });
        }
        self.run.manifest.progress.finished = true;
        self.so_far = true;
        Ok(())
    }

    /// Returns `true` if this is an unfinished run opened by [`StoredRun::so_far`].
    pub fn is_so_far(&self) -> bool {
        self.so_far
    }

    /// Returns the method of the run.
    pub fn method(&self) -> Method {
        self.run.manifest.request.method
    }

    /// Returns `true` if every position that the run covers has a proved value.
    pub fn is_complete(&self) -> bool {
        let p = &self.run.manifest.progress;
        match self.method() {
            Method::Retrograde => p.finished && p.fixpoint,
            Method::Meet => p.finished && (p.forward_complete || p.fixpoint),
        }
    }

    /// Returns the last retrograde ply.
    pub fn last_ply(&self) -> u32 {
        self.run.manifest.progress.backward.unwrap_or(0)
    }

    /// Returns `true` if the exact depth of every position is known, because the sets of all plies are kept.
    pub fn has_depths(&self) -> bool {
        self.run.manifest.request.keep == Keep::All
    }

    /// Returns the first ply whose set is kept. The sets of all later plies are kept as well.
    pub(crate) fn first_kept(&self, kind: Kind, side: Side) -> Result<u32> {
        let mut first = if self.has_depths() { 0 } else { self.last_ply() };
        while first > 0 && !self.entry(kind, side, first - 1)?.dropped {
            first -= 1;
        }
        Ok(first)
    }

    /// Returns the entry of a set in the manifest.
    ///
    /// # Errors
    /// Returns an error if the run has no such set.
    pub fn entry(&self, kind: Kind, side: Side, ply: u32) -> Result<&SetEntry> {
        self.run.entry(SetName { kind, side, ply })
    }

    /// Returns a set of the run, which is read only once.
    ///
    /// # Errors
    /// Returns the same errors as [`RunDir::get`].
    pub fn set(&self, kind: Kind, side: Side, ply: u32) -> Result<&Dfa> {
        let name = SetName { kind, side, ply };
        let entry = self.run.entry(name)?;
        entry.must_be_stored()?;
        let set = self.stored_set(name)?;
        if entry.is_remainder() {
            return set.remainder.get_or_read(|| self.read_entry(entry));
        }
        self.file_of(name, set)
    }

    /// Reads a set of the run without keeping it in memory, for callers that iterate over many sets. See
    /// [`StoredRun::set`].
    ///
    /// # Errors
    /// Returns the same errors as [`RunDir::get`].
    pub fn read(&self, kind: Kind, side: Side, ply: u32) -> Result<Dfa> {
        self.read_entry(self.run.entry(SetName { kind, side, ply })?)
    }

    /// Reads a set given by its entry in the manifest, as [`StoredRun::read`] does.
    pub fn read_entry(&self, entry: &SetEntry) -> Result<Dfa> {
        let mut passes = Passes::new(self.memory.unwrap_or(u64::MAX), 1)?;
        if self.memory.is_some() {
            passes.set_scratch(self.run.path().into());
            passes.set_sets_in_files(true);
        }
        self.run.read_by(entry, &passes, |entry| self.read_file(entry))
    }

    /// Reads the automaton in the file of an entry.
    pub(crate) fn read_file(&self, entry: &SetEntry) -> Result<Dfa> {
        let set = match self.in_files(entry) {
            Some(set) => set,
            None => self.run.read_file(entry)?,
        };
        if set.shape() == self.game.shape() {
            return Ok(set);
        }
        Err(Error::corrupt(self.run.path().join(&entry.file), "its words do not fit the game"))
    }

    /// Reads the automaton in the file of an entry into unnamed files. Returns `None` if the automaton should be kept
    /// in memory, or if the files cannot be written.
    fn in_files(&self, entry: &SetEntry) -> Option<Dfa> {
        let bytes = entry.most_bytes(self.game.shape());
        self.memory.filter(|&memory| belongs_in_files(bytes, memory))?;
        let folder = self.run.path();
        Disk::default().must_hold(folder, bytes).ok()?;
        // A damaged set also fails to load into memory, and the error is reported there.
        self.run.read_in_files(entry, folder).ok()
    }

    fn stored_set(&self, name: SetName) -> Result<&StoredSet> {
        let missing = || Error::NoSuchSet { path: self.run.path().into(), name: name.to_string() };
        self.sets.get(&name).ok_or_else(missing)
    }

    /// Returns the automaton in the file of a set, which is read only once.
    fn file_of<'a>(&self, name: SetName, set: &'a StoredSet) -> Result<&'a Dfa> {
        set.file.get_or_read(|| self.read_file(self.run.entry(name)?))
    }

    /// Returns the side to move after `ply` plies.
    pub fn side_at(&self, ply: u32) -> Side {
        let first = self.game.start().1;
        if ply.is_multiple_of(2) { first } else { first.other() }
    }

    /// Returns the plies with `side` to move in a run that was computed forward.
    pub(crate) fn forward_plies(&self, side: Side) -> impl Iterator<Item = u32> {
        let last = self.run.manifest.progress.forward.unwrap_or(0);
        (0..=last).filter(move |&ply| self.side_at(ply) == side)
    }

    /// Returns an error if the run is not finished.
    ///
    /// # Errors
    /// Returns [`Error::NotFinished`].
    pub fn must_be_finished(&self) -> Result<()> {
        if self.run.manifest.progress.finished {
            return Ok(());
        }
        Err(Error::NotFinished { path: self.run.path().into() })
    }
}
