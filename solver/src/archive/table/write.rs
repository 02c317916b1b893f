//! Writes table files atomically in one pass.

use std::io::Write;
use std::path::Path;

use nerode_games::{Game, Side};
use nerode_oracle::ExplicitTable;

use super::prefix::put_prefix;
use super::{FORMAT_VERSION, TableHeader};
use crate::archive::codec;
use crate::archive::files::{Hashing, write_atomic, write_for_user};
use crate::error::{Error, Result};
use crate::solve::disk::Disk;

/// Writes `solution`, which must be a solution of `game`, to `path`, and returns the number of bytes written. Without
/// `overwrite`, a file that exists when writing completes is an error.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::DiskFull`], or [`Error::Mismatch`] if the solution belongs to another game.
pub fn write_solution(
    path: &Path,
    game: &dyn Game,
    solution: &ExplicitTable,
    overwrite: bool,
) -> Result<u64> {
    let header = TableHeader::of(game)?;
    let codes = |side| solution.codes(side).iter().copied().map(Ok);
    Disk::default().must_hold(path, 4 * header.num_positions)?;
    write_for_user(path, overwrite, |file| put_table(file, path, &header, codes(Side::P1), codes(Side::P2)))
}

/// Writes a table from its codes in index order, those with `P1` to move first, and returns the number of bytes
/// written.
///
/// *Cost*: one pass over the codes, with constant memory. No file is left under `path` after an error.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::DiskFull`], any error among the codes, or [`Error::Mismatch`] if their number
/// differs from that in the header.
pub fn write_table(
    path: &Path,
    header: &TableHeader,
    first: impl Iterator<Item = Result<u16>>,
    second: impl Iterator<Item = Result<u16>>,
) -> Result<u64> {
    Disk::default().must_hold(path, 4 * header.num_positions)?;
    write_atomic(path, |file| put_table(file, path, header, first, second))
}

/// Writes a table as [`write_table`] does, to `out`. Errors refer to `path`.
///
/// # Errors
/// Returns the same errors as [`write_table`]. After an error, `out` may contain part of a table.
pub fn put_table(
    out: &mut dyn Write,
    path: &Path,
    header: &TableHeader,
    first: impl Iterator<Item = Result<u16>>,
    second: impl Iterator<Item = Result<u16>>,
) -> Result<u64> {
    let encoded = codec::encode(header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    let mut out = Hashing::new(out);
    put_prefix(&mut out, path, FORMAT_VERSION, &encoded)?;
    write_codes(&mut out, path, header.num_positions, first)?;
    write_codes(&mut out, path, header.num_positions, second)?;
    out.finish().map(|(_, written)| written.bytes).map_err(|e| Error::io(path, e))
}

/// Writes the codes of one side and verifies their number.
fn write_codes<W: Write>(
    out: &mut Hashing<W>,
    path: &Path,
    expected: u64,
    codes: impl Iterator<Item = Result<u16>>,
) -> Result<()> {
    let mut block = Vec::with_capacity(1 << 16);
    let mut written = 0_u64;
    for code in codes {
        block.extend_from_slice(&code?.to_le_bytes());
        written += 1;
        if block.len() >= 1 << 16 {
            out.write_all(&block).map_err(|e| Error::io(path, e))?;
            block.clear();
        }
    }
    out.write_all(&block).map_err(|e| Error::io(path, e))?;
    if written != expected {
        return Err(Error::Mismatch {
            what: path.display().to_string(),
            found: format!("{written} codes"),
            expected: format!("one for each of {expected} positions"),
        });
    }
    Ok(())
}
