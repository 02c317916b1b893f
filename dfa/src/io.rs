//! The automaton file: versioned, checksummed, its bytes a function of the language alone (for one version of zstd).
//!
//! ```text
//! magic "NERODFA\n" | version u32 | number of layers u32 | letters of each layer u16 | root u32 |
//! per layer: number of states u32, bytes of the coded block u32, coded block |
//! BLAKE3 of everything before it, 32 bytes                                  (all numbers little-endian)
//! ```
//! A block codes the transitions of a layer, state by state, letter by letter. Breadth-first numbering makes most targets
//! either constants or the next number never seen, so a target is coded as: 0 reject, 1 accept, 2 the next new state, else
//! 3 + distance back from the newest state; in base-128 varints, compressed with zstd.
//!
//! Reading checks everything that the format promises, canonical numbering and minimality included, so that a file that
//! reads is an automaton whose equality with another can be decided by comparing tables.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use hashbrown::HashSet;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, MAX_STATES};

const MAGIC: &[u8; 8] = b"NERODFA\n";
const DIGEST_BYTES: usize = 32;
const ZSTD_LEVEL: i32 = 3;

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

impl Dfa {
    /// The bytes of the automaton file. Cost: one pass over the transitions.
    ///
    /// # Errors
    /// [`Error::Io`] when compression fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let shape = self.shape();
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&(shape.num_layers() as u32).to_le_bytes());
        for &k in shape.alphabets() {
            out.extend_from_slice(&k.to_le_bytes());
        }
        out.extend_from_slice(&self.raw_root().to_le_bytes());
        for layer in 0..shape.num_layers() {
            let block = zstd::bulk::compress(&encode(self.raw_rows(layer)), ZSTD_LEVEL)
                .map_err(|e| Error::io("automaton in memory", e))?;
            out.extend_from_slice(&(self.num_states_in(layer) as u32).to_le_bytes());
            out.extend_from_slice(&(block.len() as u32).to_le_bytes());
            out.extend_from_slice(&block);
        }
        let digest = blake3::hash(&out);
        out.extend_from_slice(digest.as_bytes());
        Ok(out)
    }

    /// Writes the automaton to `path`: under a temporary name first, synced, then renamed. Returns the bytes written.
    ///
    /// # Errors
    /// [`Error::Io`]; nothing is left under either name then.
    pub fn write(&self, path: &Path) -> Result<u64> {
        let bytes = self.to_bytes()?;
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let written = write_synced(&temporary, &bytes).and_then(|()| std::fs::rename(&temporary, path));
        if let Err(e) = written {
            // The error that matters is the first one.
            let _ = std::fs::remove_file(&temporary);
            return Err(Error::io(path, e));
        }
        Ok(bytes.len() as u64)
    }

    /// Reads an automaton file and checks all that the format promises.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }

    /// As [`Dfa::read`], for bytes in memory; `path` names them in errors.
    ///
    /// # Errors
    /// [`Error::Corrupt`] or [`Error::Version`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        decode_file(bytes).map_err(|problem| match problem {
            Problem::Version(found) => Error::Version { path: path.into(), found, expected: FORMAT_VERSION },
            Problem::Corrupt(reason) => Error::Corrupt { path: path.into(), reason },
        })
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(bytes)?;
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

/// Why bytes are not an automaton file.
enum Problem {
    Version(u32),
    Corrupt(String),
}

fn corrupt<T>(reason: impl Into<String>) -> std::result::Result<T, Problem> {
    Err(Problem::Corrupt(reason.into()))
}

/// Varints of a layer's transitions, see the module page.
fn encode(rows: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(rows.len() + rows.len() / 2);
    let mut newest = ACCEPT;
    for &target in rows {
        let code = if target < FIRST {
            target
        } else if target == newest + 1 {
            newest = target;
            2
        } else {
            3 + (newest - target)
        };
        put_varint(&mut out, code);
    }
    out
}

fn put_varint(out: &mut Vec<u8>, mut x: u32) {
    while x >= 0x80 {
        out.push(x as u8 | 0x80);
        x >>= 7;
    }
    out.push(x as u8);
}

