//! Errors of the oracle.

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
        "{what} needs {needed_bytes} bytes, and {limit_bytes} are allowed; allow more memory or choose a smaller game"
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
        "{game} has more than {num_positions} reached positions, and {limit_bytes} bytes are allowed; allow more memory or \
         choose a smaller game"
    )]
    TooManyReached {
        /// The game.
        game: String,
        /// The number of positions found.
        num_positions: u64,
        /// The memory limit in bytes.
        limit_bytes: u64,
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
    #[error("there is no position with index {index}: there are {num_positions}")]
    PastTheEnd {
        /// The index.
        index: u64,
        /// The number of positions.
        num_positions: u64,
    },
    /// The user interrupted the computation.
    #[error("interrupted")]
    Interrupted,
}
