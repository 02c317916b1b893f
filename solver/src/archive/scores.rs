//! A scores folder: the scores of all reachable positions, as one automaton per ply.
//!
//! Invariants: the manifest is written last and names every other file together with its digest. No file is used before
//! its digest has been verified.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::ValueMap;
use nerode_games::registry::BUILT_IN;
use nerode_games::side_at;
use nerode_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::archive::claim;
use crate::archive::contents::{self, Contents};
use crate::archive::resolver::{GameId, Resolver};
use crate::archive::slot::Slot;
use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};
use crate::solve::score::{Codes, Scores};

/// The manifest of a scores folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    game: String,
    fingerprint: String,
    order: String,
    /// The text of the rules, if the game is read from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The score with code 1.
    least: i32,
    /// The files of the plies.
    plies: Vec<StoredFile>,
}

impl Manifest {
    /// Returns the canonical game spec.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the files of the plies.
    pub fn plies(&self) -> &[StoredFile] {
        &self.plies
    }
}

/// Writes `scores` to the folder `path`. With `overwrite`, existing scores in `path` are replaced.
///
/// # Errors
/// Returns [`Error::Occupied`] if `path` already contains scores, [`Error::OtherContents`] if it has other contents, or
/// [`Error::Io`].
pub fn write(scores: &Scores, path: &Path, overwrite: bool) -> Result<Manifest> {
    let _lock = claim::begin(path, Contents::Scores, overwrite)?;
    let mut plies = Vec::new();
    for (ply, scored) in scores.plies.iter().enumerate() {
        plies.push(StoredFile::write(&path.join(file_name(ply)), &scored.map.to_bytes()?)?);
    }
    let game = &scores.game;
    let manifest = Manifest {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        order: game.order().to_string(),
        text: game.rules_text(),
        least: scores.codes.least,
        plies,
    };
    contents::write(&Contents::Scores.file(path), Contents::Scores, &manifest)?;
    Ok(manifest)
}

fn file_name(ply: usize) -> String {
    format!("scores-{ply:03}.map")
}

/// A scores folder opened for reading. Several threads may query it at the same time.
pub struct ScoreDir {
    /// The game, in the letter order of the folder.
    pub game: Arc<dyn Game>,
    manifest: Manifest,
    path: PathBuf,
    /// The maps by ply, each of which is read when it is first needed.
    maps: Vec<Slot<ValueMap>>,
}

impl ScoreDir {
    /// Returns `true` if `path` contains a scores folder.
    pub fn exists(path: &Path) -> bool {
        Contents::Scores.is_in(path)
    }

    /// Opens the folder of a built-in game. Its automata are read when they are needed.
    ///
    /// # Errors
    /// Returns the same errors as [`ScoreDir::open_with`].
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
        let manifest: Manifest = contents::read_from(path, Contents::Scores)?;
        let text = manifest.text.as_deref();
        let (spec, fingerprint, order) = (&manifest.game, &manifest.fingerprint, &manifest.order);
        let id = GameId { spec, fingerprint, order, text };
        let game = id.resolve(resolver, &Contents::Scores.file(path))?;
        if game.scores().map(|scores| *scores.start()) != Some(manifest.least) {
            return Err(Error::corrupt(path, "its least score differs from that of the game"));
        }
        let maps = manifest.plies.iter().map(|_| Slot::default()).collect();
        Ok(Self { game, manifest, path: path.into(), maps })
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns an error unless every file exists and is unchanged. *Cost*: reads every file.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::Io`].
    pub fn must_be_whole(&self) -> Result<()> {
        for (ply, stored) in self.manifest.plies.iter().enumerate() {
            stored.must_be_whole(&self.path.join(file_name(ply)))?;
        }
        Ok(())
    }

    /// Returns the score of a position from the point of view of P1, or `None` if the position is not reachable. If a
    /// position occurs at several plies, its score is the same at each of them.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if a file was changed, or [`Error::Io`].
    ///
    /// # Panics
    /// Panics if the board does not fit the game.
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

    /// Returns the automaton of a ply, which is read when it is first needed. It maps reachable positions to codes of scores, and all
    /// other words to 0.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the file was changed, or [`Error::Io`].
    ///
    /// # Panics
    /// Panics if `ply` is not below the number of files of the manifest.
    pub fn map(&self, ply: usize) -> Result<&ValueMap> {
        self.maps[ply].get_or_read(|| {
            let path = self.path.join(file_name(ply));
            let bytes = self.manifest.plies[ply].read(&path)?;
            let map = ValueMap::from_bytes(&bytes, &path)?;
            if map.shape() != self.game.shape() {
                return Err(Error::corrupt(path, "its words do not fit the game"));
            }
            Ok(map)
        })
    }
}
