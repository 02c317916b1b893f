//! Constructors and classification of errors.

use std::path::PathBuf;

use super::Error;

impl Error {
    /// Creates an [`Error::Io`] for `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// Creates an [`Error::Corrupt`] for `path`.
    pub fn corrupt(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Corrupt { path: path.into(), reason: reason.into() }
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

fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}
