//! Multi-valued retrograde analysis of one work unit, from the ranked sectors that it leads to (paper 000, sections
//! III-C and IV-B).
//!
//! The algorithm of the paper keeps a queue of all values and counts the remaining turns. This module processes only
//! drawn positions, because wins and losses are taken from the strong tables. A drawn position has no turn to a loss of
//! the opponent, and its turns to wins of the opponent do not matter.
//!
//! - The turns that leave the unit give each drawn position a value, as far as they determine it: `outside`.
//! - Values spread within the unit in the order of the queue, one level after the other: `levels`. A level is a
//!   distance from the sector's value and a number of plies. All positions of a level are processed together, in any
//!   order of threads.
//! - There are no counters. Instead, a position with a turn to a position above its sector's value is examined with all
//!   its turns.
//!
//! Invariants: when a level begins, every value of that level and of earlier levels is final. A value of a later level
//! above the sector's may still be replaced by a better one, whereas values below the sector's are final when they are
//! written. The result of a level does not depend on the order of its writes.

mod levels;
mod outside;
mod targets;
mod work;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use crate::malom::SectorValues;
use crate::ranked::table::{RankedTable, RankedTables};
use crate::tables::{IndexMaker, SectorTable};
use nerode_solver::error::Result;
use work::Work;

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
