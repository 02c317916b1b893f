//! Strong files: a byte for each slot, no header.
//!
//! 0 to 178 are depths, odd ones wins; 180 to 194 holes, by the symmetry that leads to the slot of their position; 195 to 255
//! draws, by how many turns keep the draw (255 none). 179 stands for a deeper value or a draw with more such turns: the
//! overflow table holds the depth, or the number negated.

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
/// The least byte of a draw, that of most turns.
const FIRST_DRAW: u8 = 195;
/// The greatest depth that has a byte.
const MOST_DEPTH: u32 = MARK as u32 - 1;
/// The most turns that have a byte.
const MOST_TURNS: u32 = (u8::MAX - FIRST_DRAW) as u32;

/// The lengths in a strong file.
pub(super) fn shape(num_slots: u64) -> Shape {
    Shape { head_bytes: 0, entry_bytes: 1, num_slots }
}

/// Whether the overflow table completes an entry.
pub(super) fn is_mark(entry: u32) -> bool {
    entry == u32::from(MARK)
}

/// The contents of a slot; `None` where an overflow entry would fit in a byte.
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

/// A position decided in `depth` plies.
#[inline]
pub(super) fn value(depth: i32) -> Stored {
    Stored::Value { key1: if depth % 2 == 1 { 1 } else { -1 }, key2: depth }
}

/// The other way of [`decode`], for what a strong file can hold.
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

/// Makes strong files of the sectors of one game.
pub struct SecExport<'a> {
    /// The game's rules.
    pub rules: &'a Rules,
    /// For the board of the rules.
    pub maker: &'a IndexMaker,
    /// Set by the user to stop.
    pub interrupt: &'a AtomicBool,
    /// Whether files that are there may be replaced.
    pub overwrite: bool,
    /// Told which share of a file is done.
    pub watch: &'a (dyn Fn(f64) + Sync),
}

impl SecExport<'_> {
    /// Writes `sector` to the strong file `path`, as the reference program does, from its own table and those of the sectors that
    /// its turns lead to: each in `unit`, the tables of its work unit, or in `known`. `seal` is told of the file when all of it is
    /// written and it has no name yet.
    ///
    /// *Cost*: for each drawn position a look at all that its turns lead to; a byte for each slot beside the tables. All threads of
    /// the pool in force work; the bytes do not depend on their number.
    ///
    /// # Errors
    /// [`Error::Unrepresentable`] for rules that no variant has; [`Error::Mismatch`] for a name that does not say so;
    /// [`Error::MissingSector`]; [`Error::TooLarge`]; [`Error::Io`]; [`Error::Interrupted`]; what `seal` returns. Nothing is left
    /// then.
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

/// [`SecExport::write`] of one file, for which the index of the board is made.
///
/// # Errors
/// As there.
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

    /// Section 8 of the format's description, number by number.
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
