//! Plans in files.
//!
//! ```text
//! magic "NERPLAN\n" | version u32 | number of layers u32 | letters of each layer u16 | fingerprint of the job, 32 bytes |
//! the cut u32 | per layer before it: number of targets u32, the targets u32 |
//! number of words u32, the words of all keys u32 | number of keys u32, the end of each key's words u32 |
//! number of units u32, the first key after each unit u32 | BLAKE3 of everything before it, 32 bytes
//!                                                                                  (all numbers little-endian)
//! ```

use std::io::Write;
use std::path::Path;

use crate::atomic::write_atomic;
use crate::disk;
use crate::error::{Error, Result};
use crate::frame::{Cursor, FileFormat, Hashing, Parsed, corrupt, unwritten};
use crate::unique::FIRST;

use super::fingerprint::Fingerprint;
use super::plan::Plan;

const FORMAT: FileFormat = FileFormat { magic: b"NERPLAN\n", version: 1, name: "a unit-plan" };

impl Plan {
    /// Returns the bytes of the plan's file, excluding the digest.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = FORMAT.begin(&self.shape);
        bytes.extend_from_slice(&self.fingerprint);
        let mut put = |numbers: &[u32]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        put(&[self.cut as u32]);
        for numbers in self.top.iter().chain([&self.words, &self.ends, &self.units]) {
            put(&[numbers.len() as u32]);
            put(numbers);
        }
        bytes
    }

    /// Writes the plan to `path`, first under a temporary name that is renamed after the data has been synced to the
    /// disk. Returns the number of bytes written.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if writing fails; in this case, no partial file remains under either name.
    pub fn write(&self, path: &Path) -> Result<u64> {
        let io = |e| Error::io(path, e);
        write_atomic(path, io, |out| {
            let mut out = Hashing::new(out);
            out.write_all(&self.to_bytes()).map_err(unwritten).map_err(|e| e.at(path))?;
            out.finish().map(|(_, written)| written.bytes).map_err(io)
        })
    }

    /// Reads a plan and verifies everything that the format guarantees.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        parse(&bytes).map_err(|problem| FORMAT.error(problem, path))
    }
}

fn parse(bytes: &[u8]) -> Parsed<Plan> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.copy_from_slice(cursor.take(size_of::<Fingerprint>())?);
    let cut = cursor.u32()? as usize;
    if cut == 0 || cut >= shape.num_layers() {
        return corrupt("the cut must lie after the first layer and before the end of the words");
    }
    let top = (0..cut).map(|_| numbers(&mut cursor)).collect::<Parsed<Vec<_>>>()?;
    let [words, ends, units] = [numbers(&mut cursor)?, numbers(&mut cursor)?, numbers(&mut cursor)?];
    if !cursor.is_empty() {
        return corrupt("unexpected bytes after the last unit");
    }
    let parts = |ends: &[u32], all: usize| {
        ends.is_sorted_by(|a, b| a < b) && ends.last().map_or(0, |&last| last as usize) == all
    };
    if !parts(&ends, words.len()) || !parts(&units, ends.len()) {
        return corrupt("the ends of the keys or units are inconsistent");
    }
    for (layer, rows) in top.iter().enumerate() {
        let (letters, next) = (shape.num_letters(layer), top.get(layer + 1));
        let states = next.map_or(ends.len(), |next| next.len() / shape.num_letters(layer + 1));
        let leads = |&target: &u32| (target as usize) < FIRST as usize + states;
        if rows.len() % letters != 0 || layer == 0 && rows.len() != letters || !rows.iter().all(leads) {
            return corrupt(format!("layer {layer}: a transition leads to a state that does not exist"));
        }
    }
    Ok(Plan::new(shape, fingerprint, top, (words, ends), units))
}

/// Reads a count as u32, followed by that many numbers as u32.
pub(super) fn numbers(cursor: &mut Cursor<'_>) -> Parsed<Vec<u32>> {
    let count = cursor.u32()? as usize;
    let bytes = cursor.take(count.saturating_mul(4))?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}
