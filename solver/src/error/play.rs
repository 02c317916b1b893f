//! Errors of play: traps, game records and matches.

/// A failure while games are played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// Depths were requested from a solution that contains none.
    #[error("this solution of {game} has no depths, which are needed to tell how long a loss takes")]
    NoDepths {
        /// The game.
        game: String,
    },
    /// A match has no openings from which its games can start.
    #[error("{game}, {plies} plies after the start: {reason}")]
    Openings {
        /// The game.
        game: String,
        /// The number of plies of an opening.
        plies: u32,
        /// The reason why there are none.
        reason: String,
    },
    /// A game record does not fit the game.
    #[error("line {line} of the record: {reason}")]
    Record {
        /// The line number, starting at 1.
        line: usize,
        /// The reason why the line was rejected.
        reason: String,
    },
}
