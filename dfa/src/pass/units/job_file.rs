//! What a job computes, in a file, so that another process can do its units.
//!
//! ```text
//! magic "NERWORK\n" | version u32 | number of layers u32 | letters of each layer u16 | fingerprint of the job, 32 bytes |
//! which moves u32 | 1 where they are taken backward, else 0, u32 | 1 where the complement is moved, else 0, u32 |
//! truth table u32 | bytes of the sets in memory u64 |
//! number of units u32, words of the keys of each u32 |
//! number of sets u32, per set, the one that is moved first: bytes of its name u32, the name in UTF-8 |
//! BLAKE3 of everything before it, 32 bytes                                         (all numbers little-endian)
//! ```

use std::io::Write;
use std::path::Path;

use crate::atomic::write_atomic;
use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::{Formula, MAX_SIDES};
use crate::frame::{Cursor, FileFormat, Hashing, Parsed, Problem, corrupt, put_counted, unwritten};
use crate::shape::Shape;

use super::super::{Direction, Image, PassMoves, Passes};
use super::fingerprint::Fingerprint;
use super::plan_file::numbers;
use super::{Job, Plan};

const FORMAT: FileFormat = FileFormat { magic: b"NERWORK\n", version: 1, name: "a description of units" };

/// What a [`Job`] computes: all but the moves and the sets, which are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFile {
    shape: Shape,
    fingerprint: Fingerprint,
    moves: u32,
    direction: Direction,
    complement: bool,
    formula: Formula,
    set_bytes: u64,
    units: Vec<u32>,
    sets: Vec<String>,
}

impl Job<'_> {
    /// What the job computes, and the units of its `plan`. `moves` and `sets` are names by which others find the moves, the set that
    /// is moved and the side sets.
    ///
    /// Cost: that of [`Job::fingerprint`].
    pub fn describe(&self, moves: u32, sets: Vec<String>, plan: &Plan) -> JobFile {
        let all = std::iter::once(&self.image.set).chain(&self.sides);
        JobFile {
            shape: self.image.set.shape().clone(),
            fingerprint: self.fingerprint(),
            moves,
            direction: self.image.direction,
            complement: self.image.complement,
            formula: self.formula,
            set_bytes: all.map(|set| set.bytes()).sum(),
            units: (0..plan.num_units()).map(|unit| plan.size_of(unit).1 as u32).collect(),
            sets,
        }
    }

    /// The set that is moved, then the side sets.
    pub fn sets(&self) -> impl Iterator<Item = &Dfa> {
        std::iter::once(self.image.set).chain(self.sides.iter().copied())
    }
}

impl Passes {
    /// The job of a file: `moves` and `sets` are those that it names, in their order.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`]; [`Error::Corrupt`] for more or fewer sets. Other sets and moves are found by the fingerprint.
    pub fn job_of<'a>(&'a self, file: &JobFile, moves: &'a PassMoves, sets: &'a [Dfa]) -> Result<Job<'a>> {
        let Some((set, sides)) = sets.split_first().filter(|_| sets.len() == file.sets.len()) else {
            let reason = "it names more sets than were found, or fewer".into();
            return Err(Error::Corrupt { path: "description of units".into(), reason });
        };
        let image = Image { set, complement: file.complement, moves, direction: file.direction };
        self.job_with(image, sides.iter().collect(), file.formula)
    }
}

impl JobFile {
    /// The fingerprint of the job.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// By what name the moves are found.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// By what names the sets are found.
    pub fn sets(&self) -> &[String] {
        &self.sets
    }

    /// Words of the keys of each unit: more words are more work, about.
    pub fn units(&self) -> &[u32] {
        &self.units
    }

    /// Bytes of the sets in memory.
    pub fn set_bytes(&self) -> u64 {
        self.set_bytes
    }

    /// Writes the file `path`: under a temporary name first, synced, then renamed. Returns the bytes written.
    ///
    /// # Errors
    /// [`Error::Io`]; nothing is left under either name then.
    pub fn write(&self, path: &Path) -> Result<u64> {
        let io = |e| Error::io(path, e);
        write_atomic(path, io, |out| {
            let mut out = Hashing::new(out);
            out.write_all(&self.to_bytes()?).map_err(unwritten).map_err(|e| e.at(path))?;
            out.finish().map(|(_, written)| written.bytes).map_err(io)
        })
    }

