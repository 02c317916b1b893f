//! What can go wrong with automata and their files, and what to do about it.

use std::fmt;
use std::path::PathBuf;

/// A number of bytes, shown in the largest unit that it fills: `1.5 GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u128);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let full = |&power: &usize| self.0 >> (10 * power) > 0;
        match (1..=units.len()).rev().find(full) {
            None => write!(f, "{} bytes", self.0),
            // For people: a digit behind the point is enough.
            Some(power) => {
                write!(f, "{:.1} {}", self.0 as f64 / (1u128 << (10 * power)) as f64, units[power - 1])
            }
        }
    }
}

/// Result of an operation on automata.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that depends on data, memory or files; misuse by code panics instead, as documented.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The alphabet sizes do not make a shape.
    #[error("not a shape: {0}")]
    Shape(String),
    /// A word that does not fit the shape.
    #[error("not a word of this shape: {0}")]
    Word(String),
    /// A move description that contradicts itself or the shape.
    #[error("bad move description: {0}")]
    Move(String),
    /// Two classes of a value map share a word.
    #[error("the classes of codes {first} and {second} share a word; a word has one code")]
    Overlap {
        /// Code of one class.
        first: u16,
        /// Code of the other.
        second: u16,
    },
    /// More memory would be needed than the cap allows.
    #[error(
        "out of memory: {what} would take {}, and {} are allowed; raise the memory limit",
        Size(u128::from(*.needed_bytes)),
        Size(u128::from(*.limit_bytes))
    )]
    OutOfMemory {
        /// What the memory was for.
        what: &'static str,
        /// Bytes that the operation would hold.
        needed_bytes: u64,
        /// The cap in force.
        limit_bytes: u64,
    },
    /// A layer holds as many states as 32-bit state numbers can name.
    #[error("layer {layer} would hold more than {limit} states; solve a smaller game or split it")]
    TooManyStates {
        /// The layer that is full.
        layer: usize,
        /// Most states a layer may hold.
        limit: u64,
    },
    /// A set with more words than 128 bits can count.
    #[error("the set has more than 2^128 - 1 words; counting, rank and sampling are not available for it")]
    CountOverflow,
    /// Two sets, or a set and a file, of different shapes.
    #[error("shapes differ: {0}")]
    ShapeMismatch(String),
    /// A file that is not an automaton of ours, or is damaged.
    #[error("{path}: {reason}; restore the file from a copy or solve again")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file written by a version of the format that this program does not read.
    #[error(
        "{path}: format version {found}, this program reads version {expected}; use the program that wrote it"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Version that this program reads.
        expected: u32,
    },
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's word on it.
        source: std::io::Error,
    },
    /// The system refused to start threads.
    #[error("cannot start {threads} threads: {source}; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The system's word on it.
        source: std::io::Error,
    },
    /// The operation was asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// An [`Error::Io`] for `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// The same, of the step of this name if a move description is bad.
    pub(crate) fn in_step(self, name: &str) -> Self {
        match self {
            Self::Move(problem) => Self::Move(format!("step {name}: {problem}")),
            other => other,
        }
    }

    /// The same, of the file `path` if reading or writing failed.
    pub(crate) fn at(self, path: &std::path::Path) -> Self {
        match self {
            Self::Io { source, .. } => Self::io(path, source),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_in_the_largest_unit() {
        let shown =
            [(7, "7 bytes"), (1536, "1.5 KiB"), (3 << 30, "3.0 GiB"), (112_971_814_592_400, "102.7 TiB")];
        for (bytes, text) in shown {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }
}
