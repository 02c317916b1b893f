//! Constructors and classification of errors.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Error, Result};

impl Error {
    /// Creates an [`Error::Io`] for `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// Creates an [`Error::Corrupt`] for `path`.
    pub fn corrupt(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Corrupt { path: path.into(), reason: reason.into() }
    }

    /// Returns `true` if the work was interrupted, whether the interruption was noticed by this library, by the rules of a
    /// game, or by an operation on automata.
    pub fn is_interruption(&self) -> bool {
        match self {
            Self::Interrupted => true,
            Self::Dfa(error) => error.is_interruption(),
            Self::Game(error) => error.is_interruption(),
            _ => false,
        }
    }

    /// Returns `true` if memory or disk space for scratch files was insufficient, so that a smaller computation may
    /// succeed.
    pub fn is_out_of_room(&self) -> bool {
        match self {
            Self::Dfa(nerode_dfa::Error::OutOfMemory { .. }) => true,
            Self::Dfa(nerode_dfa::Error::Io { source, .. }) => is_full(source),
            _ => false,
        }
    }

    /// Returns `true` if a file could not be written for lack of space: the disk is full or would soon be, a quota is
    /// exhausted, or the file is too large for the file system.
    pub fn is_full_disk(&self) -> bool {
        match self {
            Self::DiskFull { .. } => true,
            Self::Io { source, .. } | Self::Dfa(nerode_dfa::Error::Io { source, .. }) => is_full(source),
            _ => false,
        }
    }
}

/// Returns an error if `interrupt` is set.
///
/// # Errors
/// Returns [`Error::Interrupted`].
pub fn check_interrupt(interrupt: &AtomicBool) -> Result<()> {
    if interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interruptions_of_every_layer_are_recognised() {
        let automata = || nerode_dfa::Error::Interrupted;
        for error in [Error::Interrupted, automata().into(), nerode_games::Error::from(automata()).into()] {
            assert!(error.is_interruption(), "{error:?}");
        }
        assert!(!Error::TooDeep { what: "a table".into(), most: 1 }.is_interruption());
    }

    #[test]
    fn a_set_flag_interrupts() {
        assert!(check_interrupt(&AtomicBool::new(false)).is_ok());
        assert!(check_interrupt(&AtomicBool::new(true)).is_err_and(|error| error.is_interruption()));
    }
}
