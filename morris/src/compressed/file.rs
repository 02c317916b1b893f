//! The sector automaton's file: versioned, checksummed, bytes a function of the automaton alone, arrays as look-ups use them.
//!
//! ```text
//! magic "NERODSF\n" | version u32 | digest of the rules, 32 bytes | sector u8 x 4 |
//! root side u8 (0 own, 1 other) | depths u8 | probe u8 (0 nothing, 1 captures) | points u8, the order of reading u8 each |
//! classes u32 | codes u16, each u16 ascending | the two common codes by number u16 x 2 |
//! states u32 of each stage, most points left first, within these fewest stones first | rows u32 of each number of stones |
//! words of marks, of pointers and of rows u64 | BLAKE3 of everything before it, 32 bytes      (all numbers little-endian)
//! ```
//! How many words there are follows from the counts and, for pointers, from the marks. Reading checks all that the format
//! promises: numbering, no two equal states or rows of a stage, no state that is one code, every bit not in use 0.

use std::path::Path;

use nerode_dfa::disk;
use nerode_dfa::{FileFormat, Problem};

use super::automaton::MultiRoot;
use super::header::{Header, Probe};
use super::parse::parse;
use super::promises::{check_rows, check_states};
use super::words::RootSide;
use super::worth::Detail;
use nerode_solver::archive::files::write_bytes_atomic;
use nerode_solver::error::{Error, Result};

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

const FORMAT: FileFormat =
    FileFormat { magic: b"NERODSF\n", version: FORMAT_VERSION, name: "a sector automaton" };

impl MultiRoot {
    /// The bytes of the file. *Cost*: one pass.
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

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, path: &Path) -> Result<()> {
        write_bytes_atomic(path, &self.to_bytes())
    }

    /// Reads a file and checks all that the format promises. The arrays are those of the file; nothing is built again but the
    /// counts of marks. *Cost*: one pass, and a hash look-up for each state.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Corrupt`], [`Error::WrongVersion`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }

    /// As [`MultiRoot::read`], for bytes in memory; `path` names them in errors.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::WrongVersion`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let automaton = Self::of_digested(bytes, path)?;
        check_states(&automaton)
            .and_then(|()| check_rows(&automaton))
            .map_err(|reason| Error::corrupt(path, reason))?;
        Ok(automaton)
    }

    /// As [`MultiRoot::from_bytes`], for a file whose digest a manifest vouches for: that no two states are equal and that edges
    /// lead to states is not checked. Whatever the bytes, a look-up ends, and does not panic. *Cost*: one pass.
    ///
    /// # Errors
    /// As there.
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
