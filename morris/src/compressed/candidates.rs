//! The automata that a sector may be kept as, and which of them is kept.
//!
//! Invariant: what is kept depends on bytes and turns alone, never on times.

use std::time::Instant;

use nerode_games::morris::Rules;
use rayon::prelude::*;

use super::asked::Asked;
use super::automaton::MultiRoot;
use super::header::Probe;
use super::plan::{Plan, build_every};
use super::trial::sample;
use super::words::{PointOrder, RootSide, Words};
use super::worth::Detail;
use crate::tables::{IndexMaker, SectorTable, SectorTables};
use nerode_solver::error::Result;

/// Mean number of quiet turns above which a sector is not derived from them: one look-up each would take too long.
const MOST_TURNS: u64 = 16;
/// Positions that the mean is taken over.
const TURNS_SAMPLE: usize = 4096;

/// An automaton that may be kept.
#[derive(Debug)]
pub struct Candidate {
    /// How it was made.
    pub plan: Plan,
    /// How it is looked up.
    pub words: Words,
    /// The automaton.
    pub automaton: MultiRoot,
    /// Seconds it took, what all automata of the sector share included.
    pub build_seconds: f64,
}

/// The plans of the automata that a sector may be kept as: either side as root, with and without a probe.
fn plans(detail: Detail, order: &PointOrder) -> Vec<Plan> {
    let probes = [Probe::Nothing, Probe::Captures];
    let plan = |root_side, probe| Plan { root_side, probe, detail, order: order.clone() };
    RootSide::BOTH.iter().flat_map(|&root_side| probes.map(|probe| plan(root_side, probe))).collect()
}

/// Slots from which on a part of a sector says which plan is best.
const LARGE: u64 = 1 << 23;
/// Of the classes of a large sector one in so many is such a part.
const PART: usize = 16;

/// The automaton that a sector is kept as: the smallest, and one with a probe only if it saves a sixteenth. In a large sector the
/// plan is the one that is best for one class in [`PART`]. What is `asked` is to be asked with [`Probe::Captures`].
///
/// # Errors
/// [`nerode_solver::error::Error::TooLarge`].
pub(super) fn best(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    asked: &Asked,
    order: &PointOrder,
    detail: Detail,
) -> Result<MultiRoot> {
    let every = if table.codes.num_slots() < LARGE { 1 } else { PART };
    let plans = plans(detail, order);
    let automaton = |plan: &Plan| Ok(build_every(rules, maker, table, asked, plan, every)?.1);
    let mut automata = plans.par_iter().map(automaton).collect::<Result<Vec<MultiRoot>>>()?;
    let cheapest =
        (0..plans.len()).min_by_key(|&at| cost(&plans[at], automata[at].bytes())).unwrap_or_default();
    if every == 1 {
        return Ok(automata.swap_remove(cheapest));
    }
    drop(automata);
    Ok(build_every(rules, maker, table, asked, &plans[cheapest], 1)?.1)
}

/// What bytes count for: those of a form with a probe a sixteenth more.
fn cost(plan: &Plan, bytes: u64) -> u64 {
    bytes * if plan.probe == Probe::Nothing { 15 } else { 16 }
}

/// The automata of a sector with either side as root, with and without a probe.
///
/// # Errors
/// As for [`super::build`].
pub fn candidates(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    known: &SectorTables,
    detail: Detail,
    order: &PointOrder,
) -> Result<Vec<Candidate>> {
    let began = Instant::now();
    let asked = Asked::new(rules, maker, table, known, Probe::Captures, detail)?;
    let before = began.elapsed().as_secs_f64();
    let candidate = |plan: Plan| {
        let began = Instant::now();
        let (words, automaton) = build_every(rules, maker, table, &asked, &plan, 1)?;
        Ok(Candidate { plan, words, automaton, build_seconds: before + began.elapsed().as_secs_f64() })
    };
    plans(detail, order).into_par_iter().map(candidate).collect()
}

/// Which sectors have an automaton of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every one: look-ups are fastest.
    All,
    /// One of each pair: the other is derived from it by a look at all turns, which takes least bytes.
    OneOfPair,
}

/// Which candidate each sector of a unit keeps; `None` where the sector is derived from the other one of the unit.
///
/// The smallest candidate is kept; one with a probe only if it saves a sixteenth. Of two sectors the one whose derivation saves most
/// is derived, if its positions have few turns.
///
/// *Cost*: the turns of some thousand positions.
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
