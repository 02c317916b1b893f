//! The location of a solution, and the lifetime of its files.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use tempfile::TempDir;

use crate::errors::named;

/// The location of a solution.
pub enum Place {
    Kept(PathBuf),
    /// A temporary directory, removed together with the solution by the process that created it.
    Scratch(Option<TempDir>, u32),
}

impl Place {
    pub fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        match path {
            Some(path) => Ok(Self::Kept(path)),
            None => {
                let folder = tempfile::Builder::new().prefix("nerode-").tempdir();
                let folder = folder.map_err(|error| named(py, "FileError", error.to_string()))?;
                Ok(Self::Scratch(Some(folder), std::process::id()))
            }
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Scratch(folder, _) => folder.as_ref().map_or(Path::new(""), TempDir::path),
        }
    }
}

impl Drop for Place {
    /// Removes the files, unless this is a forked process, because the files belong to its parent.
    fn drop(&mut self) {
        if let Self::Scratch(folder, process) = self
            && *process != std::process::id()
        {
            std::mem::forget(folder.take());
        }
    }
}
