//! What table files of all versions have in common: the bytes before the codes, and the digest at the end.

use std::io::{Read, Seek, Write};
use std::path::Path;

use nerode_dfa::disk::File;

use nerode_games::grouped;

use super::{DIGEST_BYTES, MAGIC, PREFIX_BYTES};
use crate::archive::codec;
use crate::error::{Error, Result};

/// A table file of any version, read up to the end of its header.
pub(super) struct Opened {
    pub(super) file: File,
    /// The version of the format.
    pub(super) version: u32,
    /// The encoded header.
    pub(super) header: Vec<u8>,
    /// The length of the file in bytes.
    pub(super) bytes: u64,
}

impl Opened {
    /// Reads the prefix and the header of the file `path`, but does not interpret the header.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::OtherContents`] if the file is of another kind, or [`Error::Corrupt`] if it ends
    /// too early.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
        let bytes = file.metadata().map_err(|e| Error::io(path, e))?.len();
        let corrupt = |reason: String| Error::corrupt(path, reason);
        let mut first = Vec::with_capacity(MAGIC.len());
        Read::by_ref(&mut file)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut first)
            .map_err(|e| Error::io(path, e))?;
        if !MAGIC.starts_with(&first) {
            return Err(Error::OtherContents {
                path: path.into(),
                found: "another kind of file, which does not begin with NERODTBL".into(),
                expected: "a table of values".into(),
            });
        }
        file.rewind().map_err(|e| Error::io(path, e))?;
        if bytes < PREFIX_BYTES + DIGEST_BYTES {
            return Err(corrupt(format!(
                "{} bytes are too few for a table of values",
                grouped(bytes.into())
            )));
        }
        let mut prefix = [0; 16];
        file.read_exact(&mut prefix).map_err(|e| Error::io(path, e))?;
        let [.., v0, v1, v2, v3, l0, l1, l2, l3] = prefix;
        let version = u32::from_le_bytes([v0, v1, v2, v3]);
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        if u64::from(length) > bytes - PREFIX_BYTES - DIGEST_BYTES || length as usize > codec::MAX_BYTES {
            return Err(corrupt(format!(
                "a header of {length} bytes does not fit into the file: truncated or damaged"
            )));
        }
        let mut header = vec![0; length as usize];
        file.read_exact(&mut header).map_err(|e| Error::io(path, e))?;
        Ok(Self { file, version, header, bytes })
    }

    /// Returns the offset of the first byte after the header.
    pub(super) fn header_end(&self) -> u64 {
        PREFIX_BYTES + self.header.len() as u64
    }
}

/// Writes the bytes before the codes.
///
/// # Errors
/// Returns [`Error::Io`].
pub(super) fn put_prefix(out: &mut impl Write, path: &Path, version: u32, header: &[u8]) -> Result<()> {
    // The encoder produces at most one megabyte.
    let length = header.len() as u32;
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(|e| Error::io(path, e));
    put(MAGIC)?;
    put(&version.to_le_bytes())?;
    put(&length.to_le_bytes())?;
    put(header)
}
