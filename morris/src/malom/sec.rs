//! Strong files: one byte for each slot, without a header.
//!
//! The bytes 0 to 178 are depths, of which the odd ones are wins. The bytes 180 to 194 are holes, by the symmetry that
//! leads to the slot of their position. The bytes 195 to 255 are draws, by the number of turns that keep the draw (255
//! for none). The byte 179 stands for a greater depth or a draw with more such turns; the overflow table then holds the
//! depth or the negated number.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::body::{self, Body, Encoded, Shape};
use super::counters::Counters;
use super::name::FileName;
use super::slot::Stored;
use crate::tables::{IndexMaker, Sector, SectorTable, SectorTables};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// The byte of entries that the overflow table completes.
const MARK: u8 = 179;
/// The first byte of a hole.
const FIRST_HOLE: u8 = MARK + 1;
/// The least byte of a draw, which stands for the largest number of turns.
const FIRST_DRAW: u8 = 195;
/// The greatest depth that fits into a byte.
const MOST_DEPTH: u32 = MARK as u32 - 1;
/// The largest number of turns that fits into a byte.
const MOST_TURNS: u32 = (u8::MAX - FIRST_DRAW) as u32;

/// Returns the lengths in a strong file.
pub(super) fn shape(num_slots: u64) -> Shape {
    Shape { head_bytes: 0, entry_bytes: 1, num_slots }
}

/// Returns `true` if the overflow table completes the entry.
pub(super) fn is_mark(entry: u32) -> bool {
    entry == u32::from(MARK)
}

/// Returns the contents of a slot, or `None` if its overflow entry would fit into a byte.
#[inline]
pub(super) fn decode(body: &Body, slot: u64) -> Option<Stored> {
    let entry = body.entry(slot) as u8;
    Some(match entry {
        MARK => match body.overflow(slot)? {
            depth @ 0.. if depth.unsigned_abs() > MOST_DEPTH => value(depth),
            turns @ ..0 if turns.unsigned_abs() > MOST_TURNS => Stored::Count(turns.unsigned_abs()),
            _ => return None,
        },
        FIRST_DRAW.. => Stored::Count((u8::MAX - entry).into()),
        FIRST_HOLE.. => Stored::Hole(entry - FIRST_HOLE),
        _ => value(entry.into()),
    })
}

/// Returns the contents for a position decided in `depth` plies.
#[inline]
pub(super) fn value(depth: i32) -> Stored {
    Stored::Value { key1: if depth % 2 == 1 { 1 } else { -1 }, key2: depth }
}

/// Encodes contents that a strong file can hold. This is the inverse of [`decode`].
fn encode(stored: Stored) -> Encoded {
    match stored {
        Stored::Hole(op) => ((FIRST_HOLE + op).into(), None),
        Stored::Count(turns) if turns <= MOST_TURNS => (u32::from(u8::MAX) - turns, None),
        Stored::Count(turns) => (MARK.into(), Some((turns as i32).wrapping_neg())),
        Stored::Value { key2: depth, .. } if depth.unsigned_abs() <= MOST_DEPTH => {
            (depth.unsigned_abs(), None)
        }
        Stored::Value { key2: depth, .. } => (MARK.into(), Some(depth)),
    }
}

/// Creates strong files of the sectors of one game.
pub struct SecExport<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The index maker for the board of the rules.
    pub maker: &'a IndexMaker,
    /// Set by the user to stop the export.
    pub interrupt: &'a AtomicBool,
    /// Whether existing files may be replaced.
    pub overwrite: bool,
    /// Called with the fraction of a file that is done.
    pub watch: &'a (dyn Fn(f64) + Sync),
}

impl SecExport<'_> {
    /// Writes `sector` to the strong file `path`, exactly as the reference program does. Its own table and those of the
    /// sectors that its turns lead to must be in `unit`, the tables of its work unit, or in `known`. `seal` is called
    /// with the file when it is complete, before it gets its final name.
    ///
    /// *Cost*: for each drawn position, a look-up of all positions that its turns lead to, and one byte for each slot
    /// in addition to the tables. All threads of the current pool are used; the bytes do not depend on their number.
    ///
    /// # Errors
    /// Returns [`Error::Unrepresentable`] if no variant has the rules, [`Error::Mismatch`] if the name of the file does
    /// not match its contents, [`Error::MissingSector`], [`Error::TooLarge`], [`Error::Io`], [`Error::Interrupted`], or
    /// the errors of `seal`. No file is left in these cases.
    pub fn write(
        &self,
        unit: &[SectorTable],
        known: &SectorTables,
        sector: Sector,
        path: &Path,
        seal: impl FnOnce(StoredFile) -> Result<()>,
    ) -> Result<()> {
        let name = FileName::strong(self.rules, sector)?;
        if path.file_name().is_none_or(|found| found != name.to_string().as_str()) {
            return Err(Error::Mismatch {
                what: path.display().to_string(),
                found: "the name of a file for other rules or another sector".into(),
                expected: format!("the name {name}"),
            });
        }
        let counters = Counters::new(self.rules, unit, known, sector)?;
        let turned = self.maker.index(sector.other, sector.own);
        let all = counters.all(&turned, self.interrupt, self.watch)?;
        let table = counters.table();
        let encode = |slot| {
            Ok(encode(match (table.index.hole(slot), table.depth_at(slot)) {
                (Some(op), _) => Stored::Hole(op),
                (None, Some(depth)) => value(depth.into()),
                (None, None) => Stored::Count(all.get(slot).unwrap_or_else(|| counters.of(slot))),
            }))
        };
        let shape = shape(table.index.num_slots());
        body::write(path, self.overwrite, &[], shape, self.interrupt, encode, seal)
    }
}

/// Writes one file with [`SecExport::write`], and creates the index of the board for it.
///
/// # Errors
/// Returns the same errors as [`SecExport::write`].
pub fn export_sec(
    rules: &Rules,
    unit: &[SectorTable],
    known: &SectorTables,
    sector: Sector,
    path: &Path,
    interrupt: &AtomicBool,
) -> Result<()> {
    let maker = IndexMaker::new(&rules.board);
    let export = SecExport { rules, maker: &maker, interrupt, overwrite: true, watch: &|_| () };
    export.write(unit, known, sector, path, |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes are those in section 8 of the format's description, number by number.
    #[test]
    fn bytes_are_those_of_the_format() {
        for (stored, byte, overflow) in [
            (value(0), 0, None),
            (value(177), 177, None),
            (value(178), 178, None),
            (value(179), 179, Some(179)),
            (value(65_533), 179, Some(65_533)),
            (Stored::Hole(0), 180, None),
            (Stored::Hole(14), 194, None),
            (Stored::Count(60), 195, None),
            (Stored::Count(61), 179, Some(-61)),
            (Stored::Count(0), 255, None),
        ] {
            assert_eq!(encode(stored), (byte, overflow), "{stored:?}");
        }
        assert_eq!(value(3), Stored::Value { key1: 1, key2: 3 });
        assert_eq!(value(4), Stored::Value { key1: -1, key2: 4 });
    }
}
