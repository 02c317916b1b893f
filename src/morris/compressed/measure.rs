//! The same sector in all forms, measured in one run; and which form is kept.
//!
//! Invariant: every form answered for every position before its row is there, and answered as the table does. What is kept
//! depends on bytes and turns alone, never on times.

use std::time::Instant;

use nerode_games::Value;
use nerode_games::morris::{Rules, State};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::automaton::MultiRoot;
use super::listed::{ByteTable, Listed, ListedKind};
use super::plain::plain_forms;
use super::probe::{Forms, Probe};
use super::words::{PointOrder, RootSide, Words};
use super::worth::Detail;
use super::{Plan, SectorForm, build};
use crate::error::{Error, Result};
use crate::morris::tables::{IndexMaker, Known, SectorTable, value_of};

/// Mean number of quiet turns above which a sector is not derived from them: one look-up each would take too long.
const MOST_TURNS: u64 = 16;
/// Positions that the mean is taken over.
const TURNS_SAMPLE: usize = 4096;

/// One row of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The sector.
    pub sector: String,
    /// What it is.
    pub form: String,
    /// Bytes that look-ups need, see [`SectorForm::bytes`]; `null` where it was not built.
    pub bytes: Option<u64>,
    /// Positions, up to symmetry, by these bytes.
    pub positions_per_byte: Option<f64>,
    /// Mean time of a look-up of a random position, in nanoseconds; `null` where it was not measured.
    pub lookup_ns: Option<f64>,
    /// Seconds to build it from the table.
    pub build_seconds: Option<f64>,
    /// Whether no other row of the sector has fewer bytes, nor an earlier one as few.
    pub smallest: bool,
    /// Anything to know about the row.
    pub note: String,
}

/// An automaton that may be kept.
#[derive(Debug)]
pub struct Candidate {
    /// How it was made.
    pub plan: Plan,
    /// How it is looked up.
    pub words: Words,
    /// The automaton.
    pub automaton: MultiRoot,
    /// Seconds it took.
    pub build_seconds: f64,
}

/// The automata of a sector with either side as root, with and without a probe.
///
/// # Errors
/// As for [`build`].
pub fn candidates(
    rules: &Rules,
    maker: &IndexMaker,
    table: &SectorTable,
    known: &Known,
    detail: Detail,
    order: &PointOrder,
) -> Result<Vec<Candidate>> {
    let probes = [Probe::Nothing, Probe::Captures];
    let plans: Vec<Plan> = RootSide::BOTH
        .iter()
        .flat_map(|&root_side| probes.map(|probe| Plan { root_side, probe, detail, order: order.clone() }))
        .collect();
    let candidate = |plan: Plan| {
        let began = Instant::now();
        let (words, automaton) = build(rules, maker, table, known, &plan)?;
        Ok(Candidate { plan, words, automaton, build_seconds: began.elapsed().as_secs_f64() })
    };
    plans.into_par_iter().map(candidate).collect()
}

/// Which sectors have an automaton of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every one: look-ups are fastest.
    All,
    /// One of each pair: the other is derived from it by a look at all turns, which takes least bytes.
    OneOfPair,
}

/// Which candidate each sector of a unit keeps, `None` where it is derived from the other sector of the unit. Kept is the smallest
/// without a probe, unless one with a probe saves a sixteenth; derived is what saves most, among sectors with few turns.
///
/// *Cost*: the turns of some thousand positions.
pub fn choose(
    rules: &Rules,
    tables: &[&SectorTable],
    candidates: &[Vec<Candidate>],
    keep: Keep,
) -> Vec<Option<usize>> {
    let cost = |candidate: &Candidate| {
        let sixteenths = if candidate.plan.probe == Probe::Nothing { 15 } else { 16 };
        candidate.automaton.bytes() * sixteenths
    };
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

/// Random positions of a sector, each slot that is no hole as likely as another, turned and reflected at random.
pub fn sample(table: &SectorTable, count: usize, seed: u64) -> Vec<State> {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let symmetries = table.index.symmetries();
    let mut states = Vec::with_capacity(count);
    // Of any run of slots most are positions.
    for _ in 0..count.saturating_mul(64) {
        if states.len() == count {
            break;
        }
        let slot = rng.random_range(0..table.codes.num_slots());
        let op = rng.random_range(0..symmetries.len()) as u8;
        if table.codes.get(slot) != table.codes.width().hole() {
            let state = table.state(slot);
            let image = |set| symmetries.apply(op, set);
            states.push(State { own: image(state.own), other: image(state.other), ..state });
        }
    }
    states
}

/// Mean time of looking up each of `states` once, in nanoseconds.
///
/// # Errors
/// What a look-up gives.
pub fn mean_lookup_ns(form: &mut dyn SectorForm, states: &[State]) -> Result<f64> {
    let began = Instant::now();
    let mut wins = 0u64;
    for &state in states {
        wins += u64::from(form.value(state)? == Value::Win);
    }
    std::hint::black_box(wins);
    Ok(began.elapsed().as_secs_f64() * 1e9 / states.len().max(1) as f64)
}

/// An automaton on trial: what it says is completed by the sectors of `forms`.
struct OnTrial<'a> {
    forms: &'a Forms<'a>,
    candidate: &'a Candidate,
}

