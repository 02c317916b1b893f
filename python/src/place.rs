//! Where a solution lies, and when its files go away.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use tempfile::TempDir;

use crate::errors::named;

/// Where a solution lies.
pub enum Place {
    Kept(PathBuf),
    /// Goes away with the solution, in the process that made it.
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
    /// A process that was forked leaves its parent's files alone.
    fn drop(&mut self) {
        if let Self::Scratch(folder, process) = self
            && *process != std::process::id()
        {
            std::mem::forget(folder.take());
        }
    }
}
