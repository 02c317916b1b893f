//! A values folder: the final values of a run, small to keep and quick to ask; of all positions, each side in one automaton,
//! or of the positions of a care set, in sets that are right on it and whatever takes least room outside.
//!
//! Invariants: the manifest is written last and names every other file with its digest; it says which rules and which run,
//! by the digest of that run's manifest, the values are those of. Nothing is believed before its digest was compared.

pub(super) mod care;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nerode_dfa::{Dfa, Letter, Shape, ValueMap};
use nerode_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::archive::contents::{self, Contents};
use crate::archive::resolver::{Registry, Resolver};
use crate::archive::run_dir::{Request, RunDir};
use crate::archive::slot::Slot;
use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome, code16};

pub use care::{care_set, set_name};

/// Where the values of a run lie that queries of the run look for, below the run directory.
pub const FOLDER: &str = "values";

/// A file as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    pub(crate) num_states: u64,
    #[serde(flatten)]
    pub(crate) stored: StoredFile,
}

impl FileEntry {
    /// States of the automaton, constants not counted.
    pub fn num_states(&self) -> u64 {
        self.num_states
    }

    /// Length and digest of the file.
    pub fn stored(&self) -> &StoredFile {
        &self.stored
    }
}

/// The manifest of a values folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub(crate) request: Request,
    pub(crate) source: String,
    pub(crate) depths: bool,
    pub(crate) care: Option<String>,
    pub(crate) files: BTreeMap<String, FileEntry>,
}

impl Manifest {
    /// What the run was asked to solve.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Whether the values hold depths.
    pub fn has_depths(&self) -> bool {
        self.depths
    }

    /// Name of the care set; `None` where the values are of all positions.
    pub fn care(&self) -> Option<&str> {
        self.care.as_deref()
    }

    /// Files by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &FileEntry)> {
        self.files.iter().map(|(name, entry)| (name.as_str(), entry))
    }
}

/// A values folder opened for reading. Many threads may ask at once.
pub struct Values {
    /// The game, in the letter order of the run.
    pub game: Arc<dyn Game>,
    pub(crate) manifest: Manifest,
    path: PathBuf,
    /// Maps by side, each read when it is first needed.
    maps: [Slot<ValueMap>; 2],
    /// Sets by file, each read when it is first needed.
    sets: BTreeMap<String, Slot<Dfa>>,
    /// All words, where that is what the folder covers.
    all: OnceLock<Dfa>,
}

impl Values {
    /// Whether `path` holds a values folder.
    pub fn exists(path: &Path) -> bool {
        Contents::Values.is_in(path)
    }

