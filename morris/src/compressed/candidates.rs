//! The automata that may represent a sector, and the choice among them.
//!
//! Invariant: the choice depends only on bytes and turns, never on times.

use std::time::Instant;

use nerode_games::morris::Rules;
use rayon::prelude::*;

use super::automaton::MultiRoot;
use super::header::Probe;
use super::plan::{Plan, build_every};
use super::sector_demands::SectorDemands;
use super::trial::sample;
use super::words::{PointOrder, RootSide, Words};
use super::worth::Detail;
use crate::tables::{IndexMaker, SectorTable, SectorTables};
use nerode_solver::error::Result;

/// The mean number of quiet turns above which a sector is not derived from them, because one look-up for each turn
/// would take too long.
const MOST_TURNS: u64 = 16;
/// The number of positions in the sample for the mean.
const TURNS_SAMPLE: usize = 4096;

/// An automaton that may represent a sector.
#[derive(Debug)]
pub struct Candidate {
    /// The plan by which it was built.
    pub plan: Plan,
    /// The words with which it is looked up.
    pub words: Words,
    /// The automaton.
    pub automaton: MultiRoot,
    /// The build time in seconds, including the work shared by all automata of the sector.
    pub build_seconds: f64,
}

/// Returns the plans of the automata that may represent a sector: with either side as root, with and without a probe.
fn plans(detail: Detail, order: &PointOrder) -> Vec<Plan> {
    let probes = [Probe::Nothing, Probe::Captures];
    let plan = |root_side, probe| Plan { root_side, probe, detail, order: order.clone() };
    RootSide::BOTH.iter().flat_map(|&root_side| probes.map(|probe| plan(root_side, probe))).collect()
}

/// The number of slots from which on a part of the sector is used to determine the best plan.
const LARGE: u64 = 1 << 23;
/// In a large sector, one class in this many belongs to that part.
const PART: usize = 16;

/// Builds the automaton that represents a sector. This is the smallest one, except that an automaton with a probe is
/// only chosen if it saves a sixteenth. In a large sector, the plan is the one that is best for one class in [`PART`].
/// `demands` must have been computed with [`Probe::Captures`].
///
/// # Errors
/// Returns [`nerode_solver::error::Error::TooLarge`].
pub(super) fn best(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    demands: &SectorDemands,
    order: &PointOrder,
    detail: Detail,
) -> Result<MultiRoot> {
    let every = if table.codes.num_slots() < LARGE { 1 } else { PART };
    let plans = plans(detail, order);
    let automaton = |plan: &Plan| Ok(build_every(rules, maker, table, demands, plan, every)?.1);
    let mut automata = plans.par_iter().map(automaton).collect::<Result<Vec<MultiRoot>>>()?;
    let cheapest =
        (0..plans.len()).min_by_key(|&at| cost(&plans[at], automata[at].bytes())).unwrap_or_default();
    if every == 1 {
        return Ok(automata.swap_remove(cheapest));
    }
    drop(automata);
    Ok(build_every(rules, maker, table, demands, &plans[cheapest], 1)?.1)
}

/// Returns the weighted size of a form, by which a form with a probe is only chosen if it saves a sixteenth.
fn cost(plan: &Plan, bytes: u64) -> u64 {
    bytes * if plan.probe == Probe::Nothing { 15 } else { 16 }
}

/// Builds the automata of a sector with either side as root, with and without a probe.
///
/// # Errors
/// Returns the same errors as [`super::build`].
pub fn candidates(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    known: &SectorTables,
    detail: Detail,
    order: &PointOrder,
) -> Result<Vec<Candidate>> {
    let began = Instant::now();
    let demands = SectorDemands::new(rules, maker, table, known, Probe::Captures, detail)?;
    let before = began.elapsed().as_secs_f64();
    let candidate = |plan: Plan| {
        let began = Instant::now();
        let (words, automaton) = build_every(rules, maker, table, &demands, &plan, 1)?;
        Ok(Candidate { plan, words, automaton, build_seconds: before + began.elapsed().as_secs_f64() })
    };
    plans(detail, order).into_par_iter().map(candidate).collect()
}

/// The choice of the sectors that have their own automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every sector, which makes look-ups fastest.
    All,
    /// One sector of each pair. The other one is derived from it by examining all turns, which needs the fewest bytes.
    OneOfPair,
}

/// Chooses a candidate for each sector of a unit. Returns `None` for a sector that is derived from the other sector of
/// the unit.
///
/// The smallest candidate is chosen, except that one with a probe must save a sixteenth. Of two sectors, the one whose
/// derivation saves more is derived, provided that its positions have few turns.
///
/// *Cost*: generates the turns of some thousand positions.
pub fn choose(
    rules: &Rules,
    tables: &[&SectorTable],
    candidates: &[Vec<Candidate>],
    keep: Keep,
) -> Vec<Option<usize>> {
    let cost = |candidate: &Candidate| cost(&candidate.plan, candidate.automaton.bytes());
    let cheapest = |of: &Vec<Candidate>| (0..of.len()).min_by_key(|&i| cost(&of[i]));
    let mut chosen: Vec<Option<usize>> = candidates.iter().map(cheapest).collect();
    if tables.len() == 2 && keep == Keep::OneOfPair {
        let bytes = |i: usize| chosen[i].map_or(0, |c| candidates[i][c].automaton.bytes());
        let derivable = (0..2).filter(|&i| mean_quiet_turns(rules, tables[i]) <= MOST_TURNS);
        if let Some(derived) = derivable.max_by_key(|&i| bytes(i)) {
            chosen[derived] = None;
        }
    }
    chosen
}

fn mean_quiet_turns(rules: &Rules, table: &SectorTable) -> u64 {
    let states = sample(table, TURNS_SAMPLE, 1);
    let mut turns = 0;
    for &state in &states {
        rules.turns(state, |turn| turns += u64::from(turn.taken == 0));
    }
    turns.div_ceil(states.len().max(1) as u64)
}
