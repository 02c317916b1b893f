//! A run directory: a manifest and one file per automaton, enough to resume, query and verify a solve.
//!
//! Invariants: the manifest is replaced as a whole, after every file that it names is on disk; so at any moment the
//! directory describes a finished ply. Nothing in the manifest depends on time, threads or interruptions: equal requests
//! give equal bytes. Nothing outside the directory is read or written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::archive::files::{Lock, try_lock, write_atomic, write_bytes_atomic};
use crate::archive::sealed;
use crate::error::{Error, Result};
use crate::solve::method::{Chains, Method};

/// Version of the manifest written by this program, the only one it reads.
pub const MANIFEST_VERSION: u32 = 2;

const MANIFEST: &str = "manifest.json";
const LOCK: &str = "lock";
const SETS: &str = "sets";

/// What a set in a run holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `W_i` over all words.
    W,
    /// `L_i` over all words.
    L,
    /// Proved draws, over all words.
    D,
    /// Undecided within the plies searched, over all words.
    U,
    /// `R_i`: reachable at ply i, or, from [`Request::admissible_from`] on, admissible at that ply.
    R,
    /// In `R_i` and won.
    RW,
    /// In `R_i` and lost.
    RL,
    /// In `R_i` and proved drawn.
    RD,
    /// In `R_i` and undecided within the plies searched.
    RU,
}

/// Identifies a set of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetName {
    /// What it holds.
    pub kind: Kind,
    /// The side to move.
    pub side: Side,
    /// i.
    pub ply: u32,
}

impl SetName {
    /// The set that a manifest calls `text`; `None` where no set has that name.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let kind = match parts.next()? {
            "W" => Kind::W,
            "L" => Kind::L,
            "D" => Kind::D,
            "U" => Kind::U,
            "R" => Kind::R,
            "RW" => Kind::RW,
            "RL" => Kind::RL,
            "RD" => Kind::RD,
            "RU" => Kind::RU,
            _ => return None,
        };
        let side = parts.next()?;
        let side = Side::BOTH.into_iter().find(|known| known.to_string() == side)?;
        let name = Self { kind, side, ply: parts.next()?.parse().ok()? };
        (name.to_string() == text).then_some(name)
    }
}

impl std::fmt::Display for SetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}-{}-{:03}", self.kind, self.side, self.ply)
    }
}

/// A set as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetEntry {
    /// File below the run directory; several sets may share one.
    pub file: String,
    /// States of the automaton, constants not counted.
    pub num_states: u64,
    /// Words in the set, as a decimal number.
    pub num_positions: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 digest of the file.
    pub blake3: String,
    /// Whether the file holds the mirror image: a word is in the set if the word with the sides swapped is in the file's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirror: bool,
}

impl SetEntry {
    /// Words in the set.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the manifest does not hold a number.
    pub fn positions(&self) -> Result<u128> {
        self.num_positions.parse().map_err(|_| {
            Error::Unsupported(format!("'{}' in the manifest is not a count", self.num_positions))
        })
    }

    /// Refuses a mirror image, which is not stored as an automaton.
    pub(crate) fn must_be_stored(&self) -> Result<()> {
        if !self.mirror {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "this set is the mirror image of the one in {}: solve with --chains both to have it as an automaton",
            self.file
        )))
    }
}

/// What a run solves; a resumed run must ask for the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Canonical game spec.
    pub game: String,
    /// The rules in words, for people: no part of what identifies the request.
    pub rules: String,
    /// Fingerprint of the rules.
    pub fingerprint: String,
    /// Name of the letter order.
    pub order: String,
    /// Labels of the layers in that order.
    pub layers: Vec<String>,
    /// Method.
    pub method: Method,
    /// Chains computed.
    #[serde(default)]
    pub chains: Chains,
    /// Retrograde plies at most; `None` runs to the fixpoint.
    pub backward_plies: Option<u32>,
    /// Forward plies at most; `None` runs to the end of the game. Meet in the middle only.
    pub forward_plies: Option<u32>,
    /// From this ply on `R_i` is what is admissible after i plies, which holds all that can be reached. Meet only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admissible_from: Option<u32>,
}

impl Request {
    /// Which sets it asks for, in words.
    fn extent(&self) -> String {
        let admissible =
            self.admissible_from.map_or_else(String::new, |ply| format!(", admissible from {ply}"));
        format!(
            "chains {:?}, plies {:?}/{:?}{admissible}",
            self.chains, self.backward_plies, self.forward_plies
        )
    }

    /// Whether both ask for the same. The rules in words do not count: the fingerprint tells rules apart.
    fn is_same(&self, other: &Self) -> bool {
        Self { rules: other.rules.clone(), ..self.clone() } == *other
    }

