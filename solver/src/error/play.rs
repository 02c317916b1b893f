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
    /// A program that plays cannot be started.
    #[error("the program '{name}' of a player could not be started: {source}")]
    Program {
        /// The name or the path of the program.
        name: String,
        /// The error reported by the operating system.
        source: std::io::Error,
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
