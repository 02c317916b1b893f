//! Writing table files, in one pass, whole or not at all.

use std::io::Write;
use std::path::Path;

use nerode_games::{Game, Side};

use super::{FORMAT_VERSION, MAGIC, TableHeader};
use crate::archive::codec;
use crate::archive::files::{Hashing, write_atomic, write_for_user};
use crate::error::{Error, Result};
use crate::explicit::ExplicitTable;
use crate::solve::disk::Disk;

/// Writes `solution`, found for `game`, to `path`; the number of bytes written. Without `overwrite` a file that is there by the end
/// is an error.
///
/// # Errors
/// [`Error::Io`]; [`Error::DiskFull`]; [`Error::Mismatch`] when the solution is of another game.
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

/// Writes a table from its codes in index order, `P1` to move first; the number of bytes written.
///
/// *Cost*: one pass over the codes, constant memory. Nothing is left under `path` when it fails.
///
/// # Errors
/// [`Error::Io`]; [`Error::DiskFull`]; an error from the codes; [`Error::Mismatch`] when they are more or fewer than the header says.
pub fn write_table(
    path: &Path,
    header: &TableHeader,
    first: impl Iterator<Item = Result<u16>>,
    second: impl Iterator<Item = Result<u16>>,
) -> Result<u64> {
    Disk::default().must_hold(path, 4 * header.num_positions)?;
    write_atomic(path, |file| put_table(file, path, header, first, second))
}

/// As [`write_table`], into `out`, which errors call `path`.
///
/// # Errors
/// As for [`write_table`]; then `out` holds part of a table.
pub fn put_table(
    out: &mut dyn Write,
    path: &Path,
    header: &TableHeader,
    first: impl Iterator<Item = Result<u16>>,
    second: impl Iterator<Item = Result<u16>>,
) -> Result<u64> {
    let encoded = codec::encode(header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    // The encoder gives at most a megabyte.
    let length = encoded.len() as u32;
    let mut out = Hashing::new(out);
    let io = |e| Error::io(path, e);
    out.write_all(MAGIC).map_err(io)?;
    out.write_all(&FORMAT_VERSION.to_le_bytes()).map_err(io)?;
    out.write_all(&length.to_le_bytes()).map_err(io)?;
    out.write_all(&encoded).map_err(io)?;
    write_codes(&mut out, path, header.num_positions, first)?;
    write_codes(&mut out, path, header.num_positions, second)?;
    out.finish().map(|(_, written)| written.bytes).map_err(io)
}

/// Writes one side's codes and checks how many they are.
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
