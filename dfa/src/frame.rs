//! What the two binary formats share: magic, version and digest around a body, the shape, varints, compressed blocks.
//!
//! Invariant: nothing that a file claims is believed or reserved before the digest, or the bytes themselves, bear it out.

use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};
use crate::shape::Shape;

const DIGEST_BYTES: usize = 32;
const ZSTD_LEVEL: i32 = 3;
/// A 32-bit number takes at most this many bytes.
const MOST_VARINT_BYTES: u64 = 5;

/// What sets one format apart from another.
pub(crate) struct Format {
    pub(crate) magic: &'static [u8; 8],
    /// The version written, the only one read.
    pub(crate) version: u32,
    /// What a file of the format is called in errors.
    pub(crate) name: &'static str,
}

/// Why bytes are not a file of a format.
pub(crate) enum Problem {
    Version(u32),
    Corrupt(String),
}

pub(crate) type Parsed<T> = std::result::Result<T, Problem>;

pub(crate) fn corrupt<T>(reason: impl Into<String>) -> Parsed<T> {
    Err(Problem::Corrupt(reason.into()))
}

impl Format {
    /// Magic, version and shape: how every file begins.
    pub(crate) fn begin(&self, shape: &Shape) -> Vec<u8> {
        let mut out = self.magic.to_vec();
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&(shape.num_layers() as u32).to_le_bytes());
        for &k in shape.alphabets() {
            out.extend_from_slice(&k.to_le_bytes());
        }
        out
    }

    /// The body of a file whose magic, version and digest are right.
    pub(crate) fn open<'a>(&self, bytes: &'a [u8]) -> Parsed<Cursor<'a>> {
        let mut cursor = Cursor(bytes);
        if cursor.take(self.magic.len()).ok() != Some(self.magic.as_slice()) {
            return corrupt(format!("not {} file", self.name));
        }
        let version = cursor.u32()?;
        if version != self.version {
            return Err(Problem::Version(version));
        }
        if bytes.len() < DIGEST_BYTES {
            return corrupt("the file is truncated");
        }
        let (body, digest) = bytes.split_at(bytes.len() - DIGEST_BYTES);
        if blake3::hash(body).as_bytes() != digest {
            return corrupt("checksum mismatch: the file is damaged or truncated");
        }
        Ok(Cursor(&body[self.magic.len() + 4..]))
    }

    /// The error of a file in `path` that could not be parsed.
    pub(crate) fn error(&self, problem: Problem, path: &Path) -> Error {
        match problem {
            Problem::Version(found) => Error::Version { path: path.into(), found, expected: self.version },
            Problem::Corrupt(reason) => Error::Corrupt { path: path.into(), reason },
        }
    }
}

/// Appends the digest of what was written so far.
pub(crate) fn seal(mut out: Vec<u8>) -> Vec<u8> {
    let digest = blake3::hash(&out);
    out.extend_from_slice(digest.as_bytes());
    out
}

/// Appends one layer: its number of states, the bytes of its block, the block.
pub(crate) fn put_block(out: &mut Vec<u8>, num_states: usize, coded: &[u8]) -> Result<()> {
    let failed = |e| Error::io("automaton in memory", e);
    let block = zstd::bulk::compress(coded, ZSTD_LEVEL).map_err(failed)?;
    let length = u32::try_from(block.len())
        .map_err(|_| failed(std::io::Error::other("a layer takes more than 4 GiB")))?;
    out.extend_from_slice(&(num_states as u32).to_le_bytes());
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&block);
    Ok(())
}

pub(crate) fn put_varint(out: &mut Vec<u8>, mut x: u32) {
    while x >= 0x80 {
        out.push(x as u8 | 0x80);
        x >>= 7;
    }
    out.push(x as u8);
}

/// Bytes read front to back.
pub(crate) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, n: usize) -> Parsed<&'a [u8]> {
        if n > self.0.len() {
            return corrupt("the file is truncated");
        }
        let (head, tail) = self.0.split_at(n);
        self.0 = tail;
        Ok(head)
    }

    pub(crate) fn u16(&mut self) -> Parsed<u16> {
        Ok(self.take(2)?.iter().rev().fold(0, |x, &b| x << 8 | u16::from(b)))
    }

    pub(crate) fn u32(&mut self) -> Parsed<u32> {
        Ok(self.take(4)?.iter().rev().fold(0, |x, &b| x << 8 | u32::from(b)))
    }

    pub(crate) fn varint(&mut self) -> Parsed<u32> {
        let mut x = 0u32;
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?[0];
            let part = u32::from(byte & 0x7F);
            // A last byte of zero adds nothing: the same number has a shorter code, and equal contents equal bytes.
            if shift == 28 && part > 0xF || shift > 0 && byte == 0 {
                break;
            }
            x |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(x);
            }
        }
        corrupt("a number is coded with too many bytes")
    }

    pub(crate) fn shape(&mut self) -> Parsed<Shape> {
        let num_layers = self.u32()? as usize;
        let alphabets: Vec<u16> =
            (0..num_layers.min(Shape::MAX_LAYERS + 1)).map(|_| self.u16()).collect::<Parsed<_>>()?;
        Shape::new(alphabets).map_err(|e| Problem::Corrupt(e.to_string()))
    }

    /// The decompressed block that comes next, for `numbers` numbers.
    pub(crate) fn block(&mut self, numbers: usize) -> Parsed<Vec<u8>> {
        let bytes = self.u32()? as usize;
        let block = self.take(bytes)?;
        // Read as a stream: what a crafted header claims is not reserved in advance.
        let limit = numbers as u64 * MOST_VARINT_BYTES;
        let mut coded = Vec::new();
        zstd::stream::read::Decoder::new(block)
            .and_then(|decoder| decoder.take(limit + 1).read_to_end(&mut coded))
            .or_else(|e| corrupt(format!("a block does not decompress: {e}")))?;
        Ok(coded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_round_trip() {
        for x in [0, 1, 127, 128, 16383, 16384, u32::MAX - 1, u32::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, x);
            assert_eq!(Cursor(&bytes).varint().ok(), Some(x));
        }
    }
}
