//! Contents that are written at once: their files, then the manifest that names them. What was begun and not finished is removed.
//!
//! Invariant: until the manifest is written nothing of it counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nerode_dfa::disk;
use serde::Serialize;

use super::claim::{self, LOCK};
use super::contents::{self, Contents};
use crate::error::Result;
use crate::units::lock::Lock;

/// What is to be removed of drafts that are not finished, by directory.
static OPEN: Mutex<BTreeMap<PathBuf, Litter>> = Mutex::new(BTreeMap::new());

/// What is to be removed of a draft.
#[derive(Debug, Default)]
struct Litter {
    files: Vec<PathBuf>,
    /// Whether the directory was made for the draft, so that it goes with its lock.
    is_new: bool,
}

fn open() -> MutexGuard<'static, BTreeMap<PathBuf, Litter>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Contents of a directory that are being written.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    kind: Contents,
    _lock: Lock,
}

impl Draft {
    /// Begins contents of that kind in the directory `path`.
    ///
    /// # Errors
    /// Those of [`claim::begin`].
    pub fn begin(path: &Path, kind: Contents, overwrite: bool) -> Result<Self> {
        let is_new = !path.exists();
        let lock = claim::begin(path, kind, overwrite)?;
        open().insert(path.into(), Litter { files: Vec::new(), is_new });
        Ok(Self { path: path.into(), kind, _lock: lock })
    }

    /// The path of a file that is written next, by its name in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        let file = self.path.join(name);
        if let Some(litter) = open().get_mut(&self.path) {
            litter.files.push(file.clone());
        }
        file
    }

    /// Writes the manifest, which makes the files count.
    ///
    /// # Errors
    /// Those of [`contents::write`]; then nothing is left.
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

/// Removes what a draft has left. What cannot be removed stays, and is written over by the next draft.
fn remove(path: &Path, litter: &Litter) {
    for file in &litter.files {
        let _ = disk::remove_file(file);
    }
    if litter.is_new {
        let _ = disk::remove_file(&path.join(LOCK));
        let _ = disk::remove_dir(path);
    }
}

/// Removes what drafts of this process have written so far: for whoever ends the process.
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
