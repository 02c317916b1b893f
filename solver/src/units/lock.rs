//! File locks, which give one process the exclusive right to write.

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
