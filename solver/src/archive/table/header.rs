//! Headers of table files.
//!
//! Invariant: a header accepted by [`TableHeader::indexer`] describes a one-to-one correspondence of boards and
//! indices.

use nerode_games::{Game, Side};
use nerode_oracle::Indexer;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The meaning of the codes, which is stored in every header so that the file is self-explanatory.
const CODING: &str = "u16 LE: 0 draw; 1+2d loss in d plies; 2+2d win in d plies; 65535 unknown";

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableHeader {
    /// The spec of the game, such as `breakthrough:4x5`.
    pub spec: String,
    /// The complete rules in force.
    pub rules: String,
    /// The fingerprint of spec and rules.
    pub fingerprint: String,
    /// The number of possible contents of each cell.
    pub cell_states: Vec<u16>,
    /// `digits[cell][content]`: the digit of the content in the index. Cell 0 is the most significant.
    pub digits: Vec<Vec<u8>>,
    /// The number of boards, which is the number of codes per side.
    pub num_positions: u64,
    /// The side to move at the start: 1 or 2.
    pub start_side: u8,
    /// The index of the start board.
    pub start_index: u64,
    /// The meaning of the codes.
    pub coding: String,
}

impl TableHeader {
    /// Creates the header for tables of `game`.
    ///
    /// # Errors
    /// Returns the same errors as [`Indexer::new`].
    pub fn of(game: &dyn Game) -> Result<Self> {
        let indexer = Indexer::new(game, &game.spec())?;
        let (board, side) = game.start();
        let start_index = indexer.index_of(&board).ok_or_else(|| Error::Rules {
            game: game.spec(),
            reason: format!("the start board {board:?} is not a board of the game"),
        })?;
        Ok(Self {
            spec: game.spec(),
            rules: game.rules(),
            fingerprint: game.fingerprint(),
            cell_states: indexer.cell_states(),
            digits: indexer.digits(),
            num_positions: indexer.num_positions(),
            start_side: if side == Side::P1 { 1 } else { 2 },
            start_index,
            coding: CODING.to_string(),
        })
    }

    /// Returns the indexer that the header describes, if the header is consistent.
    pub(super) fn indexer(&self) -> std::result::Result<Indexer, String> {
        let indexer =
            Indexer::from_digits(&self.digits, &self.spec).map_err(|e| Error::from(e).to_string())?;
        if self.cell_states != indexer.cell_states() || self.num_positions != indexer.num_positions() {
            return Err("the numbers of contents and of positions in the header do not match".to_string());
        }
        if !matches!(self.start_side, 1 | 2) || self.start_index >= self.num_positions {
            return Err("the header's start position does not exist".to_string());
        }
        if self.coding != CODING {
            return Err(format!("the header says that codes mean '{}', not '{CODING}'", self.coding));
        }
        Ok(indexer)
    }
}
