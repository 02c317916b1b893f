//! A file that is read in parts, so that it is never completely in memory.

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::{Cursor, DIGEST_BYTES, FileFormat, Parsed, corrupt};
use crate::disk::{self, File};
use crate::error::{Error, Result};

/// The body of a file whose magic, version and digest have been verified. It is read from front to back.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    format: FileFormat,
    path: &'a Path,
    file: BufReader<File>,
    left: u64,
}

impl<'a> Parts<'a> {
    /// Opens the file `path` at its body.
    ///
    /// Cost: the file is read once to verify its digest.
    ///
    /// # Errors
    /// Returns [`Error::Version`], [`Error::Corrupt`] or [`Error::Io`].
    pub(crate) fn open(format: FileFormat, path: &'a Path) -> Result<Self> {
        let io = |e| Error::io(path, e);
        let bytes = disk::metadata(path).map_err(io)?.len();
        let file = BufReader::new(File::open(path).map_err(io)?);
        let mut parts = Self { format, path, file, left: bytes };
        let head = format.magic.len() + size_of::<u32>();
        parts.parsed(head, |cursor| {
            *cursor = format.head(cursor.take(cursor.len())?)?;
            Ok(())
        })?;
        let head = head as u64;
        let Some(body) = bytes.checked_sub(DIGEST_BYTES as u64) else {
            return parts.refused("the file is truncated");
        };
        if !parts.has_digest(body).map_err(io)? {
            return parts.refused("checksum mismatch: the file is damaged or truncated");
        }
        let Some(left) = body.checked_sub(head) else {
            return parts.refused("the file is truncated");
        };
        parts.file.seek(SeekFrom::Start(head)).map_err(io)?;
        parts.left = left;
        Ok(parts)
    }

    /// Returns `true` if the first `bytes` bytes are followed by their digest.
    fn has_digest(&mut self, bytes: u64) -> std::io::Result<bool> {
        self.file.rewind()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader((&mut self.file).take(bytes))?;
        let mut digest = [0; DIGEST_BYTES];
        self.file.read_exact(&mut digest)?;
        Ok(hasher.finalize() == digest)
    }

    /// Returns `true` if no bytes remain.
    pub(crate) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Reads the next `n` bytes.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if fewer bytes remain, or [`Error::Io`].
    pub(crate) fn take(&mut self, n: usize) -> Result<Vec<u8>> {
        let Some(left) = self.left.checked_sub(n as u64) else {
            return self.refused("the file is truncated");
        };
        let mut bytes = vec![0; n];
        self.file.read_exact(&mut bytes).map_err(|e| Error::io(self.path, e))?;
        self.left = left;
        Ok(bytes)
    }

    /// Reads the next four bytes as a number.
    ///
    /// # Errors
    /// Returns the same errors as [`Parts::take`].
    pub(crate) fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(size_of::<u32>())?;
        self.checked(Cursor(&bytes).u32())
    }

    /// Reads a number of bytes, followed by the bytes themselves.
    ///
    /// # Errors
    /// Returns the same errors as [`Parts::take`].
    pub(crate) fn counted(&mut self) -> Result<Vec<u8>> {
        let count = self.u32()?;
        self.take(count as usize)
    }

    /// Parses the next bytes, where `parse` receives at most `most` bytes. Bytes that it does not consume are read
    /// again by the next call.
    ///
    /// # Errors
    /// Returns [`Error::Version`] or [`Error::Corrupt`] if `parse` reports a problem, or [`Error::Io`].
    pub(crate) fn parsed<T>(
        &mut self,
        most: usize,
        parse: impl FnOnce(&mut Cursor<'_>) -> Parsed<T>,
    ) -> Result<T> {
        let bytes = self.take(self.left.min(most as u64) as usize)?;
        let mut cursor = Cursor(&bytes);
        let parsed = self.checked(parse(&mut cursor))?;
        let unused = cursor.len() as i64;
        self.file.seek_relative(-unused).map_err(|e| Error::io(self.path, e))?;
        self.left += unused as u64;
        Ok(parsed)
    }

    /// Converts the problem of a parsing result to an error.
    ///
    /// # Errors
    /// Returns [`Error::Version`] or [`Error::Corrupt`].
    pub(crate) fn checked<T>(&self, parsed: Parsed<T>) -> Result<T> {
        parsed.map_err(|problem| self.format.error(problem, self.path))
    }

    fn refused<T>(&self, reason: &str) -> Result<T> {
        self.checked(corrupt(reason))
    }
}
