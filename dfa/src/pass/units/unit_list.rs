//! The units of a plan in a small file, for programs that distribute them.
//!
//! ```text
//! magic "NERWORK\n" | version u32 | number of layers u32 | letters of each layer u16 | digest of the plan, 32 bytes |
//! the cut u32 | number of units u32, words of the keys of each u32 | number of units u32, keys of each u32 |
//! BLAKE3 of everything before it, 32 bytes                                         (all numbers little-endian)
//! ```

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use crate::atomic::write_atomic;
use crate::disk;
use crate::error::{Error, Result};
use crate::frame::{FileFormat, Hashing, Parsed, corrupt, unwritten};
use crate::shape::Shape;

use super::fragment_file::bytes_of;
use super::plan::{Origin, Plan, PlanDigest};
use super::plan_file::numbers;

const FORMAT: FileFormat = FileFormat { magic: b"NERWORK\n", version: 2, name: "a unit-list" };

/// The list of the units of a [`Plan`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitList {
    shape: Shape,
    plan: PlanDigest,
    cut: usize,
    words: Vec<u32>,
    keys: Vec<u32>,
}

impl Plan {
    /// Returns the list of the plan's units.
    pub fn list(&self) -> UnitList {
        let sizes = (0..self.num_units()).map(|unit| self.size_of(unit));
        let (keys, words) = sizes.map(|(keys, words)| (keys as u32, words as u32)).unzip();
        UnitList { shape: self.shape.clone(), plan: *self.digest(), cut: self.cut, words, keys }
    }
}

impl UnitList {
    /// Returns the number of words of each unit's keys, which is a rough measure of its work.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the origin of these units, like [`Plan::origin_of`].
    ///
    /// # Panics
    /// Panics if the plan has no such units, or if the range is empty.
    pub fn origin_of(&self, units: Range<usize>) -> Origin {
        let (unit, num_units) = (units.start, units.len());
        assert!(num_units > 0, "at least one unit is required");
        let num_keys = self.keys[units].iter().map(|&keys| keys as usize).sum();
        Origin { shape: self.shape.clone(), cut: self.cut, plan: self.plan, unit, num_units, num_keys }
    }

    /// Writes the list to the file `path`, first under a temporary name that is renamed after the data has been synced
    /// to the disk. Returns the number of bytes written.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if writing fails; in this case, no partial file remains under either name.
    pub fn write(&self, path: &Path) -> Result<u64> {
        let io = |e| Error::io(path, e);
        write_atomic(path, io, |out| {
            let mut bytes = FORMAT.begin(&self.shape);
            bytes.extend_from_slice(&self.plan);
            bytes.extend_from_slice(&bytes_of(&[self.cut as u32]));
            for numbers in [&self.words, &self.keys] {
                bytes.extend_from_slice(&bytes_of(&[numbers.len() as u32]));
                bytes.extend_from_slice(&bytes_of(numbers));
            }
            let mut out = Hashing::new(out);
            out.write_all(&bytes).map_err(unwritten).map_err(|e| e.at(path))?;
            out.finish().map(|(_, written)| written.bytes).map_err(io)
        })
    }

    /// Reads a list from a file and verifies everything that the format guarantees.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        parse(&bytes).map_err(|problem| FORMAT.error(problem, path))
    }
}

fn parse(bytes: &[u8]) -> Parsed<UnitList> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let mut plan = PlanDigest::default();
    plan.copy_from_slice(cursor.take(size_of::<PlanDigest>())?);
    let cut = cursor.u32()? as usize;
    let [words, keys] = [numbers(&mut cursor)?, numbers(&mut cursor)?];
    if cut >= shape.num_layers() || words.len() != keys.len() {
        return corrupt("the cut lies after the last layer, or the sizes of units are incomplete");
    }
    if cursor.is_empty() {
        Ok(UnitList { shape, plan, cut, words, keys })
    } else {
        corrupt("unexpected bytes after the last unit")
    }
}
