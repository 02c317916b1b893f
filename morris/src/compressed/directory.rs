//! Measures the sectors of a directory in every form.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::candidates::{Candidate, Keep, candidates, choose};
use super::forms::Forms;
use super::measure::{FormKind, Row, Work};
use super::words::PointOrder;
use super::worth::Detail;
use crate::tables::{Sector, SectorSolution, SectorTable, SectorTables, Unit, plan};
use nerode_solver::error::{Error, Result, check_interrupt};

/// The compression levels of zstd that are compared: the default and a high one.
const ZSTD_LEVELS: [i32; 2] = [3, 19];

/// Measures each of `sectors` in the forms of `kinds`, see [`compare_sector`](super::compare_sector), and times `lookups` random
/// positions. `watch` is called when the automata of a sector are built, including the sectors that `sectors` depend on, and
/// before each form is measured. `tell` is called when the rows of a sector are available. If a sector is interrupted, it receives
/// the rows that are complete, of which none is marked as the smallest.
///
/// *Cost*: builds automata of all sectors that `sectors` depend on, if `kinds` contain forms that are made from them.
///
/// # Errors
/// Returns [`Error::MissingSector`] if a required sector is not in the directory, the errors of
/// [`compare_sector`](super::compare_sector) and of `tell`, or [`Error::Interrupted`].
pub fn compare_directory<E: From<Error>>(
    solution: &SectorSolution,
    sectors: &[Sector],
    (kinds, lookups): (&[FormKind], usize),
    interrupt: &AtomicBool,
    watch: &mut dyn FnMut(Sector, Option<FormKind>),
    tell: &mut dyn FnMut(Vec<Row>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let (rules, maker) = (&solution.rules, solution.maker());
    let order = PointOrder::best(maker.num_points());
    let mut forms = Forms::new(rules, Detail::Values);
    let mut known = SectorTables::new();
    let has_automata = kinds.iter().any(|kind| kind.is_of_automata());
    for unit in plan(rules, sectors)? {
        check_interrupt(interrupt)?;
        let of_unit = match has_automata {
            true => automata_of(solution, &unit, &known, &order, &mut |sector| watch(sector, None))?,
            false => OfUnit::without_automata(solution, &unit, sectors)?,
        };
        known.extend(of_unit.tables.iter().map(|table| (table.sector, Arc::clone(table))));
        for kept in of_unit.kept() {
            forms.store(maker, kept.automaton.clone())?;
        }
        let OfUnit { tables, each, .. } = &of_unit;
        for (table, of) in tables.iter().zip(each).filter(|(table, _)| sectors.contains(&table.sector)) {
            let mut rows = Vec::new();
            let work = Work {
                maker,
                table,
                forms: &forms,
                candidates: of,
                kinds,
                zstd_levels: &ZSTD_LEVELS,
                lookups,
                interrupt,
            };
            let measured = work.measure(&mut |kind| watch(table.sector, Some(kind)), &mut rows);
            match measured {
                Err(error) if rows.is_empty() || !error.is_interruption() => return Err(error.into()),
                measured => tell(rows).and(measured.map_err(E::from))?,
            }
        }
    }
    Ok(())
}

/// The sectors of a unit with the automata that may represent them.
pub(super) struct OfUnit {
    pub(super) tables: Vec<Arc<SectorTable>>,
    each: Vec<Vec<Candidate>>,
    chosen: Vec<Option<usize>>,
}

impl OfUnit {
    /// Reads the tables of the sectors of `unit` that are among `wanted`, without building automata.
    fn without_automata(solution: &SectorSolution, unit: &Unit, wanted: &[Sector]) -> Result<Self> {
        let sectors = unit.sectors();
        let tables = sectors.iter().filter(|sector| wanted.contains(sector));
        let tables: Vec<_> = tables.map(|&sector| solution.table(sector)).collect::<Result<_>>()?;
        let each = tables.iter().map(|_| Vec::new()).collect();
        Ok(Self { tables, each, chosen: Vec::new() })
    }

    /// Returns the chosen automata of the sectors that have one.
    pub(super) fn kept(&self) -> impl Iterator<Item = &Candidate> {
        self.chosen.iter().zip(&self.each).filter_map(|(chosen, of)| of.get((*chosen)?))
    }
}

/// Builds the automata of the sectors of `unit`. `known` holds the sectors that turns lead to.
///
/// # Errors
/// Returns [`Error::MissingSector`] or the errors of building.
pub(super) fn automata_of(
    solution: &SectorSolution,
    unit: &Unit,
    known: &SectorTables,
    order: &PointOrder,
    watch: &mut dyn FnMut(Sector),
) -> Result<OfUnit> {
    let (rules, maker) = (&solution.rules, solution.maker());
    let table = |&sector: &Sector| solution.table(sector);
    let tables: Vec<Arc<SectorTable>> = unit.sectors().iter().map(table).collect::<Result<_>>()?;
    let mut known = known.clone();
    known.extend(tables.iter().map(|table| (table.sector, Arc::clone(table))));
    let mut each: Vec<Vec<Candidate>> = Vec::new();
    for table in &tables {
        watch(table.sector);
        each.push(candidates(rules, maker, table, &known, Detail::Values, order)?);
    }
    let borrowed: Vec<&SectorTable> = tables.iter().map(Arc::as_ref).collect();
    let chosen = choose(rules, &borrowed, &each, Keep::All);
    Ok(OfUnit { tables, each, chosen })
}