    /// The bytes of the file, without the digest.
    fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = FORMAT.begin(&self.shape);
        bytes.extend_from_slice(&self.fingerprint);
        let backward = u32::from(self.direction == Direction::Backward);
        for number in [self.moves, backward, u32::from(self.complement), self.formula.table()] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.set_bytes.to_le_bytes());
        bytes.extend_from_slice(&(self.units.len() as u32).to_le_bytes());
        bytes.extend(self.units.iter().flat_map(|words| words.to_le_bytes()));
        bytes.extend_from_slice(&(self.sets.len() as u32).to_le_bytes());
        self.sets.iter().try_for_each(|name| put_counted(&mut bytes, name.as_bytes()))?;
        Ok(bytes)
    }

    /// Reads a file and checks all that the format promises.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
        parse(&bytes).map_err(|problem| FORMAT.error(problem, path))
    }
}

fn parse(bytes: &[u8]) -> Parsed<JobFile> {
    let mut cursor = FORMAT.open(bytes)?;
    let shape = cursor.shape()?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.copy_from_slice(cursor.take(size_of::<Fingerprint>())?);
    let moves = cursor.u32()?;
    let direction = if flag(&mut cursor)? { Direction::Backward } else { Direction::Forward };
    let complement = flag(&mut cursor)?;
    let table = cursor.u32()?;
    let (low, high) = (cursor.u32()?, cursor.u32()?);
    let set_bytes = u64::from(high) << 32 | u64::from(low);
    let units = numbers(&mut cursor)?;
    let num_sets = cursor.u32()? as usize;
    if !(1..=MAX_SIDES + 1).contains(&num_sets) {
        return corrupt("no job has so many sets");
    }
    let name = |_| {
        let bytes = cursor.counted()?.to_vec();
        String::from_utf8(bytes).map_err(|_| Problem::Corrupt("the name of a set is no text".into()))
    };
    let sets = (0..num_sets).map(name).collect::<Parsed<Vec<_>>>()?;
    if !cursor.is_empty() {
        return corrupt("bytes after the last set");
    }
    let Some(formula) = Formula::of_table(num_sets - 1, table) else {
        return corrupt("the truth table has values for more sets");
    };
    Ok(JobFile { shape, fingerprint, moves, direction, complement, formula, set_bytes, units, sets })
}

/// A number that is 0 or 1.
fn flag(cursor: &mut Cursor<'_>) -> Parsed<bool> {
    match cursor.u32()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => corrupt("a flag is neither 0 nor 1"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cutting, Planned};
    use super::*;
    use crate::moves::{MoveGraph, Step};

    #[test]
    fn a_job_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job");
        let shape = Shape::uniform(3, 2).unwrap();
        let mut graph = MoveGraph::new(shape.clone());
        graph.add(Step::identity().change(0, 0, 1)).unwrap();
        let moves = PassMoves::new(&graph).unwrap();
        let sets = [Dfa::word(&shape, &[0, 1, 0]).unwrap(), Dfa::word(&shape, &[1, 1, 1]).unwrap()];
        let passes = Passes::new(u64::MAX, 1).unwrap();
        for direction in [Direction::Forward, Direction::Backward] {
            let image = Image { set: &sets[0], complement: true, moves: &moves, direction };
            let job = passes.job(image, &[&sets[1]], |x, s| x && !s[0]).unwrap();
            let Planned::Parted(plan) = job.plan(Cutting { bytes: 1, units: 2 }).unwrap() else { panic!() };
            let file = job.describe(1, vec!["a".into(), "ü".into()], &plan);
            file.write(&path).unwrap();
            let read = JobFile::read(&path).unwrap();
            assert_eq!(read, file);
            let again = passes.job_of(&read, &moves, &sets).unwrap();
            assert_eq!(again.fingerprint(), *file.fingerprint());
            let swapped = [sets[1].clone(), sets[0].clone()];
            assert_ne!(passes.job_of(&read, &moves, &swapped).unwrap().fingerprint(), *file.fingerprint());
            assert!(passes.job_of(&read, &moves, &sets[..1]).is_err());
        }
        let whole = std::fs::read(&path).unwrap();
        for place in [0, 9, 20, 60, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            std::fs::write(&path, damaged).unwrap();
            let error = JobFile::read(&path).unwrap_err();
            assert_eq!(matches!(error, Error::Version { .. }), place == 9, "{place}: {error}");
        }
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        assert!(matches!(JobFile::read(&path), Err(Error::Corrupt { .. })));
    }
}
