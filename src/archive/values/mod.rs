//! A values folder: the final values of a run, small to keep and quick to ask; of all positions, each side in one automaton,
//! or of the positions of a care set, in sets that are right on it and whatever takes least room outside.
//!
//! Invariants: the manifest is written last and names every other file with its digest; it says which rules and which run,
//! by the digest of that run's manifest, the values are those of. Nothing is believed before its digest was compared.

mod care;
mod write;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use nerode_dfa::{Dfa, Letter, ValueMap};
use nerode_games::{Game, Side, registry};
use serde::{Deserialize, Serialize};

use crate::archive::run_dir::{Request, RunDir};
use crate::archive::sealed;
use crate::archive::solution::Known;
use crate::error::{Error, Result};
use crate::explicit::Verdict;

pub use care::{care_set, set_name};
pub use write::{write_care, write_maps};

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

/// Where the values of a run lie that queries of the run look for, below the run directory.
pub const FOLDER: &str = "values";

const MANIFEST: &str = "values.json";

/// A file as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// States of the automaton, constants not counted.
    pub num_states: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 digest of the file.
    pub blake3: String,
}

/// The manifest of a values folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// What the run was asked to solve.
    pub request: Request,
    /// Digest of the run's manifest.
    pub source: String,
    /// Whether the values hold depths.
    pub depths: bool,
    /// Name of the care set; `None` where the values are of all positions.
    pub care: Option<String>,
    /// Files by name.
    pub files: BTreeMap<String, FileEntry>,
}

/// A values folder opened for reading.
pub struct Values {
    /// The game, in the letter order of the run.
    pub game: Arc<dyn Game>,
    /// The manifest.
    pub manifest: Manifest,
    path: PathBuf,
    /// Maps read so far, by side.
    maps: RefCell<[Option<Rc<ValueMap>>; 2]>,
    /// Sets read so far, by file.
    sets: RefCell<BTreeMap<String, Rc<Dfa>>>,
}

impl Values {
    /// Whether `path` holds a values folder.
    pub fn exists(path: &Path) -> bool {
        path.join(MANIFEST).exists()
    }

    /// Opens the folder; its automata are read when they are needed.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Corrupt`] for a damaged manifest, [`Error::WrongVersion`] for one of another version;
    /// [`Error::WrongRules`] when this program knows the game under other rules.
    pub fn open(path: &Path) -> Result<Self> {
        let file = path.join(MANIFEST);
        let text = fs::read(&file).map_err(|e| Error::io(&file, e))?;
        let manifest: Manifest = sealed::read(&text, &file, FORMAT_VERSION)?;
        let game = registry::open_with_order(&manifest.request.game, Some(&manifest.request.order))?;
        if game.fingerprint() != manifest.request.fingerprint {
            return Err(Error::WrongRules {
                path: file,
                found: manifest.request.fingerprint,
                expected: game.fingerprint(),
            });
        }
        Ok(Self { game, manifest, path: path.into(), maps: RefCell::default(), sets: RefCell::default() })
    }

    /// Refuses the folder unless it was made from `run` as it is now.
    ///
    /// # Errors
    /// [`Error::RunDir`].
    pub fn check_source(&self, run: &RunDir) -> Result<()> {
        if self.manifest.request == run.manifest.request && self.manifest.source == run.digest()? {
            return Ok(());
        }
        Err(Error::RunDir {
            path: self.path.clone(),
            reason: format!(
                "these values are not those of the run in {}, which was replaced or continued since; make them again with \
                 'nerode compact {0} --overwrite'",
                run.path().display()
            ),
        })
    }

    /// The values of all positions with `side` to move, as codes of [`Verdict`] or [`crate::archive::solution::UNKNOWN_CODE`]; read once. Without depths,
    /// every depth is 0.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the file is not the one that was written; [`Error::Io`].
    pub fn map(&self, side: Side) -> Result<Rc<ValueMap>> {
        if let Some(map) = &self.maps.borrow()[side.index()] {
            return Ok(Rc::clone(map));
        }
        let (bytes, path) = self.bytes(&map_name(side))?;
        let map = ValueMap::from_bytes(&bytes, &path)?;
        if map.shape() != self.game.shape() {
            return Err(Error::corrupt(path, "its words are not those of the game"));
        }
        let map = Rc::new(map);
        self.maps.borrow_mut()[side.index()] = Some(Rc::clone(&map));
        Ok(map)
    }

    /// The bytes of a file whose digest is the one in the manifest, and its path.
    fn bytes(&self, name: &str) -> Result<(Vec<u8>, PathBuf)> {
        let path = self.path.join(name);
        let entry = self.manifest.files.get(name).ok_or_else(|| {
            Error::corrupt(self.path.join(MANIFEST), format!("it does not name the file {name}"))
        })?;
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, e))?;
        if blake3::hash(&bytes).to_hex().as_str() != entry.blake3 {
            return Err(Error::corrupt(
                path,
                "its digest is not the one in values.json: the file was changed",
            ));
        }
        Ok((bytes, path))
    }

    /// What is known of a word with `side` to move; `None` for one that the folder does not cover. Cost: one table access per
    /// letter, with a care set up to four.
    ///
    /// # Errors
    /// As [`Values::map`].
    pub fn get(&self, word: &[Letter], side: Side) -> Result<Option<Known>> {
        if self.manifest.care.is_some() {
            return self.get_covered(word, side);
        }
        let verdict = Verdict::from_code(self.map(side)?.get(word));
        let depth = verdict.and_then(|v| v.depth).filter(|_| self.manifest.depths).map(u32::from);
        Ok(Some(Known { value: verdict.map(|v| v.value), depth }))
    }
}

fn map_name(side: Side) -> String {
    format!("values-{side}.map")
}

/// The values folder that lies in a run directory, if there is one; one that cannot be used is left aside, with the reason.
pub struct Attached {
    values: RefCell<std::result::Result<Option<Values>, Error>>,
}

impl Attached {
    /// Looks for the folder of `run`.
    pub fn of(run: &RunDir) -> Self {
        let path = run.path().join(FOLDER);
        let open = || {
            let values = Values::open(&path)?;
            values.check_source(run)?;
            Ok(Some(values))
        };
        Self { values: RefCell::new(if Values::exists(&path) { open() } else { Ok(None) }) }
    }

    /// What the folder knows of a word; `None` without a folder that can be used and covers it.
    pub fn get(&self, word: &[Letter], side: Side) -> Option<Known> {
        let answer = match &*self.values.borrow() {
            Ok(Some(values)) => values.get(word, side),
            _ => return None,
        };
        answer.map_err(|error| *self.values.borrow_mut() = Err(error)).ok().flatten()
    }

    /// Why the folder is left aside, if it is.
    pub fn problem(&self) -> Option<String> {
        self.values.borrow().as_ref().err().map(ToString::to_string)
    }
}
