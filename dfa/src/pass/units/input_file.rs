//! Inputs of units in files.
//!
//! ```text
//! magic "NERPART\n" | version u32 | number of layers u32 | letters of each layer u16 | the cut u32 |
//! digest of the plan, 32 bytes | number of the unit u32 | digest of the moves, 32 bytes | which moves u32 |
//! 1 where they are taken backward, else 0, u32 | 1 where the complement is moved, else 0, u32 | truth table u32 |
//! number of words u32, the words of all keys u32 | number of keys u32, the end of each key's words u32 |
//! number of sets u32, per set, the part of the one that is moved first, per layer from the cut on:
//!     number of targets u32, bytes of the zstd frame u64, the frame, which holds the targets u32 |
//! BLAKE3 of everything before it, 32 bytes                                         (all numbers little-endian)
//! ```

use std::io::Write;
use std::path::Path;

use crate::atomic::write_atomic;
use crate::automaton::Dfa;
use crate::disk;
use crate::error::{Error, Result};
use crate::formula::{Formula, MAX_SIDES};
use crate::frame::{Cursor, FileFormat, Hashing, Parsed, Problem, corrupt, unwritten};
use crate::shape::Shape;
use crate::unique::{FIRST, REJECT};

use super::super::Direction;
use super::fingerprint::Fingerprint;
use super::fragment_file::bytes_of;
use super::input::UnitInput;
use super::plan::Origin;
use super::plan_file::numbers;

const FORMAT: FileFormat = FileFormat { magic: b"NERPART\n", version: 1, name: "a unit-input" };
const ZSTD_LEVEL: i32 = 1;

impl UnitInput {
    /// Writes the input to the file `path`, first under a temporary name that is renamed after the data has been synced
    /// to the disk. Returns the number of bytes written.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if writing fails; in this case, no partial file remains under either name.
    pub fn write(&self, path: &Path) -> Result<u64> {
        let io = |e| Error::io(path, e);
        write_atomic(path, io, |out| self.put(out).map_err(|e| e.at(path)))
    }

    fn put(&self, out: impl Write) -> Result<u64> {
        let mut out = Hashing::new(out);
        let mut head = FORMAT.begin(self.shape());
        let put = |head: &mut Vec<u8>, numbers: &[u32]| head.extend_from_slice(&bytes_of(numbers));
        put(&mut head, &[self.origin.cut as u32]);
        head.extend_from_slice(&self.origin.plan);
        put(&mut head, &[self.origin.unit as u32]);
        head.extend_from_slice(&self.moves_are);
        let backward = u32::from(self.direction == Direction::Backward);
        put(&mut head, &[self.moves, backward, u32::from(self.complement), self.formula.table()]);
        for numbers in [&self.words, &self.ends] {
            put(&mut head, &[numbers.len() as u32]);
            put(&mut head, numbers);
        }
        put(&mut head, &[self.sets.len() as u32]);
        out.write_all(&head).map_err(unwritten)?;
        for set in &self.sets {
            for layer in self.origin.cut..self.shape().num_layers() {
                let rows = set.raw_rows(layer);
                let frame = zstd::bulk::compress(&bytes_of(rows), ZSTD_LEVEL).map_err(unwritten)?;
                out.write_all(&(rows.len() as u32).to_le_bytes()).map_err(unwritten)?;
                out.write_all(&(frame.len() as u64).to_le_bytes()).map_err(unwritten)?;
                out.write_all(&frame).map_err(unwritten)?;
            }
        }
        out.finish().map(|(_, written)| written.bytes).map_err(unwritten)
    }

    /// Reads an input from a file and verifies everything that the format guarantees.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        parse(&bytes).map_err(|problem| FORMAT.error(problem, path))
    }
}

fn parse(bytes: &[u8]) -> Parsed<UnitInput> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let cut = cursor.u32()? as usize;
    if cut >= shape.num_layers() {
        return corrupt("the cut lies after the last layer");
    }
    let plan = digest(&mut cursor)?;
    let unit = cursor.u32()? as usize;
    let moves_are = digest(&mut cursor)?;
    let moves = cursor.u32()?;
    let direction = if flag(&mut cursor)? { Direction::Backward } else { Direction::Forward };
    let (complement, table) = (flag(&mut cursor)?, cursor.u32()?);
    let [words, ends] = [numbers(&mut cursor)?, numbers(&mut cursor)?];
    if !ends.is_sorted_by(|a, b| a < b) || ends.last().map_or(0, |&end| end as usize) != words.len() {
        return corrupt("the ends of the keys are inconsistent");
    }
    let num_sets = cursor.u32()? as usize;
    if !(1..=MAX_SIDES + 1).contains(&num_sets) {
        return corrupt("the number of sets is out of range");
    }
    let sets = (0..num_sets).map(|_| part(&mut cursor, &shape, cut)).collect::<Parsed<Vec<_>>>()?;
    if !cursor.is_empty() {
        return corrupt("unexpected bytes after the last set");
    }
    let Some(formula) = Formula::of_table(num_sets - 1, table) else {
        return corrupt("the truth table is larger than the number of sets allows");
    };
    let origin = Origin { shape, cut, plan, unit, num_units: 1, num_keys: ends.len() };
    Ok(UnitInput { origin, moves, moves_are, direction, complement, formula, sets, words, ends })
}

/// Reads the layers of a set from the cut on.
fn part(cursor: &mut Cursor<'_>, shape: &Shape, cut: usize) -> Parsed<Dfa> {
    let mut layers = vec![Vec::new(); cut];
    for layer in cut..shape.num_layers() {
        let count = cursor.u32()? as usize;
        let bytes = u64::from(cursor.u32()?) | u64::from(cursor.u32()?) << 32;
        let frame = cursor.take(usize::try_from(bytes).unwrap_or(usize::MAX))?;
        let unpacked = zstd::bulk::decompress(frame, 4 * count)
            .map_err(|e| Problem::Corrupt(format!("layer {layer}: {e}")))?;
        if unpacked.len() != 4 * count || !count.is_multiple_of(shape.num_letters(layer)) {
            return corrupt(format!("layer {layer}: the number of targets is wrong"));
        }
        let rows = unpacked.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        layers.push(rows.collect::<Vec<u32>>());
    }
    for layer in cut..shape.num_layers() {
        let next =
            layers.get(layer + 1).map_or(0, |rows: &Vec<u32>| rows.len() / shape.num_letters(layer + 1));
        if layers[layer].iter().any(|&target| target as usize >= FIRST as usize + next) {
            return corrupt(format!("layer {layer}: a transition leads to a state that does not exist"));
        }
    }
    Ok(Dfa::from_canonical(shape.clone(), REJECT, layers))
}

fn digest(cursor: &mut Cursor<'_>) -> Parsed<Fingerprint> {
    let mut digest = Fingerprint::default();
    digest.copy_from_slice(cursor.take(size_of::<Fingerprint>())?);
    Ok(digest)
}

/// Reads a number that must be 0 or 1.
fn flag(cursor: &mut Cursor<'_>) -> Parsed<bool> {
    match cursor.u32()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => corrupt("a flag is neither 0 nor 1"),
    }
}
