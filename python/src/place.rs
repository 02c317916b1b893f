//! The location of a solution, and the lifetime of its files.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use tempfile::TempDir;

use crate::errors::named;

/// The beginning of the names of temporary folders.
const PREFIX: &str = "nerode-python-";
/// The file in a temporary folder that its process keeps locked.
const LOCK: &str = "lock";
/// The folder of the solution in a temporary folder.
const RUN: &str = "run";

/// The location of a solution.
pub enum Place {
    Kept(PathBuf),
    Scratch(Scratch),
}

/// A temporary folder, removed together with the solution by the process that created it. If that process is killed, the next
/// process that needs such a folder removes it.
pub struct Scratch {
    /// `None` if the folder must stay.
    folder: Option<TempDir>,
    path: PathBuf,
    process: u32,
    _lock: File,
}

impl Place {
    pub fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        match path {
            Some(path) => Ok(Self::Kept(path)),
            None => {
                let made = scratch(&std::env::temp_dir());
                made.map(Self::Scratch).map_err(|error| named(py, "FileError", error.to_string()))
            }
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Scratch(scratch) => &scratch.path,
        }
    }
}

/// Creates a temporary folder in `parent`, and removes those of processes that no longer exist.
fn scratch(parent: &Path) -> io::Result<Scratch> {
    remove_abandoned(parent);
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
    // The file gets its name once it is locked, so that no other process takes the folder for an abandoned one.
    let unlocked = folder.path().join("unlocked");
    let lock = File::create(&unlocked)?;
    // Without locks, the file has no name by which other processes find the folder.
    if lock.lock().is_ok() {
        std::fs::rename(&unlocked, folder.path().join(LOCK))?;
    }
    let path = folder.path().join(RUN);
    Ok(Scratch { folder: Some(folder), path, process: std::process::id(), _lock: lock })
}

/// Removes the temporary folders of killed processes. What cannot be removed stays.
fn remove_abandoned(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // A folder without this file is being created.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if !matches!(lock.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_))) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for Scratch {
    /// Removes the files, unless this is a forked process, because the files belong to its parent.
    fn drop(&mut self) {
        if self.process != std::process::id() {
            std::mem::forget(self.folder.take());
        }
    }
}
