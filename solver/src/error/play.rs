//! Errors of play: traps, records and matches.

/// What goes wrong when games are played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// Depths were asked of a solution that has none.
    #[error("this solution of {game} holds no depths, which say how long a loss takes")]
    NoDepths {
        /// The game.
        game: String,
    },
    /// A match without openings to begin its games with.
    #[error("{game}, {plies} plies after the start: {reason}")]
    Openings {
        /// The game.
        game: String,
        /// Plies of an opening.
        plies: u32,
        /// What is wrong with them.
        reason: String,
    },
    /// A record of a game that does not fit the game.
    #[error("line {line} of the record: {reason}")]
    Record {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}