impl SectorForm for OnTrial<'_> {
    fn name(&self) -> String {
        let Plan { root_side, probe, detail, .. } = &self.candidate.plan;
        let probe = if *probe == Probe::Captures { ", captures left open" } else { "" };
        let depths = if *detail == Detail::Depths { ", with depths" } else { "" };
        format!("multi-root automaton, root {}{probe}{depths}", root_side.name())
    }

    fn bytes(&self) -> u64 {
        self.candidate.automaton.bytes()
    }

    fn value(&mut self, state: State) -> Result<Value> {
        Ok(self.forms.completed(&self.candidate.words, &self.candidate.automaton, state)?.value())
    }

    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        let worth = self.forms.completed(&self.candidate.words, &self.candidate.automaton, state)?;
        Ok((self.candidate.plan.detail == Detail::Depths).then(|| worth.depth()))
    }
}

/// The sector as `forms` keep it.
struct Kept<'a> {
    forms: &'a Forms<'a>,
    bytes: u64,
}

impl SectorForm for Kept<'_> {
    fn name(&self) -> String {
        "kept".into()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn value(&mut self, state: State) -> Result<Value> {
        Ok(self.forms.worth(state)?.value())
    }

    fn depth(&mut self, state: State) -> Result<Option<Option<u16>>> {
        let worth = self.forms.worth(state)?;
        Ok((self.forms.detail() == Detail::Depths).then(|| worth.depth()))
    }
}

/// Measures one sector in every form. `forms` hold what is kept of this sector and of all that its turns lead to; `lookups` random
/// positions are timed, none for 0.
///
/// *Cost*: every form is built, and looked up for every position.
///
/// # Errors
/// [`Error::Rules`] when a form answers differently from the table; what building gives, but forms that would be too large are
/// rows that say so.
pub fn compare_sector(
    maker: &IndexMaker,
    table: &SectorTable,
    forms: &Forms<'_>,
    candidates: &[Candidate],
    zstd_levels: &[i32],
    lookups: usize,
) -> Result<Vec<Row>> {
    let trial = Trial { table, states: sample(table, lookups, 7) };
    let mut jobs: Vec<Job<'_>> = vec![Box::new(|| Ok(vec![trial.row("", 0.0, &mut ByteTable(table))?]))];
    let mut list = |kind, root_side| {
        let trial = &trial;
        jobs.push(Box::new(move || {
            let began = Instant::now();
            let mut listed = Listed::new(maker, table, root_side, kind, u64::MAX)?;
            let seconds = began.elapsed().as_secs_f64();
            let note =
                listed.code_bytes().map_or(String::new(), |bytes| format!("{bytes} bytes without index"));
            Ok(vec![trial.row(&note, seconds, &mut listed)?])
        }));
    };
    list(ListedKind::TwoBits, RootSide::Own);
    RootSide::BOTH.iter().for_each(|&root_side| list(ListedKind::RunLength, root_side));
    zstd_levels.iter().for_each(|&level| list(ListedKind::Zstd(level), RootSide::Own));
    jobs.push(Box::new(|| trial.plain(&PointOrder::best(maker.num_points()))));
    for candidate in candidates {
        let trial = &trial;
        jobs.push(Box::new(move || {
            let note = format!("{} states", candidate.automaton.num_states());
            Ok(vec![trial.row(&note, candidate.build_seconds, &mut OnTrial { forms, candidate })?])
        }));
    }
    if let Some((bytes, note)) = forms.kept(table.sector) {
        let trial = &trial;
        jobs.push(Box::new(move || Ok(vec![trial.row(&note, 0.0, &mut Kept { forms, bytes })?])));
    }
    // What is timed has the machine to itself.
    let rows: Result<Vec<Vec<Row>>> = if lookups > 0 {
        jobs.iter().map(|job| job()).collect()
    } else {
        jobs.par_iter().map(|job| job()).collect()
    };
    let mut rows = rows?.concat();
    let smallest = (0..rows.len()).filter(|&i| rows[i].bytes.is_some()).min_by_key(|&i| rows[i].bytes);
    if let Some(row) = smallest.and_then(|i| rows.get_mut(i)) {
        row.smallest = true;
    }
    Ok(rows)
}

