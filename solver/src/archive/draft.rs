//! Contents that are written in one go: first their files, then the manifest that names them. The files of an
//! unfinished draft are removed.
//!
//! Invariant: until the manifest is written, the files do not count as contents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nerode_dfa::disk;
use serde::Serialize;

use super::claim::{self, LOCK};
use super::contents::{self, Contents};
use crate::error::{Error, Result};
use crate::units::lock::Lock;

/// The files of all unfinished drafts that need to be removed, by directory.
static OPEN: Mutex<BTreeMap<PathBuf, Litter>> = Mutex::new(BTreeMap::new());

/// The files of a draft that need to be removed if it is not finished.
#[derive(Debug, Default)]
struct Litter {
    files: Vec<PathBuf>,
    /// `true` if the directory was created for the draft, so that it is removed as well, together with its lock.
    is_new: bool,
}

fn open() -> MutexGuard<'static, BTreeMap<PathBuf, Litter>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The contents of a directory that are being written.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    kind: Contents,
    _lock: Lock,
}

impl Draft {
    /// Begins to write contents of the given kind into the directory `path`.
    ///
    /// # Errors
    /// Returns the errors of [`claim::begin`].
    pub fn begin(path: &Path, kind: Contents, overwrite: bool) -> Result<Self> {
        let is_new = !disk::exists(path).map_err(|e| Error::io(path, e))?;
        let lock = claim::begin(path, kind, overwrite)?;
        open().insert(path.into(), Litter { files: Vec::new(), is_new });
        Ok(Self { path: path.into(), kind, _lock: lock })
    }

    /// Returns the path for the next file, given its name in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        let file = self.path.join(name);
        if let Some(litter) = open().get_mut(&self.path) {
            litter.files.push(file.clone());
        }
        file
    }

    /// Writes the manifest, which makes the files valid.
    ///
    /// # Errors
    /// Returns the errors of [`contents::write`]. In that case, all files are removed.
    pub fn finish<T: Serialize>(self, manifest: &T) -> Result<()> {
        contents::write(&self.kind.file(&self.path), self.kind, manifest)?;
        open().remove(&self.path);
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(litter) = open().remove(&self.path) {
            remove(&self.path, &litter);
        }
    }
}

/// Removes the files of a draft. A file that cannot be removed is left in place and overwritten by the next draft.
fn remove(path: &Path, litter: &Litter) {
    for file in &litter.files {
        let _ = disk::remove_file(file);
    }
    if litter.is_new {
        let _ = disk::remove_file(&path.join(LOCK));
        let _ = disk::remove_dir(path);
    }
}

/// Removes the files that unfinished drafts of this process have written so far. Intended for use before the process
/// exits.
pub fn discard_all() {
    for (path, litter) in std::mem::take(&mut *open()) {
        remove(&path, &litter);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::error::Error;

    #[test]
    fn nothing_is_left_of_a_draft_that_was_not_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let draft = Draft::begin(&path, Contents::Values, false).unwrap();
        fs::write(draft.file("a.map"), "a").unwrap();
        assert!(matches!(Draft::begin(&path, Contents::Values, false), Err(Error::Busy { .. })));
        drop(draft);
        assert!(!path.exists());
        fs::create_dir(&path).unwrap();
        fs::write(path.join("b.map"), "b").unwrap();
        let draft = Draft::begin(&path, Contents::Values, false).unwrap();
        fs::write(draft.file("a.map"), "a").unwrap();
        drop(draft);
        assert!(path.join("b.map").exists() && !path.join("a.map").exists());
        let draft = Draft::begin(&path, Contents::Values, false).unwrap();
        fs::write(draft.file("a.map"), "a").unwrap();
        draft.finish(&serde_json::json!({})).unwrap();
        assert!(path.join("a.map").exists() && Contents::Values.is_in(&path));
    }
}
