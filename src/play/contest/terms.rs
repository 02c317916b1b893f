//! What is played in a match.

use serde::{Deserialize, Serialize};

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The game.
    pub game: String,
    /// The players, as the user has named them.
    pub players: [String; 2],
    /// Plies of an opening.
    pub opening_plies: u32,
    /// Openings at most; each is played twice, with both colours.
    pub openings: usize,
    /// Chooses openings, and whatever players choose.
    pub seed: u64,
    /// A draw after so many plies without placing or taking.
    pub quiet_plies: u32,
    /// A draw after so many plies.
    pub plies: u32,
}
