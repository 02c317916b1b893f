//! Errors of the oracle.

use nerode_games::grouped;

/// The result of solving or indexing.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that depends on the game, on memory or on the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A game description violates its contract.
    #[error("the rules of {game} contradict themselves: {reason}")]
    Rules {
        /// The game.
        game: String,
        /// The contradiction that was detected.
        reason: String,
    },
    /// A table would need too much memory.
    #[error(
        "{what} needs {} bytes, and {} are allowed; allow more memory or choose a smaller game",
        grouped(*.needed_bytes),
        grouped(u128::from(*.limit_bytes))
    )]
    TooLarge {
        /// The requested table.
        what: String,
        /// The number of bytes that it would need.
        needed_bytes: u128,
        /// The memory limit; [`u64::MAX`] if no machine could have the memory.
        limit_bytes: u64,
    },
    /// More positions are reached than the limits allow.
    #[error(
        "{game} has more than {} reached positions, and {} bytes are allowed; allow more memory or choose a smaller game",
        grouped(u128::from(*.num_positions)),
        grouped(u128::from(*.limit_bytes))
    )]
    TooManyReached {
        /// The game.
        game: String,
        /// The number of positions found.
        num_positions: u64,
        /// The memory limit in bytes.
        limit_bytes: u64,
    },
    /// More positions are reached than the solver can number.
    #[error(
        "{game} has more than {} reached positions, the most that are supported; solve it as sets or choose a smaller game",
        grouped(u128::from(*.most))
    )]
    TooManyPositions {
        /// The game.
        game: String,
        /// The greatest number of positions that is supported.
        most: u64,
    },
    /// Play can repeat positions, so that a game need not end with a score.
    #[error(
        "play of {game} can repeat positions: for {undecided} of {num_positions} reached positions, the score depends on a repetition"
    )]
    Repeats {
        /// The game.
        game: String,
        /// The number of reached positions from which play may go on forever.
        undecided: u64,
        /// The number of reached positions.
        num_positions: u64,
    },
    /// A position takes too many bits.
    #[error(
        "a position of {game} takes {bits} bits, and at most {most} are supported; choose a smaller board"
    )]
    TooWide {
        /// The game.
        game: String,
        /// The number of bits of a position.
        bits: usize,
        /// The greatest number that is supported.
        most: usize,
    },
    /// A position is further from the end of the game than a table can represent.
    #[error("a position is more than {most} plies from the end, the most that {what} can represent")]
    TooDeep {
        /// The table.
        what: String,
        /// The greatest depth that it can represent.
        most: u64,
    },
    /// An index is out of range.
    #[error("the index {index} is out of range: the number of positions is {num_positions}")]
    PastTheEnd {
        /// The index.
        index: u64,
        /// The number of positions.
        num_positions: u64,
    },
    /// A scratch file could not be written or read.
    #[error("a scratch file cannot be written or read: {reason}")]
    Disk {
        /// The kind of the error.
        kind: std::io::ErrorKind,
        /// The error of the operating system.
        reason: String,
    },
    /// The user interrupted the computation.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Converts an error of a scratch file.
    pub(crate) fn disk(error: std::io::Error) -> Self {
        Self::Disk { kind: error.kind(), reason: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let game = "hex".to_string();
        let many = Error::TooManyReached { game, num_positions: 1_234_567, limit_bytes: 50_331_648 };
        assert!(many.to_string().contains("1 234 567 reached positions, and 50 331 648 bytes"), "{many}");
        let what = "a table".to_string();
        let large = Error::TooLarge { what, needed_bytes: 20_000_000, limit_bytes: 1_000_000 };
        assert!(large.to_string().contains("20 000 000 bytes, and 1 000 000 are allowed"), "{large}");
    }
}
