//! Locks: the right of one process to write.

use std::fs::TryLockError;
use std::path::Path;

use nerode_dfa::disk::File;

use crate::error::{Error, Result};

/// The right to write what a lock file stands for, until it is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process being started at this moment has a copy of it for an instant.
        let _ = self.0.unlock();
    }
}

/// Takes the lock file `path`, an advisory lock of the system that ends with the process; `None` while another process holds it.
///
/// # Errors
/// [`Error::Io`].
pub fn try_lock(path: &Path) -> Result<Option<Lock>> {
    let file = File::create(path).map_err(|e| Error::io(path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(Error::io(path, e)),
    }
}
