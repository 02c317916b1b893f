//! A work unit ranked.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::work::Work;
use crate::malom::SectorValues;
use crate::ranked::table::{RankedTable, RankedTables};
use crate::tables::{IndexMaker, SectorTable};
use nerode_solver::error::Result;

/// Ranks the draws of a work unit, whose strong tables are `unit`, from the ranked sectors that it leads to in `known`, on the
/// threads of the pool in force. The ranks do not depend on their number.
///
/// *Cost*: four bytes for each slot of the unit, and eight for each draw that leaves it; a look at all that the turns of drawn
/// positions lead to.
///
/// # Errors
/// [`Error::NoValue`](nerode_solver::error::Error::NoValue) for a sector without a value; [`Error::MissingSector`](nerode_solver::error::Error::MissingSector)
/// when a sector that the unit leads to is not in `known`; [`Error::TooLarge`](nerode_solver::error::Error::TooLarge);
/// [`Error::TooDeep`](nerode_solver::error::Error::TooDeep); [`Error::Interrupted`](nerode_solver::error::Error::Interrupted).
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
