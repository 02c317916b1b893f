//! Solves a work unit with codes as wide as its depths require.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::work::Work;
use crate::tables::codes::Width;
use crate::tables::index::IndexMaker;
use crate::tables::sector::{Sector, Unit};
use crate::tables::table::{SectorTable, SectorTables};
use nerode_solver::error::{Error, Result};

/// Solves `unit` on the threads of the current pool. `known` holds the sectors that the unit leads to.
///
/// *Cost*: a byte and a bit for each slot of the unit (two bytes if a depth exceeds 253). Each position looks up the
/// positions that its captures and placements lead to, and each position with a value visits its origins.
///
/// # Errors
/// Returns [`Error::MissingSector`] if a sector that the unit leads to is not in `known`, [`Error::TooLarge`],
/// [`Error::TooDeep`], or [`Error::Interrupted`].
pub fn solve_unit(
    rules: &Rules,
    unit: &Unit,
    maker: &IndexMaker,
    known: &SectorTables,
    interrupt: &AtomicBool,
) -> Result<Vec<SectorTable>> {
    for width in [Width::One, Width::Two] {
        if let Some(tables) = solve_in(width, rules, unit, maker, known, interrupt)? {
            return Ok(tables);
        }
    }
    Err(Error::TooDeep {
        what: format!("the table of unit {}", unit.first()),
        most: Width::Two.most_depth().into(),
    })
}

/// Solves `unit` with codes of `width`. Returns `None` if a depth does not fit.
pub(super) fn solve_in(
    width: Width,
    rules: &Rules,
    unit: &Unit,
    maker: &IndexMaker,
    known: &SectorTables,
    interrupt: &AtomicBool,
) -> Result<Option<Vec<SectorTable>>> {
    let open = |&sector: &Sector| {
        let index = Arc::new(maker.index(sector.own, sector.other));
        SectorTable::open(sector, index, width)
    };
    let tables = unit.sectors().iter().map(open).collect::<Result<Vec<_>>>()?;
    let fits = Work::new(rules, &tables, maker, known, interrupt)?.run()?;
    Ok(fits.then_some(tables))
}
