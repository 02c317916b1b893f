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
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use hashbrown::HashSet;

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::frame::{Cursor, Format, Parsed, Problem, corrupt, put_block, put_varint, seal};
use crate::unique::{ACCEPT, FIRST, MAX_STATES};

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

const FORMAT: Format = Format { magic: b"NERODFA\n", version: FORMAT_VERSION, name: "an automaton" };

impl Dfa {
    /// The bytes of the automaton file. Cost: one pass over the transitions.
    ///
    /// # Errors
    /// [`Error::Io`] when compression fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = FORMAT.begin(self.shape());
        out.extend_from_slice(&self.raw_root().to_le_bytes());
        let blocks: Vec<Vec<u8>> = (0..self.shape().num_layers())
            .into_par_iter()
            .map(|layer| {
                let mut block = Vec::new();
                put_block(&mut block, self.num_states_in(layer), &encode(self.raw_rows(layer)))?;
                Ok(block)
            })
            .collect::<Result<_>>()?;
        blocks.iter().for_each(|block| out.extend_from_slice(block));
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

fn decode_file(bytes: &[u8]) -> Parsed<Dfa> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let root = cursor.u32()?;
    let mut expected = match root {
        0 | 1 => 0,
        FIRST => 1,
        _ => return corrupt("the root is not numbered first"),
    };
    let num_layers = shape.num_layers();
    let mut layers = Vec::with_capacity(num_layers);
    for layer in 0..num_layers {
        let num_states = cursor.u32()? as usize;
        if num_states != expected || num_states > MAX_STATES {
            return corrupt(format!("layer {layer} has {num_states} states, {expected} are reached"));
        }
        let coded = cursor.block(num_states * shape.letters(layer))?;
        let rows = decode_layer(&coded, num_states * shape.letters(layer))?;
        expected = check_layer(&rows, shape.letters(layer), layer + 1 == num_layers)
            .map_err(|reason| Problem::Corrupt(format!("layer {layer}: {reason}")))?;
        layers.push(rows);
    }
    if !cursor.is_empty() {
        return corrupt("bytes after the last layer");
    }
    Ok(Dfa::from_canonical(shape, root, layers))
}

fn decode_layer(coded: &[u8], transitions: usize) -> Parsed<Vec<u32>> {
    let mut cursor = Cursor::new(coded);
    let mut newest = ACCEPT;
    let mut rows = Vec::with_capacity(coded.len().min(transitions));
    for _ in 0..transitions {
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
    if !cursor.is_empty() {
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
