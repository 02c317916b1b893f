//! Tables of reached positions by key (`.tbl`, format version 3): the packed bytes of each position and its 16-bit code, in
//! ascending order.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `NERODTBL` |
//! | 4 | format version, u32 little-endian |
//! | 4 | length of the header in bytes, u32 little-endian |
//! | as given | [`KeyedHeader`], see [`crate::archive::codec`] |
//! | (key + 2) x positions | for each position the bytes of [`Packing`], then its code, u16 little-endian |
//! | 32 | BLAKE3 of everything before |
//!
//! Codes are those of [`code16`](crate::outcome::code16). The table is written by the explicit solver for reached positions, so
//! every position has an exact value and depth, and every legal move from a listed position leads to a listed position.

mod read;
#[cfg(test)]
mod tests;
mod write;

use nerode_games::{Game, Side};
use nerode_oracle::ReachedStats;
use serde::{Deserialize, Serialize};

pub use nerode_oracle::Packing;
pub use read::{KeyedRow, KeyedTable};
pub use write::write_keyed;

/// The version of the format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 3;

/// The meaning of the rows, which is stored in every header so that the file is self-explanatory.
const CODING: &str = "fields from the most significant bit, none across 64 bits: side to move (0 for P1), then each cell; \
                      code u16 LE: 0 draw; 1+2d loss in d plies; 2+2d win in d plies";

/// The number of bytes of a code.
const CODE_BYTES: usize = 2;

/// The header of a table of reached positions by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyedHeader {
    /// The spec of the game, such as `connect:5x4`.
    pub spec: String,
    /// The complete rules in force.
    pub rules: String,
    /// The text of the rules, if the game was read from one.
    pub rules_text: Option<String>,
    /// The fingerprint of spec and rules.
    pub fingerprint: String,
    /// The letter order of the game. Keys do not depend on it.
    pub order: String,
    /// The number of possible contents of each cell.
    pub cell_states: Vec<u16>,
    /// The number of bytes of a key.
    pub key_bytes: u32,
    /// The number of positions.
    pub num_positions: u64,
    /// The side to move at the start: 1 or 2.
    pub start_side: u8,
    /// The number of plies after which no new position is reached, counting that of the start.
    pub num_plies: u32,
    /// The meaning of the rows.
    pub coding: String,
}

impl KeyedHeader {
    /// Creates the header for a solution of `game`.
    fn of(game: &dyn Game, packing: &Packing, stats: &ReachedStats, num_positions: u64) -> Self {
        Self {
            spec: game.spec(),
            rules: game.rules(),
            rules_text: game.rules_text(),
            fingerprint: game.fingerprint(),
            order: game.order().to_string(),
            cell_states: game.cell_states().to_vec(),
            // A key has at most 64 bytes.
            key_bytes: packing.num_bytes() as u32,
            num_positions,
            start_side: if stats.start_side == Side::P1 { 1 } else { 2 },
            num_plies: stats.num_plies,
            coding: CODING.to_string(),
        }
    }
}
