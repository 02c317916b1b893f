//! The units of a plan in a small file, for those who hand them out.
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

const FORMAT: FileFormat = FileFormat { magic: b"NERWORK\n", version: 2, name: "a list of units" };

/// The units of a [`Plan`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitList {
    shape: Shape,
    plan: PlanDigest,
    cut: usize,
    words: Vec<u32>,
    keys: Vec<u32>,
}

impl Plan {
    /// The list of its units.
    pub fn list(&self) -> UnitList {
        let sizes = (0..self.num_units()).map(|unit| self.size_of(unit));
        let (keys, words) = sizes.map(|(keys, words)| (keys as u32, words as u32)).unzip();
        UnitList { shape: self.shape.clone(), plan: *self.digest(), cut: self.cut, words, keys }
    }
}

impl UnitList {
    /// Words of the keys of each unit: more words are more work, about.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Which units of which plan these units are, as [`Plan::origin_of`] gives it.
    ///
    /// # Panics
    /// Where the plan has no such units, and for none.
    pub fn origin_of(&self, units: Range<usize>) -> Origin {
        let (unit, num_units) = (units.start, units.len());
        assert!(num_units > 0, "no units");
        let num_keys = self.keys[units].iter().map(|&keys| keys as usize).sum();
        Origin { shape: self.shape.clone(), cut: self.cut, plan: self.plan, unit, num_units, num_keys }
    }

    /// Writes the file `path`: under a temporary name first, synced, then renamed. Returns the bytes written.
    ///
    /// # Errors
    /// [`Error::Io`]; nothing is left under either name then.
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

    /// Reads a file and checks all that the format promises.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
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
        return corrupt("the cut is no layer inside the words, or units lack a number");
    }
    if cursor.is_empty() {
        Ok(UnitList { shape, plan, cut, words, keys })
    } else {
        corrupt("bytes after the last unit")
    }
}