/// Builds and measures a form, or several that are made together.
type Job<'a> = Box<dyn Fn() -> Result<Vec<Row>> + Send + Sync + 'a>;

/// What all forms of a sector are put to.
struct Trial<'a> {
    table: &'a SectorTable,
    states: Vec<State>,
}

impl Trial<'_> {
    /// Looks up every position, and the random ones by the clock.
    fn row(&self, note: &str, build_seconds: f64, form: &mut dyn SectorForm) -> Result<Row> {
        let num_positions = check(form, self.table)?;
        let timed = !self.states.is_empty();
        Ok(Row {
            sector: self.table.sector.to_string(),
            form: form.name(),
            bytes: Some(form.bytes()),
            positions_per_byte: (form.bytes() > 0).then(|| num_positions as f64 / form.bytes() as f64),
            lookup_ns: timed.then(|| mean_lookup_ns(form, &self.states)).transpose()?,
            build_seconds: Some(build_seconds),
            smallest: false,
            note: note.into(),
        })
    }

    /// Automaton and diagrams of whole boards, where they are not too large.
    fn plain(&self, order: &PointOrder) -> Result<Vec<Row>> {
        let began = Instant::now();
        match plain_forms(self.table, order) {
            Ok(mut forms) => {
                let seconds = began.elapsed().as_secs_f64();
                let note = format!("{} states", forms.automaton.num_states());
                Ok(vec![
                    self.row(&note, seconds, &mut forms.automaton)?,
                    #[cfg(feature = "bdd")]
                    self.row("", seconds, &mut forms.bdd)?,
                ])
            }
            Err(error @ (Error::TooLarge { .. } | Error::Dfa(_))) => Ok(vec![Row {
                sector: self.table.sector.to_string(),
                form: "plain automaton, BDD".into(),
                bytes: None,
                positions_per_byte: None,
                lookup_ns: None,
                build_seconds: None,
                smallest: false,
                note: format!("not built: {error}"),
            }]),
            Err(error) => Err(error),
        }
    }
}

/// Looks up every position and compares with the table; gives how many there are.
///
/// # Errors
/// [`Error::Rules`] when an answer differs; what a look-up gives.
pub fn check(form: &mut dyn SectorForm, table: &SectorTable) -> Result<u64> {
    let mut num_positions = 0;
    for (state, expected) in positions(table) {
        num_positions += 1;
        let value = form.value(state)?;
        if value != value_of(expected) {
            return Err(wrong(form, table, state, expected, &format!("{value:?}")));
        }
    }
    for (state, expected) in positions(table) {
        match form.depth(state)? {
            None => break,
            Some(depth) if depth == expected => {}
            Some(depth) => return Err(wrong(form, table, state, expected, &format!("{depth:?} plies"))),
        }
    }
    Ok(num_positions)
}

/// All positions of a sector with their depths.
fn positions(table: &SectorTable) -> impl Iterator<Item = (State, Option<u16>)> {
    let hole = table.codes.width().hole();
    let slots = (0..table.codes.num_slots()).filter(move |&slot| table.codes.get(slot) != hole);
    slots.map(|slot| (table.state(slot), table.depth_at(slot)))
}

fn wrong(form: &dyn SectorForm, table: &SectorTable, state: State, depth: Option<u16>, found: &str) -> Error {
    Error::Rules {
        game: format!("sector {}", table.sector),
        reason: format!("'{}' answers {found} where the table has depth {depth:?}, {state:?}", form.name()),
    }
}
