//! Files as listed in manifests, with length and digest, so that changes to a file are detected.

use std::path::Path;

#[cfg(feature = "engine")]
use nerode_dfa::Written;
#[cfg(feature = "engine")]
use nerode_dfa::disk::{self, File};
use nerode_games::grouped;
use serde::{Deserialize, Serialize};

#[cfg(feature = "engine")]
use super::files::write_bytes_atomic;
use crate::error::{Error, Result};
#[cfg(feature = "engine")]
use crate::solve::disk::Disk;

/// The length and digest of a file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoredFile {
    /// The size in bytes.
    pub(crate) bytes: u64,
    /// The BLAKE3 digest in hexadecimal.
    pub(crate) blake3: String,
}

#[cfg(feature = "engine")]
impl From<Written> for StoredFile {
    fn from(written: Written) -> Self {
        Self { bytes: written.bytes, blake3: written.blake3.to_hex().to_string() }
    }
}

impl StoredFile {
    /// Returns the size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the BLAKE3 digest of the file in hexadecimal.
    pub fn blake3(&self) -> &str {
        &self.blake3
    }

    /// Creates the entry of a file with this size and digest.
    pub fn of(bytes: u64, blake3: blake3::Hash) -> Self {
        Self { bytes, blake3: blake3.to_hex().to_string() }
    }

    /// Returns the bytes that were read from `path`, if they are those of the file as it was written.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`].
    pub fn checked(&self, bytes: Vec<u8>, path: &Path) -> Result<Vec<u8>> {
        if bytes.len() as u64 == self.bytes && blake3::hash(&bytes).to_hex().as_str() == self.blake3 {
            return Ok(bytes);
        }
        Err(Error::corrupt(path, "its digest differs from the one in the manifest: the file was changed"))
    }

    /// Returns an error unless a file at `path` of `bytes` bytes can be the one that was written.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`].
    pub fn must_have(&self, bytes: u64, path: &Path) -> Result<()> {
        if bytes == self.bytes {
            return Ok(());
        }
        let [has, instead] = [bytes, self.bytes].map(|bytes| grouped(bytes.into()));
        let reason = format!("it has {has} bytes instead of {instead}: it is truncated or was changed");
        Err(Error::corrupt(path, reason))
    }
}

/// # Files on disk
#[cfg(feature = "engine")]
impl StoredFile {
    /// Writes `bytes` to `path` atomically.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::DiskFull`].
    pub fn write(path: &Path, bytes: &[u8]) -> Result<Self> {
        Disk::default().must_hold(path, bytes.len() as u64)?;
        write_bytes_atomic(path, bytes)?;
        Ok(Self { bytes: bytes.len() as u64, blake3: blake3::hash(bytes).to_hex().to_string() })
    }

    /// Returns `true` if the file at `path` exists and is unchanged since it was written. *Cost*: reads the file unless
    /// its length already differs.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if an existing file cannot be read.
    pub fn is_whole(&self, path: &Path) -> Result<bool> {
        match disk::metadata(path) {
            Ok(found) if found.is_file() && found.len() == self.bytes => {}
            Ok(_) => return Ok(false),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(e) => return Err(Error::io(path, e)),
        }
        let mut hasher = blake3::Hasher::new();
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        hasher.update_reader(file).map_err(|e| Error::io(path, e))?;
        Ok(hasher.finalize().to_hex().as_str() == self.blake3)
    }

    /// Returns an error if the file at `path` is missing or was changed.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::Io`].
    pub(crate) fn must_be_whole(&self, path: &Path) -> Result<()> {
        if self.is_whole(path)? {
            return Ok(());
        }
        Err(Error::corrupt(path, "it is missing or was changed"))
    }

    /// Reads the file at `path` and verifies that it is unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::Corrupt`].
    pub fn read(&self, path: &Path) -> Result<Vec<u8>> {
        self.checked(disk::read(path).map_err(|e| Error::io(path, e))?, path)
    }
}
