//! The contents of directories, and the reading and writing of their manifests.

use std::io;
use std::path::Path;

use nerode_dfa::disk;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Contents, DIGEST, KIND, VERSION, digest_of, parse};
use crate::archive::files::{remove_abandoned, write_bytes_atomic};
use crate::error::{Error, Result};

impl Contents {
    /// Returns `true` if the directory `path` contains a manifest of this kind. If the system cannot tell, because
    /// access is denied or the disk fails, the manifest is assumed to exist. It is then not overwritten, and reading it
    /// reports the error.
    pub fn is_in(self, path: &Path) -> bool {
        self.try_is_in(path).unwrap_or(true)
    }

    fn try_is_in(self, path: &Path) -> io::Result<bool> {
        disk::exists(&self.file(path))
    }
}

/// Returns the kind of contents of the directory `path`, or `None` if this library did not write it or it does not
/// exist.
///
/// # Examples
/// ```
/// let dir = std::env::temp_dir().join("nerode-doc-no-such-directory");
/// assert_eq!(nerode_solver::archive::kind_of(&dir), None);
/// ```
pub fn kind_of(path: &Path) -> Option<Contents> {
    look(path).unwrap_or_else(|(kind, _)| Some(kind))
}

/// Returns the kind of contents of the directory `path`. If the system cannot tell, returns a possible kind and the
/// error of the system.
pub(in crate::archive) fn look(path: &Path) -> std::result::Result<Option<Contents>, (Contents, io::Error)> {
    let mut unknown = None;
    for kind in Contents::ALL {
        match kind.try_is_in(path) {
            Ok(true) => return Ok(Some(kind)),
            Ok(false) => {}
            Err(e) => drop(unknown.get_or_insert((kind, e))),
        }
    }
    unknown.map_or(Ok(None), Err)
}

pub(in crate::archive) fn other_contents(path: &Path, found: Option<Contents>, expected: Contents) -> Error {
    if let Err(error) = must_be_directory(path) {
        return error;
    }
    let found = found.map_or_else(|| "no nerode data".into(), |found| found.to_string());
    Error::OtherContents { path: path.into(), found, expected: expected.to_string() }
}

/// Returns an error if `path` is a file or does not exist.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn must_be_directory(path: &Path) -> Result<()> {
    let refuse = |kind, reason: &str| Err(Error::io(path, io::Error::new(kind, reason)));
    match disk::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => refuse(io::ErrorKind::NotADirectory, "this is a file, not a directory"),
        Err(_) => refuse(io::ErrorKind::NotFound, "there is no such directory"),
    }
}

/// Returns the document for some contents, without its digest. Its keys are in alphabetical order, regardless of the
/// order of the fields.
fn document<T: Serialize>(kind: Contents, contents: &T) -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(contents)?;
    if let Some(fields) = document.as_object_mut() {
        fields.insert(VERSION.into(), kind.version().into());
        fields.insert(KIND.into(), kind.tag().into());
    }
    Ok(document)
}

/// Returns the digest of some contents, by which other manifests refer to this one. Cost: one pass.
///
/// # Errors
/// Returns [`Error::Corrupt`], which names `file`, for contents that cannot be represented in JSON.
pub(crate) fn digest<T: Serialize>(file: &Path, kind: Contents, contents: &T) -> Result<String> {
    let digest = document(kind, contents).and_then(|document| digest_of(&document));
    digest.map_err(|e| Error::corrupt(file, e.to_string()))
}

/// Writes the manifest `file` atomically, and removes temporary files left by killed writers.
///
/// # Errors
/// Returns [`Error::Io`], or [`Error::Corrupt`] for a manifest that has no JSON form.
pub fn write<T: Serialize>(file: &Path, kind: Contents, contents: &T) -> Result<()> {
    let text = || -> serde_json::Result<Vec<u8>> {
        let mut document = document(kind, contents)?;
        let digest = digest_of(&document)?;
        if let Some(fields) = document.as_object_mut() {
            fields.insert(DIGEST.into(), digest.into());
        }
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        Ok(text)
    };
    // Temporary files of killed writers only waste disk space, so a failure to remove them is ignored.
    let _ = remove_abandoned(file);
    write_bytes_atomic(file, &text().map_err(|e| Error::corrupt(file, e.to_string()))?)
}

/// Reads the manifest of the directory `path`.
///
/// # Errors
/// Returns [`Error::OtherContents`] if it has no manifest of this kind, [`Error::Io`] if the directory does not exist,
/// or an error of [`read`].
pub fn read_from<T: DeserializeOwned>(path: &Path, kind: Contents) -> Result<T> {
    if !kind.is_in(path) {
        return Err(other_contents(path, kind_of(path), kind));
    }
    read(&kind.file(path), kind)
}

/// Reads the manifest `file` and verifies its format version and its digest.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::WrongVersion`] or [`Error::Corrupt`].
pub fn read<T: DeserializeOwned>(file: &Path, kind: Contents) -> Result<T> {
    parse(&disk::read(file).map_err(|e| Error::io(file, e))?, file, kind)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_changed_byte_of_a_manifest_shows() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("manifest.json");
        write(&file, Contents::Run, &serde_json::json!({ "a": "b" })).unwrap();
        let good = fs::read(&file).unwrap();
        for at in (0..good.len()).filter(|&at| !good[at].is_ascii_whitespace()) {
            let mut changed = good.clone();
            changed[at] ^= 1;
            fs::write(&file, changed).unwrap();
            assert!(read::<Value>(&file, Contents::Run).is_err(), "byte {at}");
        }
    }
}
