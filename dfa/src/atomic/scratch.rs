//! Temporary directories, whose files need not reach the disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use tempfile::TempDir;

/// The temporary directories of this process.
static FOLDERS: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// A temporary directory, which is deleted with the value. Files in it are not synchronised to the disk, because they do not
/// outlive the process.
///
/// # Examples
/// ```
/// use std::io::Write;
/// let scratch = nerode_dfa::ScratchDir::new()?;
/// let path = scratch.path().join("a.txt");
/// nerode_dfa::write_atomic(&path, |e| e, |out| writeln!(out, "soon gone"))?;
/// assert!(path.exists());
/// drop(scratch);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ScratchDir(TempDir);

impl ScratchDir {
    /// Creates an empty directory in the directory of the operating system for temporary files.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn new() -> io::Result<Self> {
        tempfile::tempdir().map(Self::of)
    }

    /// Creates an empty directory like [`ScratchDir::new`], whose name begins with `prefix`.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn with_prefix(prefix: &str) -> io::Result<Self> {
        TempDir::with_prefix(prefix).map(Self::of)
    }

    fn of(dir: TempDir) -> Self {
        FOLDERS.write().unwrap_or_else(PoisonError::into_inner).push(dir.path().into());
        Self(dir)
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        let mut folders = FOLDERS.write().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|folder| folder != self.0.path());
    }
}

/// Returns `true` if `path` is in a temporary directory.
pub(super) fn is_scratch(path: &Path) -> bool {
    let folders = FOLDERS.read().unwrap_or_else(PoisonError::into_inner);
    folders.iter().any(|folder| path.starts_with(folder))
}
