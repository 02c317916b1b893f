//! Measures the same sector in all forms in one run.
//!
//! Invariant: a row is created only after its form has answered for every position, and agreed with the table.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nerode_games::morris::State;
use nerode_games::{Value, counted, grouped};
use rayon::prelude::*;
use serde::Serialize;

use super::candidates::Candidate;
use super::form::SectorForm;
use super::forms::Forms;
use super::header::Probe;
use super::listed::{ByteTable, Listed, ListedKind};
use super::plain::plain_forms;
use super::plan::Plan;
use super::trial::{check_while, mean_lookup_ns, sample};
use super::words::{PointOrder, RootSide};
use super::worth::Detail;
use crate::tables::{IndexMaker, SectorTable};
use nerode_solver::error::{Error, Result, check_interrupt};

/// One row of a comparison.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The sector.
    pub sector: String,
    /// The name of the form.
    pub form: String,
    /// The number of bytes that look-ups need; `null` if the form was not built.
    pub bytes: Option<u64>,
    /// The number of positions, up to symmetry, per byte.
    pub orbits_per_byte: Option<f64>,
    /// The mean time of a look-up of a random position, in nanoseconds; `null` if it was not measured.
    pub lookup_ns: Option<f64>,
    /// The time in seconds to build the form from the table.
    pub build_seconds: Option<f64>,
    /// Whether no other row of the sector has fewer bytes, and no earlier row has equally few.
    pub smallest: bool,
    /// A remark on the row.
    pub note: String,
}

/// A kind of forms that are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// A table of bytes, with depths.
    Bytes,
    /// Two bits for each slot.
    TwoBits,
    /// Runs of equal depths.
    RunLength,
    /// Two bits for each slot, compressed with zstd.
    Zstd,
    /// The automaton and the diagrams of whole boards.
    Plain,
    /// Sector automata.
    Automata,
    /// The form in which `pack` stores the sector.
    Kept,
}

impl FormKind {
    /// All kinds, in the order of the rows.
    pub const ALL: [Self; 7] =
        [Self::Bytes, Self::TwoBits, Self::RunLength, Self::Zstd, Self::Plain, Self::Automata, Self::Kept];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::TwoBits => "2-bit",
            Self::RunLength => "run-length",
            Self::Zstd => "zstd",
            Self::Plain => "plain",
            Self::Automata => "automata",
            Self::Kept => "kept",
        }
    }

    /// Returns `true` if the form is made from sector automata, which are built for all sectors that a sector depends on.
    pub(super) fn is_of_automata(self) -> bool {
        matches!(self, Self::Automata | Self::Kept)
    }
}

/// An automaton under test, whose answers are completed by the sectors of `forms`.
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

/// The sector as represented in `forms`.
pub(super) struct StoredForm<'a> {
    forms: &'a Forms<'a>,
    bytes: u64,
}

impl<'a> StoredForm<'a> {
    pub(super) fn new(forms: &'a Forms<'a>, bytes: u64) -> Self {
        Self { forms, bytes }
    }
}

impl SectorForm for StoredForm<'_> {
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

/// Measures one sector in every form. `forms` must represent this sector and all sectors that its turns lead to. Times
/// `lookups` random positions, or none if `lookups` is 0.
///
/// *Cost*: builds every form, and looks up every position in it.
///
/// # Errors
/// Returns [`Error::Rules`] if a form disagrees with the table, the errors of building, or [`Error::Interrupted`] soon
/// after `interrupt` is set. A form that would be too large results in a row with a note instead of an error.
pub fn compare_sector(
    maker: &IndexMaker,
    table: &SectorTable,
    forms: &Forms<'_>,
    candidates: &[Candidate],
    zstd_levels: &[i32],
    lookups: usize,
    interrupt: &AtomicBool,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let work =
        Work { maker, table, forms, candidates, kinds: &FormKind::ALL, zstd_levels, lookups, interrupt };
    work.measure(&mut |_| (), &mut rows)?;
    Ok(rows)
}

/// The measurement of a sector.
pub(super) struct Work<'a> {
    pub(super) maker: &'a IndexMaker,
    pub(super) table: &'a SectorTable,
    pub(super) forms: &'a Forms<'a>,
    pub(super) candidates: &'a [Candidate],
    pub(super) kinds: &'a [FormKind],
    pub(super) zstd_levels: &'a [i32],
    pub(super) lookups: usize,
    pub(super) interrupt: &'a AtomicBool,
}

