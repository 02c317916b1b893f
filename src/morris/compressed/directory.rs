//! A directory of sectors in every form.

use std::sync::Arc;

use super::candidates::{Candidate, Keep, candidates, choose};
use super::measure::{Row, compare_sector};
use super::probe::Forms;
use super::words::PointOrder;
use super::worth::Detail;
use crate::error::Result;
use crate::morris::tables::{Sector, SectorSolution, SectorTable, SectorTables, plan};

/// Levels of compression of zstd that are compared: the usual one and a thorough one.
const ZSTD_LEVELS: [i32; 2] = [3, 19];

/// Rows of each of `sectors` in every form, see [`compare_sector`]; `watch` is told of every sector that is begun, those that
/// `sectors` depend on included, and `lookups` random positions are timed.
///
/// *Cost*: automata of all sectors that `sectors` depend on.
///
/// # Errors
/// [`crate::error::Error::MissingSector`] when a sector that is needed is not in the directory; those of [`compare_sector`].
pub fn compare_directory(
    solution: &SectorSolution,
    sectors: &[Sector],
    lookups: usize,
    watch: &mut dyn FnMut(Sector),
) -> Result<Vec<Row>> {
    let (rules, maker) = (&solution.rules, solution.maker());
    let order = PointOrder::best(maker.num_points());
    let mut forms = Forms::new(rules, Detail::Values);
    let mut known = SectorTables::new();
    let mut rows = Vec::new();
    for unit in plan(rules, sectors)? {
        let table = |&sector: &Sector| solution.table(sector);
        let tables: Vec<Arc<SectorTable>> = unit.sectors().iter().map(table).collect::<Result<_>>()?;
        known.extend(tables.iter().map(|table| (table.sector, Arc::clone(table))));
        let mut each: Vec<Vec<Candidate>> = Vec::new();
        for table in &tables {
            watch(table.sector);
            each.push(candidates(rules, maker, table, &known, Detail::Values, &order)?);
        }
        let borrowed: Vec<&SectorTable> = tables.iter().map(Arc::as_ref).collect();
        for (chosen, of) in choose(rules, &borrowed, &each, Keep::All).into_iter().zip(&each) {
            if let Some(kept) = chosen.and_then(|i| of.get(i)) {
                forms.store(maker, kept.automaton.clone())?;
            }
        }
        for (table, of) in tables.iter().zip(&each).filter(|(table, _)| sectors.contains(&table.sector)) {
            rows.extend(compare_sector(maker, table, &forms, of, &ZSTD_LEVELS, lookups)?);
        }
    }
    Ok(rows)
}
