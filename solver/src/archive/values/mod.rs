//! A values folder: the final values of a run in a compact form with fast look-ups. It covers either all positions,
//! with one automaton per side, or the positions of a care set, with sets that are correct on the care set and chosen
//! outside it to be as small as possible, or the reached positions of a run, packed for look-ups by random access.
//!
//! Invariants: the manifest is written last and names every other file together with its digest. It identifies the
//! rules and, by the digest of its manifest, the run from which the values were derived. No file is used before its
//! digest has been verified.

#[cfg(feature = "engine")]
mod attached;
#[cfg(feature = "engine")]
pub(super) mod care;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "engine")]
use std::sync::OnceLock;

#[cfg(feature = "engine")]
use nerode_dfa::Dfa;
use nerode_dfa::{Decompress, Letter, Shape, ValueMap};
#[cfg(feature = "engine")]
use nerode_games::registry::BUILT_IN;
use nerode_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::archive::contents::{self, Contents};
use crate::archive::folder::Folder;
use crate::archive::packed::{FILE, Packed, REACHED};
use crate::archive::request::Request;
use crate::archive::resolver::Resolver;
use crate::archive::slot::Slot;
use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome, code16};

#[cfg(feature = "engine")]
pub use attached::Attached;
#[cfg(feature = "engine")]
pub(crate) use care::VALUES;
#[cfg(feature = "engine")]
pub use care::{care_set, set_name};

/// The folder, relative to the directory of a run, in which queries of the run look for its values.
pub const FOLDER: &str = "values";

/// The memory for parts of packed values if no limit is given, in bytes.
const CACHE_BYTES: u64 = 64 << 20;
/// The part of a limit that it may take, and its bounds.
#[cfg(feature = "engine")]
const CACHE_PART: u64 = 8;
#[cfg(feature = "engine")]
const LEAST_CACHE_BYTES: u64 = 1 << 20;
#[cfg(feature = "engine")]
const MOST_CACHE_BYTES: u64 = 1 << 30;

/// A file as listed in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileEntry {
    /// The number of states of the automaton, excluding constants.
    pub(crate) num_states: u64,
    #[serde(flatten)]
    pub(crate) stored: StoredFile,
}

impl FileEntry {
    /// Returns the number of states of the automaton, excluding constants.
    pub fn num_states(&self) -> u64 {
        self.num_states
    }

    /// Returns the length and digest of the file.
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
    /// Returns the request that the run solved.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns `true` if the values include depths.
    pub fn has_depths(&self) -> bool {
        self.depths
    }

    /// Returns the name of the care set, or `None` if the values cover all positions.
    pub fn care(&self) -> Option<&str> {
        self.care.as_deref()
    }

    /// Returns the files by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &FileEntry)> {
        self.files.iter().map(|(name, entry)| (name.as_str(), entry))
    }
}

/// A values folder opened for reading. Several threads may query it at the same time.
pub struct Values {
    /// The game, in the letter order of the run.
    pub game: Arc<dyn Game>,
    pub(crate) manifest: Manifest,
    /// The path that errors name.
    path: PathBuf,
    folder: Arc<dyn Folder>,
    decompress: Decompress,
    /// The maps by side, each of which is read when it is first needed.
    maps: [Slot<ValueMap>; 2],
    /// The sets by file, each of which is read when it is first needed.
    #[cfg(feature = "engine")]
    sets: BTreeMap<String, Slot<Dfa>>,
    /// The set of all words, if the folder covers all of them.
    #[cfg(feature = "engine")]
    all: OnceLock<Dfa>,
    /// The packed values of reached positions, if the folder contains these.
    packed: Slot<Packed>,
    /// The number of bytes for parts of the packed values in memory.
    memory: u64,
}

/// # Folders on disk
#[cfg(feature = "engine")]
impl Values {
    /// Returns `true` if `path` contains a values folder.
    pub fn exists(path: &Path) -> bool {
        Contents::Values.is_in(path)
    }

    /// Opens the folder of a built-in game. Its automata are read when they are needed.
    ///
    /// # Errors
    /// Returns the same errors as [`Values::open_with`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &BUILT_IN)
    }

    /// Opens the folder of a game that `resolver` finds. Its automata are read when they are needed.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if `path` is not such a folder; [`Error::Corrupt`] for a damaged manifest or
    /// [`Error::WrongVersion`] for one of another version; [`Error::Io`]; any error of `resolver`; or
    /// [`Error::WrongRules`] if the game has other rules or another letter order.
    pub fn open_with(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let manifest = contents::read_from(path, Contents::Values)?;
        Self::of_manifest(manifest, path, Arc::new(path.to_path_buf()), nerode_dfa::decompress, resolver)
    }

    /// Returns an error unless every file exists and is unchanged. *Cost*: reads every file.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::Io`].
    pub fn must_be_whole(&self) -> Result<()> {
        for (name, entry) in &self.manifest.files {
            entry.stored.must_be_whole(&self.path.join(name))?;
        }
        Ok(())
    }
}

impl Values {
    /// Opens the files of a values folder, wherever they are, for a game that `resolver` finds. Errors name them as files in
    /// `path`. Automata are read when they are needed, and decompressed by `decompress`.
    ///
    /// # Errors
    /// Returns the same errors as `Values::open_with`.
    pub fn open_in(
        folder: Arc<dyn Folder>,
        path: &Path,
        decompress: Decompress,
        resolver: &dyn Resolver,
    ) -> Result<Self> {
        let manifest = contents::read_in(folder.as_ref(), path, Contents::Values)?;
        Self::of_manifest(manifest, path, folder, decompress, resolver)
    }

