//! Look-ups of single positions in a table file.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nerode_games::{Game, Registry, Side};
use nerode_oracle::Indexer;

use super::TableFile;
use crate::error::{Error, Result};
use crate::outcome::Outcome;

/// A table file that answers queries. Several threads may query it at the same time; their accesses are serialised.
#[derive(Debug)]
pub struct TableSolution {
    /// The game, in its first letter order.
    pub game: Arc<dyn Game>,
    indexer: Indexer,
    file: Mutex<TableFile>,
}

impl TableSolution {
    /// Opens the table of a game in `registry` and verifies it completely.
    ///
    /// *Cost*: reads the file once.
    ///
    /// # Errors
    /// Returns the errors of [`TableFile::open`] and [`TableFile::verify_digest`], [`Error::Game`] if the game is not
    /// registered, or [`Error::WrongRules`] if it has other rules.
    pub fn open(path: &Path, registry: &Registry) -> Result<Self> {
        let mut file = TableFile::open(path)?;
        let game = registry.open(&file.header().spec)?;
        file.check_rules(&game.fingerprint())?;
        file.verify_digest()?;
        Ok(Self { indexer: file.indexer().clone(), game, file: Mutex::new(file) })
    }

    /// Returns the outcome of a board with `side` to move.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Mismatch`] if the board does not belong to the game.
    pub fn get(&self, board: &[u8], side: Side) -> Result<Outcome> {
        let index = self.indexer.index_of(board).ok_or_else(|| Error::Mismatch {
            what: "a board".into(),
            found: format!("{board:?}"),
            expected: format!("a board of {}", self.game.spec()),
        })?;
        self.file.lock().unwrap_or_else(PoisonError::into_inner).value(side, index)
    }
}