impl Work<'_> {
    /// Measures the forms of all `kinds`, calls `watch` before each form, and adds the rows to `rows`. If look-ups are timed, rows
    /// that were complete before an error are added as well; one is marked as the smallest only if all are complete.
    ///
    /// # Errors
    /// Returns the same errors as [`compare_sector`].
    pub(super) fn measure(&self, watch: &mut dyn FnMut(FormKind), rows: &mut Vec<Row>) -> Result<()> {
        let &Work { maker, table, forms, candidates, kinds, zstd_levels, lookups, interrupt } = self;
        let trial = Trial { table, states: sample(table, lookups, 7), interrupt };
        let mut jobs: Vec<(FormKind, Job<'_>)> =
            vec![(FormKind::Bytes, Box::new(|| Ok(vec![trial.row("", 0.0, &mut ByteTable(table))?])))];
        let mut list = |form, kind, root_side| {
            let trial = &trial;
            let job = move || {
                let began = Instant::now();
                let mut listed = Listed::new(maker, table, root_side, kind, u64::MAX)?;
                let seconds = began.elapsed().as_secs_f64();
                let note = listed
                    .code_bytes()
                    .map_or(String::new(), |bytes| format!("{} bytes without index", grouped(bytes.into())));
                Ok(vec![trial.row(&note, seconds, &mut listed)?])
            };
            jobs.push((form, Box::new(job)));
        };
        list(FormKind::TwoBits, ListedKind::TwoBits, RootSide::Own);
        RootSide::BOTH
            .iter()
            .for_each(|&root_side| list(FormKind::RunLength, ListedKind::RunLength, root_side));
        zstd_levels.iter().for_each(|&level| list(FormKind::Zstd, ListedKind::Zstd(level), RootSide::Own));
        jobs.push((FormKind::Plain, Box::new(|| trial.plain(&PointOrder::best(maker.num_points())))));
        for candidate in candidates {
            let trial = &trial;
            let job = move || {
                let note = counted(candidate.automaton.num_states() as usize, "state");
                Ok(vec![trial.row(&note, candidate.build_seconds, &mut OnTrial { forms, candidate })?])
            };
            jobs.push((FormKind::Automata, Box::new(job)));
        }
        if let Some((bytes, note)) = forms.size_and_note(table.sector) {
            let trial = &trial;
            let job = move || Ok(vec![trial.row(&note, 0.0, &mut StoredForm::new(forms, bytes))?]);
            jobs.push((FormKind::Kept, Box::new(job)));
        }
        jobs.retain(|(kind, _)| kinds.contains(kind));
        let first = rows.len();
        // Timed forms run one at a time, so that they do not disturb each other.
        if lookups > 0 {
            for (kind, job) in &jobs {
                trial.must_go_on()?;
                watch(*kind);
                rows.extend(job()?);
            }
        } else {
            let all = jobs.par_iter().map(|(_, job)| trial.must_go_on().and_then(|()| job()));
            rows.extend(all.collect::<Result<Vec<_>>>()?.concat());
        }
        let smallest = rows[first..].iter_mut().filter(|row| row.bytes.is_some()).min_by_key(|row| row.bytes);
        if let Some(row) = smallest {
            row.smallest = true;
        }
        Ok(())
    }
}

/// A function that builds and measures one form, or several that are built together.
type Job<'a> = Box<dyn Fn() -> Result<Vec<Row>> + Send + Sync + 'a>;

/// The conditions under which all forms of a sector are tested.
struct Trial<'a> {
    table: &'a SectorTable,
    states: Vec<State>,
    interrupt: &'a AtomicBool,
}

impl Trial<'_> {
    fn must_go_on(&self) -> Result<()> {
        check_interrupt(self.interrupt)
    }

    /// Looks up every position, and times the random ones.
    fn row(&self, note: &str, build_seconds: f64, form: &mut dyn SectorForm) -> Result<Row> {
        let num_positions = check_while(form, self.table, &mut || self.must_go_on())?;
        let timed = !self.states.is_empty();
        Ok(Row {
            sector: self.table.sector.to_string(),
            form: form.name(),
            bytes: Some(form.bytes()),
            orbits_per_byte: (form.bytes() > 0).then(|| num_positions as f64 / form.bytes() as f64),
            lookup_ns: timed.then(|| mean_lookup_ns(form, &self.states)).transpose()?,
            build_seconds: Some(build_seconds),
            smallest: false,
            note: note.into(),
        })
    }

    /// Measures the automaton and the diagrams of whole boards, unless they are too large.
    fn plain(&self, order: &PointOrder) -> Result<Vec<Row>> {
        let began = Instant::now();
        match plain_forms(self.table, order) {
            Ok(mut forms) => {
                let seconds = began.elapsed().as_secs_f64();
                let note = counted(forms.automaton.num_states(), "state");
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
                orbits_per_byte: None,
                lookup_ns: None,
                build_seconds: None,
                smallest: false,
                note: format!("not built: {error}"),
            }]),
            Err(error) => Err(error),
        }
    }
}
