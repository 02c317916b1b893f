//! File locks, which give one process the exclusive right to write files or to compute a unit.

use std::fs::TryLockError;
use std::path::Path;

use nerode_dfa::disk::File;

use crate::error::{Error, Result};

/// The right to write the files that a lock file protects, held until it is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file does not suffice: a process that is being started at this moment briefly has a copy of its
        // handle.
        let _ = self.0.unlock();
    }
}

/// Acquires the lock file `path` as an advisory lock of the operating system, which is released when the process ends.
/// Returns `None` while another process holds it.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn try_lock(path: &Path) -> Result<Option<Lock>> {
    let file = File::create(path).map_err(|e| Error::io(path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(Error::io(path, e)),
    }
}

/// The right to compute a unit, held until it is dropped.
pub(super) struct Claimed(#[allow(dead_code, reason = "its only purpose is to hold the lock")] Option<Lock>);

/// The owner of a unit.
pub(super) enum Claim {
    /// This process, as far as the file system supports locks.
    Ours(Claimed),
    /// Another process.
    Taken,
}

impl Claimed {
    /// Claims a unit of the image in `folder`.
    pub(super) fn take(folder: &Path, unit: usize) -> Claim {
        match try_lock(&folder.join(format!("lock-{unit:06}"))) {
            Ok(Some(lock)) => Claim::Ours(Self(Some(lock))),
            Ok(None) => Claim::Taken,
            // Without locks, two processes may compute the same unit, which only costs time.
            Err(_) => Claim::Ours(Self(None)),
        }
    }
}
