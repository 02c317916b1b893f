//! Errors of the solving library.

use std::path::PathBuf;

/// Result of solving, checking or writing.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that depends on data, memory or files, with what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The automata engine failed.
    #[error(transparent)]
    Dfa(#[from] nerode_dfa::Error),
    /// A game, position or move could not be read.
    #[error(transparent)]
    Game(#[from] nerode_games::Error),
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's word on it.
        source: std::io::Error,
    },
    /// A file that is not what it should be, or is damaged.
    #[error("{path}: {reason}; restore the file from a copy or make it again")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of another format version.
    #[error(
        "{path}: format version {found}, this program reads version {supported}; make the file again with this program, or read it with the program that wrote it"
    )]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// Version found in the file.
        found: u32,
        /// Version this program reads and writes.
        supported: u32,
    },
    /// A file made for other rules.
    #[error(
        "{path}: made for rules {found}, asked for rules {expected}; name the game it was made for, or make it again"
    )]
    WrongRules {
        /// The file.
        path: PathBuf,
        /// Fingerprint of the rules in the file.
        found: String,
        /// Fingerprint of the rules asked for.
        expected: String,
    },
    /// A run directory that does not fit the request.
    #[error("{path}: {reason}")]
    RunDir {
        /// The directory.
        path: PathBuf,
        /// What does not fit, and what to do.
        reason: String,
    },
    /// More positions than an explicit method can hold.
    #[error(
        "{what} needs {needed_bytes} bytes, {limit_bytes} allowed; raise --memory or take a smaller game"
    )]
    TooLarge {
        /// What was asked for.
        what: String,
        /// Bytes it would hold.
        needed_bytes: u128,
        /// The cap in force.
        limit_bytes: u64,
    },
    /// A position further from the end than a number in a file or table can say.
    #[error("a position is more than {most} plies from the end, the most that {what} can hold")]
    TooDeep {
        /// What holds the depths.
        what: String,
        /// The greatest depth that fits.
        most: u64,
    },
    /// An index without a position.
    #[error("there is no position with index {index}: there are {num_positions}")]
    PastTheEnd {
        /// The index.
        index: u64,
        /// Number of positions.
        num_positions: u64,
    },
    /// A game description broke a promise it made.
    #[error("the rules of {game} contradict themselves: {reason}; this is a bug in the game's description")]
    Rules {
        /// The game.
        game: String,
        /// What was seen.
        reason: String,
    },
    /// Half of the sets was asked for in a game where they do not say what the other half is.
    #[error("in {game} the sides are not each other's mirror image: both chains of sets must be computed")]
    NoMirrorImage {
        /// The game.
        game: String,
    },
    /// One chain of sets was asked for, forward from the start.
    #[error("chains of sets are what retrograde analysis computes; forward search computes all sets")]
    ChainsOfMeet,
    /// Sets were asked of a solution that has none.
    #[error("this solution of {game} holds values and no sets; open the run that it was made from")]
    NoSets {
        /// The game.
        game: String,
    },
    /// The request makes no sense for this game or run.
    #[error("{0}")]
    Unsupported(String),
    /// Stopped by the user; what was done is on disk.
    #[error("interrupted; continue with --resume")]
    Interrupted,
}

impl Error {
    /// An [`Error::Io`] for `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// An [`Error::Corrupt`] for `path`.
    pub fn corrupt(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Corrupt { path: path.into(), reason: reason.into() }
    }

    /// Whether memory, or room for scratch files, did not suffice: less at once may succeed.
    pub fn is_out_of_room(&self) -> bool {
        match self {
            Self::Dfa(nerode_dfa::Error::OutOfMemory { .. }) => true,
            Self::Dfa(nerode_dfa::Error::Io { source, .. }) => {
                source.kind() == std::io::ErrorKind::StorageFull
            }
            _ => false,
        }
    }
}
