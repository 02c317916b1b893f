//! A scores folder: the score of every reachable position, one automaton a ply.
//!
//! Invariants: the manifest is written last and names every other file with its digest; nothing is believed before its digest
//! was compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nerode_dfa::ValueMap;
use nerode_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::archive::claim;
use crate::archive::contents::{self, Contents};
use crate::archive::resolver::{GameId, Registry, Resolver};
use crate::archive::slot::Slot;
use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};
use crate::solve::reach::side_at;
use crate::solve::score::{Codes, Scores};

/// The manifest of a scores folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    game: String,
    fingerprint: String,
    order: String,
    /// The text of the rules, where the game is read from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The score of code 1.
    least: i32,
    /// The file of each ply.
    plies: Vec<StoredFile>,
}

impl Manifest {
    /// Canonical game spec.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The file of each ply.
    pub fn plies(&self) -> &[StoredFile] {
        &self.plies
    }
}

/// Writes `scores` to the folder `path`. With `overwrite`, scores in `path` are replaced.
///
/// # Errors
/// [`Error::Occupied`] when `path` holds scores already, [`Error::OtherContents`] when it holds something else; [`Error::Io`].
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

/// A scores folder opened for reading. Many threads may ask at once.
pub struct ScoreDir {
    /// The game, in the letter order of the folder.
    pub game: Arc<dyn Game>,
    manifest: Manifest,
    path: PathBuf,
    /// Maps by ply, each read when it is first needed.
    maps: Vec<Slot<ValueMap>>,
}

impl ScoreDir {
    /// Whether `path` holds a scores folder.
    pub fn exists(path: &Path) -> bool {
        Contents::Scores.is_in(path)
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
    /// [`Error::OtherContents`] when it is no such folder; [`Error::Corrupt`] for a damaged manifest, [`Error::WrongVersion`]
    /// for one of another version; [`Error::Io`]; what `resolver` returns; [`Error::WrongRules`] when the game has other rules,
    /// or another letter order.
    pub fn open_with(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let manifest: Manifest = contents::read_from(path, Contents::Scores)?;
        let text = manifest.text.as_deref();
        let (spec, fingerprint, order) = (&manifest.game, &manifest.fingerprint, &manifest.order);
        let id = GameId { spec, fingerprint, order, text };
        let game = id.resolve(resolver, &Contents::Scores.file(path))?;
        if game.scores().map(|scores| *scores.start()) != Some(manifest.least) {
            return Err(Error::corrupt(path, "its least score is not that of the game"));
        }
        let maps = manifest.plies.iter().map(|_| Slot::default()).collect();
        Ok(Self { game, manifest, path: path.into(), maps })
    }

    /// What the folder says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Refuses the folder unless every file is there and the one that was written. *Cost*: reads every file.
    ///
    /// # Errors
    /// [`Error::Corrupt`]; [`Error::Io`].
    pub fn must_be_whole(&self) -> Result<()> {
        for (ply, stored) in self.manifest.plies.iter().enumerate() {
            stored.must_be_whole(&self.path.join(file_name(ply)))?;
        }
        Ok(())
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
            let bytes = self.manifest.plies[ply].read(&path)?;
            let map = ValueMap::from_bytes(&bytes, &path)?;
            if map.shape() != self.game.shape() {
                return Err(Error::corrupt(path, "its words are not those of the game"));
            }
            Ok(map)
        })
    }
}
