//! A board of the family of a game that was solved.

use serde::Serialize;

/// A smaller board that was solved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Board {
    /// The canonical spec of the game.
    pub game: String,
    /// The number of states of the largest ply.
    pub num_states: u64,
    /// The number of states of all stored sets.
    pub all_states: u64,
    /// The size of all files in bytes.
    pub bytes: u64,
    /// The duration of the solve in seconds.
    pub seconds: f64,
    #[serde(skip)]
    pub(super) size: [usize; 2],
    /// The number of positions, for the growth law.
    #[serde(skip)]
    pub(super) positions: f64,
    /// The memory of the engine after the first ply.
    #[serde(skip)]
    pub(super) first_bytes: u64,
}

impl Board {
    /// Returns the number of cells.
    pub(super) fn cells(&self) -> usize {
        self.size[0] * self.size[1]
    }
}
