//! Manifests: the document that says what a directory holds, sealed by its own digest, with a version.
//!
//! Every kind of directory has one manifest with a name of its own, so that a look at the names says what a directory is, and
//! nothing is written into a directory that holds something else.
//!
//! Invariants: a manifest is replaced as a whole, after every file that it names is on disk. What [`read`] returns is what
//! [`write`] was given; only white space may differ.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nerode_dfa::disk;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::archive::files::{remove_abandoned, write_bytes_atomic};
use crate::error::{Error, Result};

/// Field that holds the digest of the others.
const DIGEST: &str = "blake3";
/// Field that holds the version of the format.
pub(super) const VERSION: &str = "format_version";
/// Field that says what the directory holds.
const KIND: &str = "kind";

/// What a directory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contents {
    /// A run: see [`crate::archive::run_dir`].
    Run,
    /// Values of a run: see [`crate::archive::values`].
    Values,
    /// Scores of a game: see [`crate::archive::scores`].
    Scores,
    /// Tables of sectors of a morris game.
    Sectors,
    /// Sectors of a morris game, solved as sets.
    SectorSets,
    /// Solved sectors of a morris game in few bytes.
    PackedSectors,
    /// Ranges of values of early positions of a morris game.
    Bounds,
}

impl Contents {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Run,
        Self::Values,
        Self::Scores,
        Self::Sectors,
        Self::SectorSets,
        Self::PackedSectors,
        Self::Bounds,
    ];

    /// File name of the manifest.
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

    /// The version of the format that this program writes, the only one it reads.
    pub fn version(self) -> u32 {
        match self {
            Self::Run => 4,
            Self::Values | Self::Scores | Self::Sectors | Self::SectorSets | Self::PackedSectors => 2,
            Self::Bounds => 1,
        }
    }

    /// How the manifest says it.
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

    /// The manifest's path in the directory `path`.
    pub fn file(self, path: &Path) -> PathBuf {
        path.join(self.manifest())
    }

    /// Whether the directory `path` has a manifest of this kind. Where the system cannot say, as it is forbidden or the disk
    /// fails, it counts as there: then it is read, which says what is wrong, and is not written anew.
    pub fn is_in(self, path: &Path) -> bool {
        self.looked_for(path).unwrap_or(true)
    }

    fn looked_for(self, path: &Path) -> io::Result<bool> {
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

/// What the directory `path` holds; `None` for one that this library did not write, and for one that does not exist.
///
/// # Examples
/// ```
/// let dir = std::env::temp_dir().join("nerode-doc-no-such-directory");
/// assert_eq!(nerode_solver::archive::kind_of(&dir), None);
/// ```
pub fn kind_of(path: &Path) -> Option<Contents> {
    look(path).unwrap_or_else(|(kind, _)| Some(kind))
}

/// What the directory `path` holds for certain. Else, where the system cannot say, what it may hold and what the system says.
pub(super) fn look(path: &Path) -> std::result::Result<Option<Contents>, (Contents, io::Error)> {
    let mut unknown = None;
    for kind in Contents::ALL {
        match kind.looked_for(path) {
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
    let found = found.map_or_else(|| "nothing of nerode's".into(), |found| found.to_string());
    Error::OtherContents { path: path.into(), found, expected: expected.to_string() }
}

/// Refuses a file, and what is not there.
///
/// # Errors
/// [`Error::Io`].
pub fn must_be_directory(path: &Path) -> Result<()> {
    let refuse = |kind, reason: &str| Err(Error::io(path, io::Error::new(kind, reason)));
    match disk::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => refuse(io::ErrorKind::NotADirectory, "this is a file, not a directory"),
        Err(_) => refuse(io::ErrorKind::NotFound, "there is no such directory"),
    }
}

/// The document of contents, without its digest. Its keys are in alphabetical order, whatever the order of the fields.
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

/// The digest of contents, by which other manifests name this one. Cost: one pass.
///
/// # Errors
/// [`Error::Corrupt`] for contents that JSON cannot hold; `file` is named then.
pub(crate) fn digest<T: Serialize>(file: &Path, kind: Contents, contents: &T) -> Result<String> {
    let digest = document(kind, contents).and_then(|document| digest_of(&document));
    digest.map_err(|e| Error::corrupt(file, e.to_string()))
}

/// Writes the manifest `file`, whole or not at all, and removes what killed writers of it have left.
///
/// # Errors
/// [`Error::Io`]; [`Error::Corrupt`] as for [`digest`].
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
    // What a killed writer has left costs room alone, so it may stay where it cannot be removed.
    let _ = remove_abandoned(file);
    write_bytes_atomic(file, &text().map_err(|e| Error::corrupt(file, e.to_string()))?)
}

/// The manifest of the directory `path`.
///
/// # Errors
/// [`Error::OtherContents`] when it has none of that kind; [`Error::Io`] where there is no directory; otherwise as [`read`].
pub fn read_from<T: DeserializeOwned>(path: &Path, kind: Contents) -> Result<T> {
    if !kind.is_in(path) {
        return Err(other_contents(path, kind_of(path), kind));
    }
    read(&kind.file(path), kind)
}

/// The contents of the manifest `file`, if it has the version of this program and its own digest.
///
/// # Errors
/// [`Error::Io`]; [`Error::WrongVersion`]; [`Error::Corrupt`].
pub fn read<T: DeserializeOwned>(file: &Path, kind: Contents) -> Result<T> {
    let corrupt = |reason: String| Error::corrupt(file, reason);
    let text = disk::read(file).map_err(|e| Error::io(file, e))?;
    let mut document: Value = serde_json::from_slice(&text).map_err(|e| match e.is_eof() {
        true => corrupt("it is cut short".into()),
        false => corrupt(format!("it is no JSON: {e}")),
    })?;
    let supported = kind.version();
    match document.get(VERSION).and_then(Value::as_u64) {
        Some(found) if found != u64::from(supported) => {
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return Err(Error::WrongVersion { path: file.into(), found, supported });
        }
        Some(_) => {}
        None => return Err(corrupt(format!("no {VERSION}"))),
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
        return Err(corrupt(format!("it is no manifest of {kind}")));
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
