//! Errors made in few words, and what they have in common.

use std::path::PathBuf;

use super::Error;

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
            Self::Dfa(nerode_dfa::Error::Io { source, .. }) => is_full(source),
            _ => false,
        }
    }

    /// Whether a file found no room: the disk is full or soon would be, a quota is used up, or no file may be so large.
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
