//! The file of a sector automaton, which is versioned and checksummed. Its bytes depend only on the automaton, and its
//! arrays have the form that look-ups use.
//!
//! ```text
//! magic "NERODSF\n" | version u32 | digest of the rules, 32 bytes | sector u8 x 4 |
//! root side u8 (0 own, 1 other) | depths u8 | probe u8 (0 nothing, 1 captures) | points u8, the order of reading u8 each |
//! classes u32 | codes u16, each u16 ascending | the two common codes by number u16 x 2 |
//! states u32 of each stage, most points left first, within these fewest stones first | rows u32 of each number of stones |
//! words of marks, of pointers and of rows u64 | BLAKE3 of everything before it, 32 bytes      (all numbers little-endian)
//! ```
//! The numbers of words follow from the counts and, for pointers, from the marks. Reading checks all guarantees of the
//! format: the numbering, that no two states or rows of a stage are equal, that no state is equivalent to a single
//! code, and that every unused bit is 0.

use std::path::Path;

#[cfg(feature = "solve")]
use nerode_dfa::disk;
use nerode_dfa::{FileFormat, Problem};

use super::automaton::MultiRoot;
#[cfg(feature = "solve")]
use super::header::{Header, Probe};
use super::parse::parse;
use super::promises::{check_rows, check_states};
#[cfg(feature = "solve")]
use super::words::RootSide;
#[cfg(feature = "solve")]
use super::worth::Detail;
#[cfg(feature = "solve")]
use nerode_solver::archive::files::write_bytes_atomic;
use nerode_solver::error::{Error, Result};

/// The version of the format written by this program, the only one that it reads.
pub const FORMAT_VERSION: u32 = 1;

const FORMAT: FileFormat =
    FileFormat { magic: b"NERODSF\n", version: FORMAT_VERSION, name: "a sector automaton" };

/// # Files
#[cfg(feature = "solve")]
impl MultiRoot {
    /// Returns the bytes of the file. *Cost*: one pass.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = FORMAT.magic.to_vec();
        out.extend(FORMAT.version.to_le_bytes());
        let Header { rules, sector, root_side, detail, probe, order } = &self.header;
        out.extend(rules);
        out.extend([sector.own, sector.other, sector.own_hand, sector.other_hand]);
        out.push(u8::from(*root_side == RootSide::Other));
        out.push(u8::from(*detail == Detail::Depths));
        out.push(u8::from(*probe == Probe::Captures));
        out.push(order.points().len() as u8);
        out.extend(order.points());
        out.extend(self.num_classes.to_le_bytes());
        out.extend((self.codes.len() as u16).to_le_bytes());
        out.extend(self.codes.iter().flat_map(|worth| worth.code().to_le_bytes()));
        out.extend(self.common.iter().flat_map(|code| code.to_le_bytes()));
        let states = self.num_states.iter().rev().flatten();
        out.extend(states.flat_map(|count| count.to_le_bytes()));
        out.extend(self.row_spans.iter().flat_map(|span| span.count.to_le_bytes()));
        let words = self.marks.words().chain(self.pointers.words.iter().chain(&self.rows.words).copied());
        out.extend(words.flat_map(u64::to_le_bytes));
        let digest = blake3::hash(&out);
        out.extend(digest.as_bytes());
        out
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn write(&self, path: &Path) -> Result<()> {
        write_bytes_atomic(path, &self.to_bytes())
    }

    /// Reads a file and checks all guarantees of the format. The arrays are used as they are in the file, and only the
    /// counts of marks are recomputed. *Cost*: one pass, and a hash look-up for each state.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`], or [`Error::WrongVersion`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }
}

impl MultiRoot {
    /// Reads the automaton from bytes in memory, as [`MultiRoot::read`] does. Errors name `path`.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::WrongVersion`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let automaton = Self::of_digested(bytes, path)?;
        check_states(&automaton)
            .and_then(|()| check_rows(&automaton))
            .map_err(|reason| Error::corrupt(path, reason))?;
        Ok(automaton)
    }

    /// Reads a file whose digest is listed in a manifest, as [`MultiRoot::from_bytes`] does, without checking that
    /// states are distinct and that edges lead to existing states. For any bytes, look-ups terminate and do not panic.
    /// *Cost*: one pass.
    ///
    /// # Errors
    /// Returns the same errors as [`MultiRoot::from_bytes`].
    pub(super) fn of_digested(bytes: &[u8], path: &Path) -> Result<Self> {
        let body = FORMAT.open(bytes).map_err(|problem| match problem {
            Problem::Version(found) => {
                Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION }
            }
            Problem::Corrupt(reason) => Error::corrupt(path, reason),
        })?;
        parse(body).map_err(|reason| Error::corrupt(path, reason))
    }
}
