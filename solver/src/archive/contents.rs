//! Manifests: versioned documents that describe the contents of a directory and are protected by their own digest.
//!
//! Each kind of directory has one manifest with a unique file name, so that the file names alone identify the kind.
//! Nothing is written into a directory with other contents.
//!
//! Invariants: a manifest is always replaced as a whole, after all files that it names are on disk. [`read`] returns
//! exactly what [`write()`] was given; only white space may differ.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nerode_dfa::disk;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::archive::files::{remove_abandoned, write_bytes_atomic};
use crate::error::{Error, Result};

/// The field that holds the digest of all other fields.
const DIGEST: &str = "blake3";
/// The field that holds the version of the format.
pub(super) const VERSION: &str = "format_version";
/// The field that identifies the kind of contents.
const KIND: &str = "kind";

/// The folder, in a directory of sectors, that contains the ranges of values of early positions.
pub const BOUNDS_FOLDER: &str = "bounds";

/// The file, in the directory of a run from the start, that contains the exact depths of early positions.
pub const DEPTHS_FILE: &str = "depths.tbl";

/// The kind of contents of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contents {
    /// A run, see [`crate::archive::run_dir`].
    Run,
    /// The values of a run, see [`crate::archive::values`].
    Values,
    /// The scores of a game, see [`crate::archive::scores`].
    Scores,
    /// Tables of the sectors of a morris game.
    Sectors,
    /// Sectors of a morris game, solved as sets.
    SectorSets,
    /// Solved sectors of a morris game in compressed form.
    PackedSectors,
    /// Ranges of values of early positions of a morris game.
    Bounds,
}

impl Contents {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Run,
        Self::Values,
        Self::Scores,
        Self::Sectors,
        Self::SectorSets,
        Self::PackedSectors,
        Self::Bounds,
    ];

    /// Returns the file name of the manifest.
    pub fn manifest(self) -> &'static str {
        match self {
            Self::Run => "manifest.json",
            Self::Values => "values.json",
            Self::Scores => "scores.json",
            Self::Sectors => "sectors.json",
            Self::SectorSets => "sector-sets.json",
            Self::PackedSectors => "packed.json",
            Self::Bounds => "bounds.json",
        }
    }

    /// Returns the version of the format that this program writes, which is the only one that it reads.
    pub fn version(self) -> u32 {
        match self {
            Self::Run => 4,
            Self::Values | Self::Scores | Self::Sectors | Self::SectorSets | Self::PackedSectors => 2,
            Self::Bounds => 1,
        }
    }

    /// Returns the name of the kind in the manifest.
    fn tag(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Values => "values",
            Self::Scores => "scores",
            Self::Sectors => "sectors",
            Self::SectorSets => "sector sets",
            Self::PackedSectors => "packed sectors",
            Self::Bounds => "bounds",
        }
    }

    /// Returns the path of the manifest in the directory `path`.
    pub fn file(self, path: &Path) -> PathBuf {
        path.join(self.manifest())
    }

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

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Run => "a run",
            Self::Values => "values",
            Self::Scores => "scores",
            Self::Sectors => "sectors",
            Self::SectorSets => "sectors as sets",
            Self::PackedSectors => "packed sectors",
            Self::Bounds => "bounds of early positions",
        })
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
pub(super) fn look(path: &Path) -> std::result::Result<Option<Contents>, (Contents, io::Error)> {
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

pub(super) fn other_contents(path: &Path, found: Option<Contents>, expected: Contents) -> Error {
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

fn digest_of(document: &Value) -> serde_json::Result<String> {
    Ok(blake3::hash(&serde_json::to_vec(document)?).to_hex().to_string())
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
    let corrupt = |reason: String| Error::corrupt(file, reason);
    let text = disk::read(file).map_err(|e| Error::io(file, e))?;
    let mut document: Value = serde_json::from_slice(&text).map_err(|e| match e.is_eof() {
        true => corrupt("it is truncated".into()),
        false => corrupt(format!("it is not valid JSON: {e}")),
    })?;
    let supported = kind.version();
    match document.get(VERSION).and_then(Value::as_u64) {
        Some(found) if found != u64::from(supported) => {
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return Err(Error::WrongVersion { path: file.into(), found, supported });
        }
        Some(_) => {}
        None => return Err(corrupt(format!("missing {VERSION}"))),
    }
    let mut take = |field: &str| document.as_object_mut().and_then(|fields| fields.remove(field));
    let stored = take(DIGEST);
    let found = digest_of(&document).map_err(|e| corrupt(e.to_string()))?;
    if stored.as_ref().and_then(Value::as_str) != Some(&found) {
        return Err(corrupt("its contents do not match its digest: the file was changed".into()));
    }
    let mut take = |field: &str| document.as_object_mut().and_then(|fields| fields.remove(field));
    take(VERSION);
    if take(KIND).as_ref().and_then(Value::as_str) != Some(kind.tag()) {
        return Err(corrupt(format!("it is not a manifest of {kind}")));
    }
    serde_json::from_value(document).map_err(|e| corrupt(e.to_string()))
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
