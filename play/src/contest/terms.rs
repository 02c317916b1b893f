//! The terms of a match.

use serde::{Deserialize, Serialize};

/// The terms of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The game.
    pub game: String,
    /// The players, as named by the user.
    pub players: [String; 2],
    /// The number of plies of an opening.
    pub opening_plies: u32,
    /// The maximum number of openings, each of which is played twice, with both colours.
    pub openings: usize,
    /// The seed that determines the openings and the choices of players.
    pub seed: u64,
    /// The number of plies without a placement or capture after which a game is a draw.
    pub quiet_plies: u32,
    /// The total number of plies after which a game is a draw.
    pub plies: u32,
}
