//! Ranks a work unit.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::work::Work;
use crate::malom::SectorValues;
use crate::ranked::table::{RankedTable, RankedTables};
use crate::tables::{IndexMaker, SectorTable};
use nerode_solver::error::Result;

/// Ranks the draws of a work unit with the strong tables `unit`, on the threads of the current pool. `known` holds the
/// ranked sectors that the unit leads to. The ranks do not depend on the number of threads.
///
/// *Cost*: four bytes for each slot of the unit, eight bytes for each draw with a turn out of the unit, and a look-up
/// of all positions that the turns of drawn positions lead to.
///
/// # Errors
/// Returns [`Error::NoValue`](nerode_solver::error::Error::NoValue) if a sector has no value,
/// [`Error::MissingSector`](nerode_solver::error::Error::MissingSector) if a sector that the unit leads to is not in
/// `known`, [`Error::TooLarge`](nerode_solver::error::Error::TooLarge),
/// [`Error::TooDeep`](nerode_solver::error::Error::TooDeep), or
/// [`Error::Interrupted`](nerode_solver::error::Error::Interrupted).
pub fn rank_unit(
    rules: &Rules,
    unit: &[Arc<SectorTable>],
    values: &SectorValues,
    maker: &IndexMaker,
    known: &RankedTables,
    interrupt: &AtomicBool,
) -> Result<Vec<RankedTable>> {
    let table = |strong: &Arc<SectorTable>| RankedTable::new(Arc::clone(strong), values);
    let tables = unit.iter().map(table).collect::<Result<Vec<_>>>()?;
    Work::new(rules, &tables, maker, known, interrupt)?.run()?;
    Ok(tables)
}
