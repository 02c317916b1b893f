//! Writes ranked sectors as Malom's ultra-strong files.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::table::{RankedTable, RankedTables};
use crate::malom::counters::{Counters, Keeps};
use crate::malom::sec2::{Sec2Writer, Values};
use crate::malom::{FileName, Stored};
use crate::tables::{IndexMaker, Sector, SectorTable, SectorTables};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// Creates ultra-strong files of ranked sectors.
pub struct Sec2Export<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The index maker for the board of the rules.
    pub maker: &'a IndexMaker,
    /// The kind of the values of sectors.
    pub values: Values,
    /// Set by the user to stop the export.
    pub interrupt: &'a AtomicBool,
    /// Whether existing files may be replaced.
    pub overwrite: bool,
    /// Called with the fraction of a file that is done.
    pub watch: &'a (dyn Fn(f64) + Sync),
}

/// The rule that a turn keeps the value of a position that is worth as much as its sector if it leads to the same
/// value.
struct SameValue<'a> {
    table: &'a RankedTable,
    known: &'a RankedTables,
}

impl Keeps for SameValue<'_> {
    fn after(&self, table: &SectorTable, slot: u64) -> bool {
        self.known.get(&table.sector).is_some_and(|child| {
            child.is_draw(slot) && child.keys.get(slot).0 + child.value + self.table.value == 0
        })
    }

    fn has_counter(&self, slot: u64) -> bool {
        self.table.keys.get(slot).0 == 0
    }
}

impl Sec2Export<'_> {
    /// Writes `sector` to the file `path`, exactly as the reference program does. `known` holds its own table and those
    /// of the sectors that its turns lead to. `seal` is called with the file when it is complete, before it gets its
    /// final name.
    ///
    /// *Cost*: for each draw that stays in the sector, a look-up of all positions that its turns lead to, and one byte
    /// for each slot in addition to the tables. All threads of the current pool are used; the bytes do not depend on
    /// their number.
    ///
    /// # Errors
    /// Returns [`Error::Unrepresentable`] if the rules do not exist in Malom or values do not fit into the fields,
    /// [`Error::Mismatch`] if the name of the file does not match its contents, [`Error::MissingSector`],
    /// [`Error::TooLarge`], [`Error::Io`], [`Error::Interrupted`], or the errors of `seal`. No file is left in these
    /// cases.
    pub fn write(
        &self,
        known: &RankedTables,
        sector: Sector,
        path: &Path,
        seal: impl FnOnce(StoredFile) -> Result<()>,
    ) -> Result<()> {
        let name = FileName::ultra(self.rules, sector)?;
        if path.file_name().is_none_or(|found| found != name.to_string().as_str()) {
            return Err(Error::Mismatch {
                what: path.display().to_string(),
                found: "the name of a file for other rules or another sector".into(),
                expected: format!("the name {name}"),
            });
        }
        let missing = || Error::MissingSector { sector: sector.to_string(), needed_by: None, folder: None };
        let table: &RankedTable = known.get(&sector).ok_or_else(missing)?;
        let strong: SectorTables =
            known.iter().map(|(&sector, table)| (sector, Arc::clone(&table.strong))).collect();
        let keeps = SameValue { table, known };
        let counters = Counters::new(self.rules, &[], &strong, sector)?.keeping(&keeps);
        let turned = self.maker.index(sector.other, sector.own);
        let all = counters.all(&turned, self.interrupt, self.watch)?;
        let entry = |slot| {
            Ok(match (table.strong.index.hole(slot), table.pair(slot)) {
                (Some(op), _) => Stored::Hole(op),
                (None, (0, _)) => Stored::Count(all.get(slot).unwrap_or_else(|| counters.of(slot))),
                (None, (key1, key2)) => Stored::Value { key1, key2 },
            })
        };
        let writer = Sec2Writer { values: self.values, overwrite: self.overwrite, interrupt: self.interrupt };
        writer.write(path, table.strong.index.num_slots(), entry, seal)
    }
}