    fn of_manifest(
        manifest: Manifest,
        path: &Path,
        folder: Arc<dyn Folder>,
        decompress: Decompress,
        resolver: &dyn Resolver,
    ) -> Result<Self> {
        let game = manifest.request.id().resolve(resolver, &Contents::Values.file(path))?;
        Ok(Self {
            game,
            #[cfg(feature = "engine")]
            sets: manifest.files.keys().map(|name| (name.clone(), Slot::default())).collect(),
            manifest,
            path: path.into(),
            folder,
            decompress,
            maps: Default::default(),
            #[cfg(feature = "engine")]
            all: OnceLock::new(),
            packed: Slot::default(),
            memory: CACHE_BYTES,
        })
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Limits the memory for parts of packed values to a part of `memory` bytes. Has no effect once they have been opened.
    #[cfg(feature = "engine")]
    pub(crate) fn limit_memory(&mut self, memory: u64) {
        self.limit_cache((memory / CACHE_PART).clamp(LEAST_CACHE_BYTES, MOST_CACHE_BYTES));
    }

    /// Limits the memory for parts of packed values to about `bytes` bytes. Has no effect once they have been opened.
    pub fn limit_cache(&mut self, bytes: u64) {
        self.memory = bytes;
    }

    /// Returns the packed values of reached positions, or `None` if the folder contains values of another kind. The file
    /// is opened only once.
    ///
    /// # Errors
    /// Returns the errors of [`Packed::open`], or [`Error::Corrupt`] if the file is not the one in the manifest.
    pub fn packed(&self) -> Result<Option<&Packed>> {
        if self.manifest.care.as_deref() != Some(REACHED) {
            return Ok(None);
        }
        let entry = self.manifest.files.get(FILE).ok_or_else(|| self.unnamed(FILE))?;
        let open = || {
            let path = self.path.join(FILE);
            let io = |e| Error::io(&path, e);
            let file = self.folder.open(FILE).map_err(io)?;
            entry.stored.must_have(file.num_bytes().map_err(io)?, &path)?;
            let packed = Packed::read_from(file, &path, Arc::clone(&self.game), self.memory)?;
            if packed.header().source != self.manifest.source {
                return Err(Error::corrupt(
                    path,
                    "it was packed from another run than the one in the manifest",
                ));
            }
            Ok(packed)
        };
        self.packed.get_or_read(open).map(Some)
    }

    /// Returns the packed values of reached positions.
    ///
    /// # Errors
    /// Returns the errors of [`Values::packed`], or [`Error::Corrupt`] if the folder contains values of another kind.
    pub fn must_be_packed(&self) -> Result<&Packed> {
        self.packed()?.ok_or_else(|| self.unnamed(FILE))
    }

    /// Returns the values of all positions with `side` to move, as codes of [`code16`]. The file is read only once. In
    /// a folder without depths, every depth is 0.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the file was changed, or [`Error::Io`].
    pub fn map(&self, side: Side) -> Result<&ValueMap> {
        self.maps[side.index()].get_or_read(|| {
            let (bytes, path) = self.bytes(&map_name(side))?;
            let map = ValueMap::from_bytes_with(&bytes, &path, self.decompress)?;
            self.must_fit(map.shape(), path)?;
            Ok(map)
        })
    }

    /// Returns an error if the automaton read from `path` has words of another shape than the game.
    fn must_fit(&self, shape: &Shape, path: PathBuf) -> Result<()> {
        if shape == self.game.shape() {
            return Ok(());
        }
        Err(Error::corrupt(path, "its words do not fit the game"))
    }

    fn unnamed(&self, name: &str) -> Error {
        Error::corrupt(Contents::Values.file(&self.path), format!("it does not list the file {name}"))
    }

    /// Reads a file, verifies its digest against the manifest, and returns its bytes and path.
    fn bytes(&self, name: &str) -> Result<(Vec<u8>, PathBuf)> {
        let path = self.path.join(name);
        let entry = self.manifest.files.get(name).ok_or_else(|| self.unnamed(name))?;
        let bytes = self.folder.read(name).map_err(|e| Error::io(&path, e))?;
        Ok((entry.stored.checked(bytes, &path)?, path))
    }

    /// Returns the outcome of a word with `side` to move, or `None` if the folder does not cover it. Cost: one table
    /// access per letter, or up to four with a care set.
    ///
    /// # Errors
    /// Returns the same errors as [`Values::map`].
    pub fn get(&self, word: &[Letter], side: Side) -> Result<Option<Outcome>> {
        if let Some(packed) = self.packed()? {
            return packed.get(word, side);
        }
        if self.manifest.care.is_some() {
            #[cfg(feature = "engine")]
            return self.get_covered(word, side);
            #[cfg(not(feature = "engine"))]
            return Err(Error::NotBuilt { feature: "engine" });
        }
        let known = code16::outcome(self.map(side)?.get(word));
        Ok(Some(if self.manifest.depths { known } else { known.with_depth(self.bound()) }))
    }

    /// Returns the bound that applies to every depth if the folder contains no depths.
    fn bound(&self) -> Depth {
        self.manifest.request.backward_plies.map_or(Depth::Unknown, Depth::AtMost)
    }
}

pub(crate) fn map_name(side: Side) -> String {
    format!("values-{side}.map")
}
