//! Look-ups of single positions in a table file.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nerode_games::{Game, Registry, Side};
use nerode_oracle::Indexer;

use super::TableFile;
use super::keyed::KeyedTable;
use super::reached::ReachedTable;
use crate::archive::files::damaged_or;
use crate::archive::resolver::Resolver;
use crate::error::{Error, Result};
use crate::outcome::Outcome;

/// A table file that answers queries. Several threads may query it at the same time; their accesses are serialised.
pub struct TableSolution {
    /// The game, in the letter order of the table.
    pub game: Arc<dyn Game>,
    codes: Codes,
}

/// The codes of a table.
enum Codes {
    /// Of all boards.
    All { indexer: Indexer, file: Mutex<TableFile> },
    /// Of reached positions, by ply.
    Reached(ReachedTable),
    /// Of reached positions, by key.
    Keyed(KeyedTable),
}

impl TableSolution {
    /// Opens the table of a game in `registry`, or in `resolver` if it lists positions by key, and verifies it completely.
    ///
    /// *Cost*: reads the file once.
    ///
    /// # Errors
    /// Returns the errors of [`TableFile::open`], [`TableFile::verify_digest`] and [`ReachedTable::open`],
    /// [`KeyedTable::open`], [`Error::Game`] if the game is not registered, or [`Error::WrongRules`] if it has other rules.
    pub fn open(path: &Path, registry: &Registry, resolver: &dyn Resolver) -> Result<Self> {
        Self::open_trusting(path, registry, resolver).map_err(|error| damaged_or(path, error))
    }

    /// Opens a table, and believes its header in errors.
    fn open_trusting(path: &Path, registry: &Registry, resolver: &dyn Resolver) -> Result<Self> {
        if ReachedTable::is_one(path)? {
            let table = ReachedTable::open(path, registry)?;
            table.verify_digest()?;
            return Ok(Self { game: Arc::clone(&table.game), codes: Codes::Reached(table) });
        }
        if KeyedTable::is_one(path)? {
            let table = KeyedTable::open(path, resolver)?;
            table.verify_digest()?;
            return Ok(Self { game: Arc::clone(&table.game), codes: Codes::Keyed(table) });
        }
        let mut file = TableFile::open(path)?;
        let game = registry.open(&file.header().spec)?;
        file.check_rules(&game.fingerprint())?;
        file.verify_digest()?;
        let codes = Codes::All { indexer: file.indexer().clone(), file: Mutex::new(file) };
        Ok(Self { game, codes })
    }

    /// Returns the outcome of a board with `side` to move, or `None` if the table lists only reached positions and this is
    /// not one of them.
    ///
    /// # Errors
    /// Returns the errors of [`ReachedTable::get`] and [`KeyedTable::get`], or [`Error::Mismatch`] if the board does not belong to the game.
    pub fn get(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        let (indexer, file) = match &self.codes {
            Codes::All { indexer, file } => (indexer, file),
            Codes::Reached(table) => return table.get(board, side),
            Codes::Keyed(table) => return table.get(board, side),
        };
        let index = indexer.index_of(board).ok_or_else(|| Error::Mismatch {
            what: "a board".into(),
            found: format!("{board:?}"),
            expected: format!("a board of {}", self.game.spec()),
        })?;
        file.lock().unwrap_or_else(PoisonError::into_inner).value(side, index).map(Some)
    }

    /// Returns the table if it lists reached positions by key.
    pub fn keyed(&self) -> Option<&KeyedTable> {
        match &self.codes {
            Codes::Keyed(table) => Some(table),
            Codes::All { .. } | Codes::Reached(_) => None,
        }
    }

    /// Returns the table if it lists reached positions by ply.
    pub fn reached(&self) -> Option<&ReachedTable> {
        match &self.codes {
            Codes::All { .. } | Codes::Keyed(_) => None,
            Codes::Reached(table) => Some(table),
        }
    }
}
