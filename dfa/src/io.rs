//! The automaton file: versioned, checksummed, its bytes a function of the language alone (for one version of zstd).
//!
//! ```text
//! magic "NERODFA\n" | version u32 | number of layers u32 | letters of each layer u16 | root u32 |
//! per layer its block, the transitions (`block.rs`), where 0 is reject and 1 accept |
//! BLAKE3 of everything before it, 32 bytes                                  (all numbers little-endian)
//! ```
//!
//! Reading checks everything that the format promises, canonical numbering and minimality included, so that a file that
//! reads is an automaton whose equality with another can be decided by comparing tables.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::automaton::Dfa;
use crate::block::{put_layers, take_layers};
use crate::error::{Error, Result};
use crate::frame::{Format, Parsed, corrupt, seal};
use crate::unique::{ACCEPT, FIRST, REJECT};

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 2;

const FORMAT: Format = Format { magic: b"NERODFA\n", version: FORMAT_VERSION, name: "an automaton" };

impl Dfa {
    /// The bytes of the automaton file. Cost: one pass over the transitions.
    ///
    /// # Errors
    /// [`Error::Io`] when compression fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = FORMAT.begin(self.shape());
        out.extend_from_slice(&self.raw_root().to_le_bytes());
        put_layers(&mut out, self.shape(), FIRST, |layer| Cow::Borrowed(self.raw_rows(layer)))?;
        Ok(seal(out))
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
        decode_file(bytes).map_err(|problem| FORMAT.error(problem, path))
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(bytes)?;
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

fn decode_file(bytes: &[u8]) -> Parsed<Dfa> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let root = cursor.u32()?;
    let num_roots = match root {
        REJECT | ACCEPT => 0,
        FIRST => 1,
        _ => return corrupt("the root is not numbered first"),
    };
    let layers = take_layers(cursor, &shape, FIRST, num_roots)?;
    Ok(Dfa::from_canonical(shape, root, layers))
}
