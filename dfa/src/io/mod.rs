//! The automaton file, which is versioned and has a checksum. Its bytes depend only on the language (for one version of
//! zstd).
//!
//! ```text
//! magic "NERODFA\n" | version u32 | number of layers u32 | letters of each layer u16 | root u32 |
//! per layer its block, the transitions (`block.rs`), where 0 is reject and 1 accept |
//! BLAKE3 of everything before it, 32 bytes                                  (all numbers little-endian)
//! ```
//!
//! Reading a file verifies everything that the format guarantees, including canonical numbering and minimality. Two
//! automata that were read can therefore be compared by comparing their tables.

mod by_layer;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use crate::atomic::write_atomic;
use crate::automaton::Dfa;
use crate::block::{decompress, put_layers, take_layers};
use crate::disk;
use crate::error::{Error, Result};
use crate::frame::{FileFormat, Hashing, Parsed, Written, corrupt, unwritten};
use crate::unique::{ACCEPT, FIRST, REJECT};

const FORMAT: FileFormat =
    FileFormat { magic: b"NERODFA\n", version: Dfa::FORMAT_VERSION, name: "an automaton" };

/// # Files
impl Dfa {
    /// The version of the format that this program writes, which is also the only version it reads.
    pub const FORMAT_VERSION: u32 = 2;

    /// Writes the automaton file to `out`. `path` is used only in error messages.
    ///
    /// Cost: one pass over the transitions, and the memory of as many layers as the pool has threads.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if writing or compression fails.
    pub fn write_to(&self, out: impl Write, path: &Path) -> Result<Written> {
        self.put(out).map(|(_, written)| written).map_err(|e| e.at(path))
    }

    fn put<W: Write>(&self, out: W) -> Result<(W, Written)> {
        let mut out = Hashing::new(out);
        let mut head = FORMAT.begin(self.shape());
        head.extend_from_slice(&self.raw_root().to_le_bytes());
        out.write_all(&head).map_err(unwritten)?;
        put_layers(&mut out, self.shape(), FIRST, |layer| Cow::Borrowed(self.raw_rows(layer)))?;
        out.finish().map_err(unwritten)
    }

    /// Returns the bytes of the automaton file.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if compression fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.put(Vec::new()).map(|(bytes, _)| bytes)
    }

    /// Writes the automaton to `path`, first under a temporary name that is renamed after the data has been synced to
    /// the disk. Returns the number of bytes written.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if writing fails; in this case, no partial file remains under either name.
    pub fn write(&self, path: &Path) -> Result<u64> {
        let io = |e| Error::io(path, e);
        write_atomic(path, io, |out| self.put(out).map_err(|e| e.at(path)).map(|(_, written)| written.bytes))
    }

    /// Reads an automaton file and verifies everything that the format guarantees.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads an automaton from bytes in memory, like [`Dfa::read`]. `path` is used only in error messages.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::Version`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        decode_file(bytes).map_err(|problem| FORMAT.error(problem, path))
    }
}

/// Returns the number of states of the first layer.
fn num_roots(root: u32) -> Parsed<usize> {
    match root {
        REJECT | ACCEPT => Ok(0),
        FIRST => Ok(1),
        _ => corrupt("the root is not the first state"),
    }
}

fn decode_file(bytes: &[u8]) -> Parsed<Dfa> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let root = cursor.u32()?;
    let num_roots = num_roots(root)?;
    let layers = take_layers(cursor, &shape, FIRST, num_roots, decompress)?;
    Ok(Dfa::from_canonical(shape, root, layers))
}
