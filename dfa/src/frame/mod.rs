//! The common frame of the binary formats: magic, version and digest around a body that is read from front to back.
//!
//! Invariant: a claim in a file is not trusted, and no memory is reserved for it, before the digest or the data itself
//! confirms it.

#[cfg(feature = "engine")]
mod parts;
#[cfg(feature = "engine")]
mod write;

use std::path::Path;

#[cfg(feature = "engine")]
pub(crate) use parts::Parts;
#[cfg(feature = "engine")]
pub use write::{Hashing, Written};
#[cfg(feature = "engine")]
pub(crate) use write::{put_counted, unwritten};

use crate::error::Error;
use crate::shape::Shape;

const DIGEST_BYTES: usize = 32;

/// A binary file format: magic, version as u32, a body, and the BLAKE3 digest of everything before it.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// The first bytes of every file.
    pub magic: &'static [u8; 8],
    /// The version that is written, which is also the only version that is read.
    pub version: u32,
    /// The name of a file of this format in error messages, with its article.
    pub name: &'static str,
}

/// The reason why bytes are not a valid file of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file has this other version.
    Version(u32),
    /// The file is damaged or has another format, for this reason.
    Corrupt(String),
}

/// The result of parsing, or the problem that was found.
pub type Parsed<T> = std::result::Result<T, Problem>;

impl From<Problem> for String {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Version(found) => format!("format version {found}"),
            Problem::Corrupt(reason) => reason,
        }
    }
}

impl Problem {
    /// Adds the number of the layer to the problem.
    pub(crate) fn in_layer(self, layer: usize) -> Self {
        match self {
            Self::Corrupt(reason) => Self::Corrupt(format!("layer {layer}: {reason}")),
            version @ Self::Version(_) => version,
        }
    }
}

pub(crate) fn corrupt<T>(reason: impl Into<String>) -> Parsed<T> {
    Err(Problem::Corrupt(reason.into()))
}

impl FileFormat {
    /// Verifies the magic, version and digest of a file and returns its body.
    ///
    /// # Errors
    /// Returns [`Problem::Version`] for another version, and [`Problem::Corrupt`] for all other problems.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Parsed<Cursor<'a>> {
        self.head(bytes)?;
        if bytes.len() < DIGEST_BYTES {
            return corrupt("the file is truncated");
        }
        let (body, digest) = bytes.split_at(bytes.len() - DIGEST_BYTES);
        if blake3::hash(body).as_bytes() != digest {
            return corrupt("checksum mismatch: the file is damaged or truncated");
        }
        body.get(self.magic.len() + 4..)
            .map(Cursor)
            .ok_or_else(|| Problem::Corrupt("the file is truncated".into()))
    }

    /// Verifies magic and version, and returns the bytes that follow them. The digest is not checked.
    ///
    /// # Errors
    /// Returns the same errors as [`FileFormat::open`].
    pub fn head<'a>(&self, bytes: &'a [u8]) -> Parsed<Cursor<'a>> {
        let mut cursor = Cursor(bytes);
        if cursor.take(self.magic.len()).ok() != Some(self.magic.as_slice()) {
            return corrupt(format!("not {} file", self.name));
        }
        let version = cursor.u32()?;
        if version == self.version { Ok(cursor) } else { Err(Problem::Version(version)) }
    }

    /// Converts a problem to the error of the file at `path`.
    pub(crate) fn error(&self, problem: Problem, path: &Path) -> Error {
        match problem {
            Problem::Version(found) => Error::Version { path: path.into(), found, expected: self.version },
            Problem::Corrupt(reason) => Error::Corrupt { path: path.into(), reason },
        }
    }
}

/// A reader of bytes from front to back. Numbers are little-endian. Every method returns [`Problem::Corrupt`] if the
/// bytes end too early.
#[derive(Clone, Debug)]
pub struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns `true` if no bytes remain.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of remaining bytes.
    #[cfg(feature = "engine")]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Reads the next `n` bytes.
    ///
    /// # Errors
    /// Returns [`Problem::Corrupt`] if fewer bytes remain.
    pub fn take(&mut self, n: usize) -> Parsed<&'a [u8]> {
        let Some((head, tail)) = self.0.split_at_checked(n) else {
            return corrupt("the file is truncated");
        };
        self.0 = tail;
        Ok(head)
    }

    /// Reads the next byte.
    ///
    /// # Errors
    /// Returns [`Problem::Corrupt`] if no byte remains.
    pub fn u8(&mut self) -> Parsed<u8> {
        Ok(self.take(1)?[0])
    }

    /// Reads the next two bytes as a number.
    ///
    /// # Errors
    /// Returns [`Problem::Corrupt`] if fewer bytes remain.
    pub fn u16(&mut self) -> Parsed<u16> {
        Ok(self.take(2)?.iter().rev().fold(0, |x, &b| x << 8 | u16::from(b)))
    }

    /// Reads the next four bytes as a number.
    ///
    /// # Errors
    /// Returns [`Problem::Corrupt`] if fewer bytes remain.
    pub fn u32(&mut self) -> Parsed<u32> {
        Ok(self.take(4)?.iter().rev().fold(0, |x, &b| x << 8 | u32::from(b)))
    }

    pub(crate) fn shape(&mut self) -> Parsed<Shape> {
        let num_layers = self.u32()? as usize;
        let alphabets: Vec<u16> =
            (0..num_layers.min(Shape::MAX_LAYERS + 1)).map(|_| self.u16()).collect::<Parsed<_>>()?;
        Shape::new(alphabets).map_err(|e| Problem::Corrupt(e.to_string()))
    }

    /// Reads a number of bytes, followed by the bytes themselves.
    pub(crate) fn counted(&mut self) -> Parsed<&'a [u8]> {
        let count = self.u32()? as usize;
        self.take(count)
    }
}