/// Bytes read front to back.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> std::result::Result<&'a [u8], Problem> {
        if n > self.0.len() {
            return corrupt("the file is truncated");
        }
        let (head, tail) = self.0.split_at(n);
        self.0 = tail;
        Ok(head)
    }

    fn u16(&mut self) -> std::result::Result<u16, Problem> {
        Ok(self.take(2)?.iter().rev().fold(0, |x, &b| x << 8 | u16::from(b)))
    }

    fn u32(&mut self) -> std::result::Result<u32, Problem> {
        Ok(self.take(4)?.iter().rev().fold(0, |x, &b| x << 8 | u32::from(b)))
    }

    fn varint(&mut self) -> std::result::Result<u32, Problem> {
        let mut x = 0u32;
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?[0];
            let part = u32::from(byte & 0x7F);
            // A last byte of zero adds nothing: the same number has a shorter code, and equal languages equal bytes.
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
}

fn decode_file(bytes: &[u8]) -> std::result::Result<Dfa, Problem> {
    let mut cursor = Cursor(bytes);
    if cursor.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
        return corrupt("not an automaton file");
    }
    let version = cursor.u32()?;
    if version != FORMAT_VERSION {
        return Err(Problem::Version(version));
    }
    if bytes.len() < DIGEST_BYTES {
        return corrupt("the file is truncated");
    }
    let (body, digest) = bytes.split_at(bytes.len() - DIGEST_BYTES);
    if blake3::hash(body).as_bytes() != digest {
        return corrupt("checksum mismatch: the file is damaged or truncated");
    }
    let mut cursor = Cursor(&body[MAGIC.len() + 4..]);
    let num_layers = cursor.u32()? as usize;
    let alphabets: Vec<u16> = (0..num_layers.min(Shape::MAX_LAYERS + 1))
        .map(|_| cursor.u16())
        .collect::<std::result::Result<_, _>>()?;
    let shape = Shape::new(alphabets).map_err(|e| Problem::Corrupt(e.to_string()))?;
    let root = cursor.u32()?;
    let mut expected = match root {
        0 | 1 => 0,
        FIRST => 1,
        _ => return corrupt("the root is not numbered first"),
    };
    let mut layers = Vec::with_capacity(num_layers);
    for layer in 0..num_layers {
        let num_states = cursor.u32()? as usize;
        if num_states != expected || num_states > MAX_STATES {
            return corrupt(format!("layer {layer} has {num_states} states, {expected} are reached"));
        }
        let block_bytes = cursor.u32()? as usize;
        let block = cursor.take(block_bytes)?;
        let rows = decode_layer(block, num_states, shape.letters(layer))?;
        expected = check_layer(&rows, shape.letters(layer), layer + 1 == num_layers)
            .map_err(|reason| Problem::Corrupt(format!("layer {layer}: {reason}")))?;
        layers.push(rows);
    }
    if !cursor.0.is_empty() {
        return corrupt("bytes after the last layer");
    }
    Ok(Dfa::from_canonical(shape, root, layers))
}

fn decode_layer(block: &[u8], num_states: usize, letters: usize) -> std::result::Result<Vec<u32>, Problem> {
    // A 32-bit target takes at most five bytes. Read as a stream: what a crafted header claims is not reserved in advance.
    let limit = (num_states * letters) as u64 * 5;
    let mut coded = Vec::new();
    zstd::stream::read::Decoder::new(block)
        .and_then(|decoder| decoder.take(limit + 1).read_to_end(&mut coded))
        .or_else(|e| corrupt(format!("a block does not decompress: {e}")))?;
    let mut cursor = Cursor(&coded);
    let mut newest = ACCEPT;
    let mut rows = Vec::with_capacity(coded.len().min(num_states * letters));
    for _ in 0..num_states * letters {
        rows.push(match cursor.varint()? {
            code @ (0 | 1) => code,
            2 => {
                newest += 1;
                newest
            }
            code if newest >= FIRST && code - 3 <= newest - FIRST => newest - (code - 3),
            _ => return corrupt("a transition leads before the first state"),
        });
    }
    if !cursor.0.is_empty() {
        return corrupt("a block is longer than its layer");
    }
    Ok(rows)
}

/// Number of states that the rows of a layer reach in the next, if the layer is minimal.
fn check_layer(rows: &[u32], letters: usize, last: bool) -> std::result::Result<usize, &'static str> {
    let newest = rows.iter().copied().max().unwrap_or(ACCEPT).max(ACCEPT);
    if last && newest > ACCEPT {
        return Err("a transition leads past the last layer");
    }
    let mut seen = HashSet::with_capacity(rows.len() / letters);
    for row in rows.chunks(letters) {
        if row[0] <= ACCEPT && row.iter().all(|&t| t == row[0]) {
            return Err("a state is constant");
        }
        if !seen.insert(row) {
            return Err("two states are equal");
        }
    }
    Ok((newest - ACCEPT) as usize)
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
