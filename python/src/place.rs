//! The location of a solution, and the lifetime of its files.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nerode::dfa::ScratchDir;
use pyo3::prelude::*;

use crate::errors::named;

/// The beginning of the names of temporary folders.
const PREFIX: &str = "nerode-python-";
/// The file in a temporary folder that its process keeps locked.
const LOCK: &str = "lock";
/// The folder of the solution in a temporary folder.
const RUN: &str = "run";

/// The temporary folders that exist, with the processes that created them. The lock is held only briefly, by threads that hold the
/// interpreter's lock, so that neither a fork nor a handler of signals finds it locked.
static FOLDERS: Mutex<Vec<(u32, PathBuf)>> = Mutex::new(Vec::new());

/// The location of a solution.
pub enum Place {
    Kept(PathBuf),
    Scratch(Scratch),
}

/// A temporary folder, removed together with the solution by the process that created it, or by its handler of SIGTERM. If that
/// process is killed otherwise, the next process that needs such a folder removes it.
pub struct Scratch {
    /// `None` if the folder must stay.
    folder: Option<ScratchDir>,
    path: PathBuf,
    process: u32,
    _lock: File,
}

impl Place {
    pub fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        match path {
            Some(path) => Ok(Self::Kept(path)),
            None => {
                py.import("nerode._signals")?.call_method0("watch")?;
                scratch().map(Self::Scratch).map_err(|error| named(py, "FileError", error.to_string()))
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

/// Creates a temporary folder, and removes those of processes that no longer exist.
fn scratch() -> io::Result<Scratch> {
    remove_abandoned(&std::env::temp_dir());
    let folder = ScratchDir::with_prefix(PREFIX)?;
    // The file gets its name once it is locked, so that no other process takes the folder for an abandoned one.
    let unlocked = folder.path().join("unlocked");
    let lock = File::create(&unlocked)?;
    // Without locks, the file has no name by which other processes find the folder.
    if lock.lock().is_ok() {
        std::fs::rename(&unlocked, folder.path().join(LOCK))?;
    }
    let path = folder.path().join(RUN);
    folders().push((std::process::id(), folder.path().to_path_buf()));
    Ok(Scratch { folder: Some(folder), path, process: std::process::id(), _lock: lock })
}

/// Returns the temporary folders that exist.
fn folders() -> MutexGuard<'static, Vec<(u32, PathBuf)>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary folders of this process, which must not go on. What cannot be removed stays.
#[pyfunction]
#[pyo3(name = "_remove_scratch")]
pub fn remove_scratch() {
    for (process, folder) in folders().drain(..) {
        if process != std::process::id() {
            continue;
        }
        // Threads that still write find no folder under the old name.
        let mut gone = folder.clone().into_os_string();
        gone.push("-removed");
        let _ = std::fs::rename(&folder, &gone).and_then(|()| std::fs::remove_dir_all(&gone));
    }
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
        match &self.folder {
            Some(folder) if self.process == std::process::id() => {
                folders().retain(|(_, other)| other != folder.path());
            }
            _ => std::mem::forget(self.folder.take()),
        }
    }
}
