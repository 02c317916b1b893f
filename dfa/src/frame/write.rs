//! Writing of the common frame: the beginning of a file, and its digest.

use std::io::Write;

use super::FileFormat;
use crate::error::{Error, Result};
use crate::shape::Shape;

impl FileFormat {
    /// Creates the beginning of a file: magic, version and shape.
    pub(crate) fn begin(&self, shape: &Shape) -> Vec<u8> {
        let mut out = self.magic.to_vec();
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&(shape.num_layers() as u32).to_le_bytes());
        for &k in shape.alphabets() {
            out.extend_from_slice(&k.to_le_bytes());
        }
        out
    }
}

/// A writer that computes the digest of all bytes that pass through it and can append the digest at the end.
#[derive(Debug)]
pub struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// The size and digest of a file that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of bytes.
    pub bytes: u64,
    /// The BLAKE3 digest of all bytes.
    pub blake3: blake3::Hash,
}

impl<W: Write> Hashing<W> {
    /// Creates a writer that hashes everything written to `inner` from now on.
    pub fn new(inner: W) -> Self {
        Self { inner, hasher: blake3::Hasher::new(), bytes: 0 }
    }

    /// Appends the digest of everything written so far. Returns the total size, and a digest that includes the appended
    /// one.
    ///
    /// # Errors
    /// Returns the errors of the inner writer.
    pub fn finish(mut self) -> std::io::Result<(W, Written)> {
        let digest = *self.hasher.finalize().as_bytes();
        self.write_all(&digest)?;
        Ok((self.inner, Written { bytes: self.bytes, blake3: self.hasher.finalize() }))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.hasher.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

/// Converts an error of the writer.
pub(crate) fn unwritten(e: std::io::Error) -> Error {
    Error::io("automaton being written", e)
}

/// Appends the number of bytes, followed by the bytes.
pub(crate) fn put_counted(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    let too_long = |_| {
        Error::io("automaton in memory", std::io::Error::other("a part of a layer takes more than 4 GiB"))
    };
    let count = u32::try_from(bytes.len()).map_err(too_long)?;
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}
