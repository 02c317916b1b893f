//! Errors of operations on automata and their files, and advice on how to resolve them.

use std::fmt;
use std::path::PathBuf;

/// A number of bytes, displayed in the largest unit of which it contains at least one: `1.5 GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u128);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let full = |&power: &usize| self.0 >> (10 * power) > 0;
        match (1..=units.len()).rev().find(full) {
            None if self.0 == 1 => f.write_str("1 byte"),
            None => write!(f, "{} bytes", self.0),
            // Sizes are read by people, for whom one decimal place is enough.
            Some(power) => {
                write!(f, "{:.1} {}", self.0 as f64 / (1u128 << (10 * power)) as f64, units[power - 1])
            }
        }
    }
}

/// The result of an operation on automata.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that depends on data, memory or files. Incorrect use of the API panics instead, as documented.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Alphabet sizes that do not form a shape.
    #[error("invalid shape: {0}")]
    Shape(String),
    /// A word that does not fit the shape.
    #[error("not a word of this shape: {0}")]
    Word(String),
    /// A move description that contradicts itself or does not fit the shape.
    #[error("invalid move description: {0}")]
    Move(String),
    /// Two classes of a value map that have a word in common.
    #[error("the classes of codes {first} and {second} share a word; each word must have exactly one code")]
    Overlap {
        /// The code of one class.
        first: u16,
        /// The code of the other class.
        second: u16,
    },
    /// An operation that would need more memory than the cap allows.
    #[error(
        "out of memory: {what} would need {}, but the limit is {}; raise the memory limit",
        Size(u128::from(*.needed_bytes)),
        Size(u128::from(*.limit_bytes))
    )]
    OutOfMemory {
        /// The purpose for which the memory was needed.
        what: &'static str,
        /// The number of bytes that the operation would hold.
        needed_bytes: u64,
        /// The cap that was in force, in bytes.
        limit_bytes: u64,
    },
    /// A layer that would need more states than 32-bit state numbers can represent.
    #[error("layer {layer} would hold more than {limit} states; solve a smaller game or split it")]
    TooManyStates {
        /// The layer that is full.
        layer: usize,
        /// The maximum number of states in a layer.
        limit: u64,
    },
    /// A set whose number of words does not fit into 128 bits.
    #[error("the set has more than 2^128 - 1 words; counting, rank and sampling are not available for it")]
    CountOverflow,
    /// Two sets, or a set and a file, that have different shapes.
    #[error("shapes differ: {0}")]
    ShapeMismatch(String),
    /// A file that is damaged or was not written by this library.
    #[error("{path}: {reason}; restore the file from a copy or solve again")]
    Corrupt {
        /// The path of the file.
        path: PathBuf,
        /// A description of the damage.
        reason: String,
    },
    /// A file that was written in a version of the format that this program does not read.
    #[error(
        "{path}: unsupported format version {found} (this program reads version {expected}); use the program that wrote it"
    )]
    Version {
        /// The path of the file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// A failure to read or write a file.
    #[error("{path}: {source}")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error reported by the operating system.
        source: std::io::Error,
    },
    /// A failure of the operating system to start threads.
    #[error("cannot start {threads} threads: {source}; use fewer threads")]
    Threads {
        /// The number of threads requested.
        threads: usize,
        /// The error reported by the operating system.
        source: std::io::Error,
    },
    /// An operation that was interrupted at the caller's request.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Creates an [`Error::Io`] for `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// Returns `true` if the operation was interrupted.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted)
    }

    /// Adds the name of the step to the error if it is [`Error::Move`], and returns other errors unchanged.
    #[cfg(feature = "engine")]
    pub(crate) fn in_step(self, name: &str) -> Self {
        match self {
            Self::Move(problem) => Self::Move(format!("step {name}: {problem}")),
            other => other,
        }
    }

    /// Replaces the path of the error by `path` if it is [`Error::Io`], and returns other errors unchanged.
    #[cfg(feature = "engine")]
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
        let shown = [
            (1, "1 byte"),
            (7, "7 bytes"),
            (1536, "1.5 KiB"),
            (3 << 30, "3.0 GiB"),
            (112_971_814_592_400, "102.7 TiB"),
        ];
        for (bytes, text) in shown {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }
}
