//! One automaton of one sector, made as a [`Plan`] says.

use nerode_games::morris::Rules;

use super::asked::Asked;
use super::automaton::MultiRoot;
use super::demands::Demands;
use super::header::{Header, Probe, rules_digest};
use super::pack::pack;
use super::states;
use super::words::{PointOrder, RootSide, Words};
use super::worth::Detail;
use crate::tables::{IndexMaker, SectorTable, SectorTables};
use nerode_solver::error::Result;

/// How an automaton is to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose stones choose the root.
    pub root_side: RootSide,
    /// What a look-up may look at: with [`Probe::Captures`] the automaton may say anything up to the worth that captures reach.
    pub probe: Probe,
    /// Whether to keep depths.
    pub detail: Detail,
    /// The order in which points are read.
    pub order: PointOrder,
}

/// The automaton of a sector, and the tables to look it up with.
///
/// *Cost*: a walk over all words, classes times ways to place the other side's stones, on the threads of the pool in force, with a
/// hash look-up for each row and state; four bytes for each row of each class are held.
///
/// # Errors
/// [`nerode_solver::error::Error::MissingSector`] when a capture leads to a sector that is not in `known`; [`nerode_solver::error::Error::TooLarge`].
pub fn build(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    known: &SectorTables,
    plan: &Plan,
) -> Result<(Words, MultiRoot)> {
    let asked = Asked::new(rules, maker, table, known, plan.probe, plan.detail)?;
    build_every(rules, maker, table, &asked, plan, 1)
}

/// The automaton of every so manyeth class of a sector alone, as it is `asked` for; of all with 1.
///
/// # Errors
/// [`nerode_solver::error::Error::TooLarge`].
pub(super) fn build_every(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    asked: &Asked,
    plan: &Plan,
    every: usize,
) -> Result<(Words, MultiRoot)> {
    let words = Words::new(maker, table.sector, plan.root_side, plan.order.clone());
    let built = states::build(&Demands { words: &words, asked, probe: plan.probe }, every);
    let header = Header {
        rules: rules_digest(rules),
        sector: table.sector,
        root_side: plan.root_side,
        detail: plan.detail,
        probe: plan.probe,
        order: plan.order.clone(),
    };
    let automaton = pack(header, asked.codes.clone(), &built)?;
    Ok((words, automaton))
}
