//! A scores folder: the score of every reachable position, one automaton a ply.
//!
//! Invariants: the manifest is written last and names every other file with its digest; nothing is believed before its digest
//! was compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::ValueMap;
use nerode_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::archive::files::write_bytes_atomic;
use crate::archive::resolver::{GameId, Registry, Resolver};
use crate::archive::run_dir::RunDir;
use crate::archive::sealed;
use crate::archive::slot::Slot;
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

/// A scores folder opened for reading. Many threads may ask at once.
pub struct ScoreDir {
    /// The game, in the letter order of the folder.
    pub game: Arc<dyn Game>,
    /// The manifest.
    pub manifest: Manifest,
    path: PathBuf,
    /// Maps by ply, each read when it is first needed.
    maps: Vec<Slot<ValueMap>>,
}

impl ScoreDir {
    /// Whether `path` holds a scores folder.
    pub fn exists(path: &Path) -> bool {
        path.join(MANIFEST).exists()
    }

    /// Opens the folder of a registered game; its automata are read when they are needed.
    ///
    /// # Errors
    /// As [`ScoreDir::open_with`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, &Registry)
    }

    /// Opens the folder, of the game that `resolver` finds; its automata are read when they are needed.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Corrupt`] for a damaged manifest, [`Error::WrongVersion`] for one of another version; what
    /// `resolver` returns; [`Error::WrongRules`] when the game has other rules, or another letter order.
    pub fn open_with(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let file = path.join(MANIFEST);
        let text = fs::read(&file).map_err(|e| Error::io(&file, e))?;
        let manifest: Manifest = sealed::read(&text, &file, FORMAT_VERSION)?;
        let id = GameId { spec: &manifest.game, fingerprint: &manifest.fingerprint, order: &manifest.order };
        let game = id.resolve(resolver, &file)?;
        if game.scores().map(|scores| *scores.start()) != Some(manifest.least) {
            return Err(Error::corrupt(path, "its least score is not that of the game"));
        }
        let maps = manifest.plies.iter().map(|_| Slot::default()).collect();
        Ok(Self { game, manifest, path: path.into(), maps })
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

    fn map(&self, ply: usize) -> Result<&ValueMap> {
        self.maps[ply].get_or_read(|| {
            let path = self.path.join(file_name(ply));
            let bytes = fs::read(&path).map_err(|e| Error::io(&path, e))?;
            if blake3::hash(&bytes).to_hex().as_str() != self.manifest.plies[ply] {
                return Err(Error::corrupt(path, "its contents do not match the digest in the manifest"));
            }
            let map = ValueMap::from_bytes(&bytes, &path)?;
            if map.shape() != self.game.shape() {
                return Err(Error::corrupt(path, "its words are not those of the game"));
            }
            Ok(map)
        })
    }
}
