//! Manifests: versioned documents that describe the contents of a directory and are protected by their own digest.
//!
//! Each kind of directory has one manifest with a unique file name, so that the file names alone identify the kind.
//! Nothing is written into a directory with other contents.
//!
//! Invariants: a manifest is always replaced as a whole, after all files that it names are on disk. [`read`] returns
//! exactly what [`write()`] was given; only white space may differ.

#[cfg(feature = "engine")]
pub(crate) mod directory;
mod in_folder;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};

#[cfg(feature = "engine")]
pub use directory::{kind_of, must_be_directory, read, read_from, write};
#[cfg(feature = "engine")]
pub(super) use directory::{look, other_contents};
pub use in_folder::read_in;

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
            Self::PackedSectors => 3,
            Self::Values | Self::Scores | Self::Sectors | Self::SectorSets => 2,
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

fn digest_of(document: &Value) -> serde_json::Result<String> {
    Ok(blake3::hash(&serde_json::to_vec(document)?).to_hex().to_string())
}

/// Parses the bytes of a manifest, and verifies its format version and its digest. Errors name `file`.
///
/// # Errors
/// Returns [`Error::WrongVersion`] or [`Error::Corrupt`].
pub fn parse<T: DeserializeOwned>(text: &[u8], file: &Path, kind: Contents) -> Result<T> {
    let corrupt = |reason: String| Error::corrupt(file, reason);
    let mut document: Value = serde_json::from_slice(text).map_err(|e| match e.is_eof() {
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
