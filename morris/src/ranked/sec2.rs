//! Ranked sectors as Malom's ultra-strong files.

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

/// Makes ultra-strong files of ranked sectors.
pub struct Sec2Export<'a> {
    /// The game's rules.
    pub rules: &'a Rules,
    /// For the board of the rules.
    pub maker: &'a IndexMaker,
    /// What the values of sectors are.
    pub values: Values,
    /// Set by the user to stop.
    pub interrupt: &'a AtomicBool,
    /// Whether files that are there may be replaced.
    pub overwrite: bool,
    /// Told which share of a file is done.
    pub watch: &'a (dyn Fn(f64) + Sync),
}

/// Turns keep the value of a position that is worth as much as its sector if they lead to the same value.
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
    /// Writes `sector` to the file `path`, as the reference program does, from its own table and those of the sectors that its turns
    /// lead to, in `known`. `seal` is told of the file when all of it is written and it has no name yet.
    ///
    /// *Cost*: for each draw that stays a look at all that its turns lead to; a byte for each slot beside the tables. All threads of
    /// the pool in force work; the bytes do not depend on their number.
    ///
    /// # Errors
    /// [`Error::Unrepresentable`] for rules that Malom has not, and values that the fields do not hold; [`Error::Mismatch`] for a name
    /// that does not say so; [`Error::MissingSector`]; [`Error::TooLarge`]; [`Error::Io`]; [`Error::Interrupted`]; what `seal` returns.
    /// Nothing is left then.
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
