//! One automaton of one sector, built according to a [`Plan`].

use nerode_games::morris::Rules;

use super::automaton::MultiRoot;
use super::header::{Header, Probe, rules_digest};
use super::pack::pack;
use super::sector_demands::{Demands, SectorDemands};
use super::states;
use super::words::{PointOrder, RootSide, Words};
use super::worth::Detail;
use crate::tables::{IndexMaker, SectorTable, SectorTables};
use nerode_solver::error::Result;

/// The options for building an automaton.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The side whose stones choose the root.
    pub root_side: RootSide,
    /// The data that a look-up may use. With [`Probe::Captures`] the automaton may answer anything up to the worth that
    /// captures reach.
    pub probe: Probe,
    /// Whether to store depths.
    pub detail: Detail,
    /// The order in which points are read.
    pub order: PointOrder,
}

/// Builds the automaton of a sector, and the tables for its look-ups.
///
/// *Cost*: a walk over all words, which is the number of classes times the number of ways to place the other side's
/// stones, on the threads of the current pool. Each row and state needs a hash look-up, and each row of each class four
/// bytes of memory.
///
/// # Errors
/// Returns [`nerode_solver::error::Error::MissingSector`] if a capture leads to a sector that is not in `known`, or
/// [`nerode_solver::error::Error::TooLarge`].
pub fn build(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    known: &SectorTables,
    plan: &Plan,
) -> Result<(Words, MultiRoot)> {
    let demands = SectorDemands::new(rules, maker, table, known, plan.probe, plan.detail)?;
    build_every(rules, maker, table, &demands, plan, 1)
}

/// Builds the automaton that meets `demands` for every `every`-th class of a sector, which is all classes if
/// `every` is 1.
///
/// # Errors
/// Returns [`nerode_solver::error::Error::TooLarge`].
pub(super) fn build_every(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    demands: &SectorDemands,
    plan: &Plan,
    every: usize,
) -> Result<(Words, MultiRoot)> {
    let words = Words::new(maker, table.sector, plan.root_side, plan.order.clone());
    let built = states::build(&Demands { words: &words, of_sector: demands, probe: plan.probe }, every);
    let header = Header {
        rules: rules_digest(rules),
        sector: table.sector,
        root_side: plan.root_side,
        detail: plan.detail,
        probe: plan.probe,
        order: plan.order.clone(),
    };
    let automaton = pack(header, demands.codes.clone(), &built)?;
    Ok((words, automaton))
}
