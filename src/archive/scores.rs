//! A scores folder: the score of every reachable position, one automaton a ply.
//!
//! Invariants: the manifest is written last and names every other file with its digest; nothing is believed before its digest
//! was compared.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use nerode_dfa::ValueMap;
use nerode_games::{Game, Side, registry};
use serde::{Deserialize, Serialize};

use crate::archive::files::write_bytes_atomic;
use crate::archive::run_dir::RunDir;
use crate::archive::sealed;
use crate::error::{Error, Result};
use crate::solve::reach::side_at;
use crate::solve::score::{Codes, Scores};

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

const MANIFEST: &str = "scores.json";

/// The manifest of a scores folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Canonical game spec.
    pub game: String,
    /// Fingerprint of the rules.
    pub fingerprint: String,
    /// Letter order.
    pub order: String,
    /// The score of code 1.
    pub least: i32,
    /// Digest of the file of each ply.
    pub plies: Vec<String>,
}

/// Writes `scores` to the folder `path`. With `overwrite`, scores in `path` are replaced.
///
/// # Errors
/// [`Error::RunDir`] when `path` holds scores or a run already; [`Error::Io`].
pub fn write(scores: &Scores, path: &Path, overwrite: bool) -> Result<Manifest> {
    let refused = |reason: &str| Err(Error::RunDir { path: path.into(), reason: reason.into() });
    if RunDir::exists(path) {
        return refused("it holds a run; name another folder with --out");
    }
    fs::create_dir_all(path).map_err(|e| Error::io(path, e))?;
    let manifest_path = path.join(MANIFEST);
    if ScoreDir::exists(path) {
        if !overwrite {
            return refused(
                "it holds scores already; replace them with --overwrite, or name another folder with --out",
            );
        }
        fs::remove_file(&manifest_path).map_err(|e| Error::io(&manifest_path, e))?;
    }
    let mut plies = Vec::new();
    for (ply, scored) in scores.plies.iter().enumerate() {
        let bytes = scored.map.to_bytes()?;
        write_bytes_atomic(&path.join(file_name(ply)), &bytes)?;
        plies.push(blake3::hash(&bytes).to_hex().to_string());
    }
    let game = &scores.game;
    let manifest = Manifest {
        format_version: FORMAT_VERSION,
        game: game.spec(),
        fingerprint: game.fingerprint(),
        order: game.order().to_string(),
        least: scores.codes.least,
        plies,
    };
    let text = sealed::text(&manifest).map_err(|e| Error::corrupt(&manifest_path, e.to_string()))?;
    write_bytes_atomic(&manifest_path, &text)?;
    Ok(manifest)
}

fn file_name(ply: usize) -> String {
    format!("scores-{ply:03}.map")
}

/// A scores folder opened for reading.
pub struct ScoreDir {
    /// The game, in the letter order of the folder.
    pub game: Arc<dyn Game>,
    /// The manifest.
    pub manifest: Manifest,
    path: PathBuf,
    /// Maps read so far, by ply.
    maps: RefCell<BTreeMap<usize, Rc<ValueMap>>>,
}

impl ScoreDir {
    /// Whether `path` holds a scores folder.
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
        let mut value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|e| Error::corrupt(&file, e.to_string()))?;
        let version = value.get("format_version").and_then(serde_json::Value::as_u64);
        if let Some(found) = version.and_then(|v| u32::try_from(v).ok()).filter(|v| *v != FORMAT_VERSION) {
            return Err(Error::WrongVersion { path: file, found, supported: FORMAT_VERSION });
        }
        sealed::check(&mut value).map_err(|reason| Error::corrupt(&file, reason))?;
        let manifest: Manifest =
            serde_json::from_value(value).map_err(|e| Error::corrupt(&file, e.to_string()))?;
        let game = registry::open_with_order(&manifest.game, Some(&manifest.order))?;
        if game.fingerprint() != manifest.fingerprint {
            return Err(Error::WrongRules {
                path: file,
                found: manifest.fingerprint,
                expected: game.fingerprint(),
            });
        }
        if game.scores().map(|scores| *scores.start()) != Some(manifest.least) {
            return Err(Error::corrupt(path, "its least score is not that of the game"));
        }
        Ok(Self { game, manifest, path: path.into(), maps: RefCell::default() })
    }

    /// The score of a position, seen from P1; `None` for one that no game reaches. A position comes up with one number of plies
    /// played or several, its score being the same.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when a file is not the one that was written; [`Error::Io`].
    ///
    /// # Panics
    /// When the board does not fit the game.
    pub fn get(&self, board: &[u8], side: Side) -> Result<Option<i32>> {
        let word = self.game.word_of(board);
        let codes = Codes { least: self.manifest.least };
        for ply in 0..self.manifest.plies.len() {
            if side_at(self.game.as_ref(), ply as u32) != side {
                continue;
            }
            if let Some(score) = codes.score(self.map(ply)?.get(&word)) {
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    fn map(&self, ply: usize) -> Result<Rc<ValueMap>> {
        if let Some(map) = self.maps.borrow().get(&ply) {
            return Ok(Rc::clone(map));
        }
        let path = self.path.join(file_name(ply));
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, e))?;
        if blake3::hash(&bytes).to_hex().as_str() != self.manifest.plies[ply] {
            return Err(Error::corrupt(path, "its contents do not match the digest in the manifest"));
        }
        let map = ValueMap::from_bytes(&bytes, &path)?;
        if map.shape() != self.game.shape() {
            return Err(Error::corrupt(path, "its words are not those of the game"));
        }
        let map = Rc::new(map);
        self.maps.borrow_mut().insert(ply, Rc::clone(&map));
        Ok(map)
    }
}