    /// Opens the folder of a registered game; its automata are read when they are needed.
    ///
    /// # Errors
    /// As [`Values::open_with`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &Registry)
    }

    /// Opens the folder, of the game that `resolver` finds; its automata are read when they are needed.
    ///
    /// # Errors
    /// [`Error::OtherContents`] when it is no such folder; [`Error::Corrupt`] for a damaged manifest, [`Error::WrongVersion`]
    /// for one of another version; [`Error::Io`]; what `resolver` returns; [`Error::WrongRules`] when the game has other rules,
    /// or another letter order.
    pub fn open_with(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::Values)?;
        let request = &manifest.request;
        let game = request.id().resolve(resolver, &Contents::Values.file(path))?;
        let sets = manifest.files.keys().map(|name| (name.clone(), Slot::default())).collect();
        Ok(Self { game, manifest, path: path.into(), maps: Default::default(), sets, all: OnceLock::new() })
    }

    /// What the folder says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Refuses the folder unless it was made from `run` as it is now.
    ///
    /// # Errors
    /// [`Error::Outdated`].
    pub fn check_source(&self, run: &RunDir) -> Result<()> {
        if self.manifest.request == run.manifest.request && self.manifest.source == run.digest()? {
            return Ok(());
        }
        Err(Error::Outdated { path: self.path.clone(), source_path: run.path().into() })
    }

    /// Refuses the folder unless every file is there and the one that was written. *Cost*: reads every file.
    ///
    /// # Errors
    /// [`Error::Corrupt`]; [`Error::Io`].
    pub fn must_be_whole(&self) -> Result<()> {
        for (name, entry) in &self.manifest.files {
            entry.stored.must_be_whole(&self.path.join(name))?;
        }
        Ok(())
    }

    /// The values of all positions with `side` to move, as codes of [`code16`]; read once. Without depths, every
    /// depth is 0.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the file is not the one that was written; [`Error::Io`].
    pub fn map(&self, side: Side) -> Result<&ValueMap> {
        self.maps[side.index()].get_or_read(|| {
            let (bytes, path) = self.bytes(&map_name(side))?;
            let map = ValueMap::from_bytes(&bytes, &path)?;
            self.must_fit(map.shape(), path)?;
            Ok(map)
        })
    }

    /// Refuses an automaton, read from `path`, whose words are not those of the game.
    fn must_fit(&self, shape: &Shape, path: PathBuf) -> Result<()> {
        if shape == self.game.shape() {
            return Ok(());
        }
        Err(Error::corrupt(path, "its words are not those of the game"))
    }

    fn unnamed(&self, name: &str) -> Error {
        Error::corrupt(Contents::Values.file(&self.path), format!("it does not name the file {name}"))
    }

    /// The bytes of a file whose digest is the one in the manifest, and its path.
    fn bytes(&self, name: &str) -> Result<(Vec<u8>, PathBuf)> {
        let path = self.path.join(name);
        let entry = self.manifest.files.get(name).ok_or_else(|| self.unnamed(name))?;
        Ok((entry.stored.read(&path)?, path))
    }

    /// What is known of a word with `side` to move; `None` for one that the folder does not cover. Cost: one table access per
    /// letter, with a care set up to four.
    ///
    /// # Errors
    /// As [`Values::map`].
    pub fn get(&self, word: &[Letter], side: Side) -> Result<Option<Outcome>> {
        if self.manifest.care.is_some() {
            return self.get_covered(word, side);
        }
        let known = code16::outcome(self.map(side)?.get(word));
        Ok(Some(if self.manifest.depths { known } else { known.with_depth(self.bound()) }))
    }

    /// What is known of every depth, where the folder holds none.
    fn bound(&self) -> Depth {
        self.manifest.request.backward_plies.map_or(Depth::Unknown, Depth::AtMost)
    }
}

pub(super) fn map_name(side: Side) -> String {
    format!("values-{side}.map")
}

/// The values folder that lies in a run directory, if there is one; one that cannot be used is left aside, with the reason.
pub struct Attached {
    values: Option<Values>,
    problem: OnceLock<Error>,
}

impl Attached {
    /// Looks for the folder of `run`, a run of `game`.
    pub fn of(run: &RunDir, game: &Arc<dyn Game>) -> Self {
        let path = run.path().join(FOLDER);
        if !Values::exists(&path) {
            return Self { values: None, problem: OnceLock::new() };
        }
        let same_game = |_: &str, _: &str| Ok(Arc::clone(game));
        let opened = Values::open_with(&path, &same_game).and_then(|values| {
            values.check_source(run)?;
            Ok(values)
        });
        match opened {
            Ok(values) => Self { values: Some(values), problem: OnceLock::new() },
            Err(error) => Self { values: None, problem: OnceLock::from(error) },
        }
    }

    /// What the folder knows of a word; `None` without a folder that can be used and covers it.
    pub fn get(&self, word: &[Letter], side: Side) -> Option<Outcome> {
        let values = self.values.as_ref().filter(|_| self.problem.get().is_none())?;
        // Whichever thread meets a problem first says what it is.
        values.get(word, side).map_err(|error| drop(self.problem.set(error))).ok().flatten()
    }

    /// Why the folder is left aside, if it is.
    pub fn problem(&self) -> Option<String> {
        self.problem.get().map(ToString::to_string)
    }
}
