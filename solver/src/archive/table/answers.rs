//! Values of single positions from a table file.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nerode_games::{Game, Side, registry};

use super::TableFile;
use crate::error::{Error, Result};
use crate::explicit::Indexer;
use crate::outcome::Outcome;

/// A table file that answers. Many threads may ask at once; they take turns.
#[derive(Debug)]
pub struct TableSolution {
    /// The game, in its first letter order.
    pub game: Arc<dyn Game>,
    indexer: Indexer,
    file: Mutex<TableFile>,
}

impl TableSolution {
    /// Opens the table of a registered game, and checks it whole.
    ///
    /// *Cost*: reads the file once.
    ///
    /// # Errors
    /// Those of [`TableFile::open`] and [`TableFile::verify_digest`]; [`Error::Game`] for a game that is not registered;
    /// [`Error::WrongRules`] for one with other rules.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = TableFile::open(path)?;
        let game = registry::open(&file.header().spec)?;
        file.check_rules(&game.fingerprint())?;
        file.verify_digest()?;
        Ok(Self { indexer: file.indexer().clone(), game, file: Mutex::new(file) })
    }

    /// What the table says of a board with `side` to move.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Mismatch`] for a board that is not the game's.
    pub fn get(&self, board: &[u8], side: Side) -> Result<Outcome> {
        let index = self.indexer.index_of(board).ok_or_else(|| Error::Mismatch {
            what: "a board".into(),
            found: format!("{board:?}"),
            expected: format!("a board of {}", self.game.spec()),
        })?;
        self.file.lock().unwrap_or_else(PoisonError::into_inner).value(side, index)
    }
}