    /// The request to solve `game` by `method`.
    pub fn new(
        game: &dyn Game,
        method: Method,
        backward_plies: Option<u32>,
        forward_plies: Option<u32>,
    ) -> Self {
        Self {
            game: game.spec(),
            rules: game.rules(),
            fingerprint: game.fingerprint(),
            order: game.order().to_string(),
            layers: game.layers().into_iter().map(|l| l.label).collect(),
            method,
            chains: Chains::Both,
            backward_plies,
            forward_plies,
            admissible_from: None,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Last retrograde ply on disk.
    pub backward: Option<u32>,
    /// The fixpoint was reached: what is in neither W nor L is a draw.
    pub fixpoint: bool,
    /// Last forward ply on disk.
    pub forward: Option<u32>,
    /// No position is reachable after the last forward ply.
    pub forward_complete: bool,
    /// Lowest ply whose reachable positions have values.
    pub backed_up: Option<u32>,
    /// Nothing is left to do for the request.
    pub finished: bool,
}

/// The manifest of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`MANIFEST_VERSION`].
    pub format_version: u32,
    /// What is solved.
    pub request: Request,
    /// How far.
    pub progress: Progress,
    /// Sets by name.
    pub sets: BTreeMap<String, SetEntry>,
}

/// An open run directory.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// The manifest as it will be written by the next [`RunDir::commit`].
    pub manifest: Manifest,
    /// Held while the run may write.
    _lock: Option<Lock>,
}

impl RunDir {
    /// Whether `path` holds a run.
    pub fn exists(path: &Path) -> bool {
        path.join(MANIFEST).exists()
    }

    /// Makes a new run directory, locked for writing. With `overwrite`, an earlier run in it is removed first.
    ///
    /// # Errors
    /// [`Error::RunDir`] when there is a run already, or another process writes it; [`Error::Io`].
    pub fn create(path: &Path, request: Request, overwrite: bool) -> Result<Self> {
        fs::create_dir_all(path.join(SETS)).map_err(|e| Error::io(path, e))?;
        let lock = lock(path)?;
        if Self::exists(path) {
            if !overwrite {
                return Err(refused(
                    path,
                    "it holds a run already; continue it with --resume, replace it with --overwrite, or name another \
                     --run-dir",
                ));
            }
            // The manifest goes first: without it, what is left is not a run.
            fs::remove_file(path.join(MANIFEST)).map_err(|e| Error::io(path, e))?;
            fs::remove_dir_all(path.join(SETS)).map_err(|e| Error::io(path, e))?;
            fs::create_dir_all(path.join(SETS)).map_err(|e| Error::io(path, e))?;
        }
        let manifest = Manifest {
            format_version: MANIFEST_VERSION,
            request,
            progress: Progress::default(),
            sets: BTreeMap::new(),
        };
        let run = Self { path: path.into(), manifest, _lock: Some(lock) };
        run.commit()?;
        Ok(run)
    }

    /// Opens a run to continue it, locked for writing.
    ///
    /// # Errors
    /// As [`RunDir::open`], and [`Error::RunDir`] when the request differs or another process writes it.
    pub fn resume(path: &Path, request: &Request) -> Result<Self> {
        // A run that is being written is not read before its writer is done.
        let lock = if Self::exists(path) { Some(lock(path)?) } else { None };
        let mut run = Self::open(path)?;
        run._lock = lock;
        let found = &run.manifest.request;
        if !found.is_same(request) {
            return Err(refused(
                path,
                &format!(
                    "it holds {} (rules {}, order {}, {:?}, {}), not {} (rules {}, order {}, {:?}, {}); resume with the options it was begun with, or name another --run-dir",
                    found.game,
                    found.fingerprint,
                    found.order,
                    found.method,
                    found.extent(),
                    request.game,
                    request.fingerprint,
                    request.order,
                    request.method,
                    request.extent()
                ),
            ));
        }
        Ok(run)
    }

    /// Opens a run to read it.
    ///
    /// # Errors
    /// [`Error::RunDir`] when there is none or its version differs, [`Error::Corrupt`] when the manifest cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let file = path.join(MANIFEST);
        if !file.exists() {
            return Err(refused(
                path,
                "not a run directory (no manifest.json); make one with 'nerode solve'",
            ));
        }
        let text = fs::read(&file).map_err(|e| Error::io(&file, e))?;
        let mut value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|e| Error::corrupt(&file, e.to_string()))?;
        match value.get("format_version").and_then(serde_json::Value::as_u64) {
            Some(v) if v == u64::from(MANIFEST_VERSION) => {}
            Some(v) => {
                let found = u32::try_from(v).unwrap_or(u32::MAX);
                return Err(Error::WrongVersion { path: file, found, supported: MANIFEST_VERSION });
            }
            None => return Err(Error::corrupt(&file, "no format_version")),
        }
        sealed::check(&mut value).map_err(|reason| Error::corrupt(&file, reason))?;
        let manifest = Manifest::deserialize(value).map_err(|e| Error::corrupt(&file, e.to_string()))?;
        if let Some(entry) = manifest.sets.values().find(|e| !is_inside(&e.file)) {
            return Err(Error::corrupt(&file, format!("'{}' is not a file of this run", entry.file)));
        }
        Ok(Self { path: path.into(), manifest, _lock: None })
    }

    /// The file of the manifest.
    pub(crate) fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST)
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
        sealed::digest(&self.manifest).map_err(|e| Error::corrupt(self.path.join(MANIFEST), e.to_string()))
    }

    /// Writes a set; the manifest names it from the next [`RunDir::commit`] on.
    ///
    /// # Errors
    /// [`Error::Io`]; counting beyond 128 bits.
    pub fn put(&mut self, name: SetName, set: &Dfa) -> Result<SetEntry> {
        let entry = self.write(name, set)?;
        self.insert(name, entry.clone());
        Ok(entry)
    }

    /// Lets the manifest name a set that [`RunDir::write`] has written, from the next [`RunDir::commit`] on.
    pub fn insert(&mut self, name: SetName, entry: SetEntry) {
        self.manifest.sets.insert(name.to_string(), entry);
    }

    /// Writes the file of a set, which is not part of the run before [`RunDir::insert`].
    ///
    /// # Errors
    /// As [`RunDir::put`].
    pub fn write(&self, name: SetName, set: &Dfa) -> Result<SetEntry> {
        let file = format!("{SETS}/{name}.dfa");
        let path = self.path.join(&file);
        let written = write_atomic(&path, |out| Ok(set.write_to(out, &path)?))?;
        Ok(SetEntry {
            file,
            num_states: set.num_states() as u64,
            num_positions: set.count()?.to_string(),
            bytes: written.bytes,
            blake3: written.blake3.to_hex().to_string(),
            mirror: false,
        })
    }

    /// Lets `name` be the mirror image of the set `other`, whose file it names.
    ///
    /// # Errors
    /// [`Error::RunDir`] when the run has no set `other`.
    pub fn mirror(&mut self, name: SetName, other: SetName) -> Result<()> {
        let entry = SetEntry { mirror: true, ..self.entry(other)?.clone() };
        self.insert(name, entry);
        Ok(())
    }

    /// The manifest's entry of a set.
    ///
    /// # Errors
    /// [`Error::RunDir`] when the run has no such set.
    pub fn entry(&self, name: SetName) -> Result<&SetEntry> {
        self.manifest.sets.get(&name.to_string()).ok_or_else(|| {
            refused(&self.path, &format!("it has no set {name}; see its manifest.json for those it has"))
        })
    }

    /// Reads a set and checks its digest.
    ///
    /// # Errors
    /// [`Error::RunDir`] when the run has no such set, [`Error::Corrupt`] when the file is not the one that was written.
    pub fn get(&self, name: SetName) -> Result<Dfa> {
        self.read(self.entry(name)?)
    }

    /// Reads the set of an entry and checks its digest.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a mirror image, which is not stored as an automaton; otherwise as [`RunDir::read_file`].
    pub fn read(&self, entry: &SetEntry) -> Result<Dfa> {
        entry.must_be_stored()?;
        self.read_file(entry)
    }

    /// Reads the file of an entry, be it the set or its mirror image, and checks its digest.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the file is not the one that was written; [`Error::Io`].
    pub fn read_file(&self, entry: &SetEntry) -> Result<Dfa> {
        let path = self.path.join(&entry.file);
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, e))?;
        if blake3::hash(&bytes).to_hex().as_str() != entry.blake3 {
            return Err(Error::corrupt(
                &path,
                "its digest is not the one in manifest.json: the file was changed",
            ));
        }
        Ok(Dfa::from_bytes(&bytes, &path)?)
    }

    /// Puts the manifest on disk: the sets written since the last call belong to the run from now on.
    ///
    /// # Errors
    /// [`Error::Io`]; the manifest on disk is the old one then.
    pub fn commit(&self) -> Result<()> {
        let path = self.path.join(MANIFEST);
        let text = sealed::text(&self.manifest).map_err(|e| Error::corrupt(&path, e.to_string()))?;
        write_bytes_atomic(&path, &text)
    }
}

fn is_inside(file: &str) -> bool {
    file.strip_prefix("sets/").is_some_and(|name| !name.contains(['/', '\\']) && name != "..")
}

fn refused(path: &Path, reason: &str) -> Error {
    Error::RunDir { path: path.into(), reason: reason.into() }
}

fn lock(path: &Path) -> Result<Lock> {
    try_lock(&path.join(LOCK))?.ok_or_else(|| {
        refused(path, "another process is writing this run; wait for it or name another --run-dir")
    })
}
