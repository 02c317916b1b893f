//! The results of `nerode verify`, as JSON and as text.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use nerode_dfa::Dfa;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Count, Outcome, Output, counted, duration};
use crate::cli::resources::peak_rss_bytes;
use nerode_morris::sets::SectorSets;
use nerode_morris::tables::Sector;
use nerode_solver::check::Report;

/// A sector that was solved again as sets, and the resources that this took.
#[derive(JsonSchema, Serialize)]
pub(super) struct SetsLine {
    /// The sector.
    pub(super) sector: String,
    /// The number of positions.
    positions: Count,
    /// The number of won and lost positions.
    decided: Count,
    /// The total number of states of the sets of all depths.
    pub(super) num_states: usize,
    /// The number of states of the largest of these sets.
    largest_num_states: usize,
    /// The number of plies of the longest win or loss.
    pub(super) max_dtw: usize,
    /// The time in seconds for solving it, including dependencies that were not solved before.
    pub(super) solve_seconds: f64,
    /// The time in seconds for comparing.
    pub(super) compare_seconds: f64,
}

impl SetsLine {
    pub(super) fn new(sector: Sector, sets: &SectorSets, seconds: [f64; 2]) -> Result<Self> {
        let counts = sets.by_depth.iter().map(Dfa::count).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            sector: sector.to_string(),
            positions: Count(sets.all.count()?),
            decided: Count(counts.iter().sum()),
            num_states: sets.num_states(),
            largest_num_states: sets.largest_num_states(),
            max_dtw: sets.by_depth.len().saturating_sub(1),
            solve_seconds: seconds[0],
            compare_seconds: seconds[1],
        })
    }
}

/// A file with which a sector was compared.
#[derive(JsonSchema, Serialize)]
pub(super) struct FileLine {
    /// The path of the file.
    pub(super) file: PathBuf,
    /// The sector.
    pub(super) sector: String,
    /// The number of positions checked.
    pub(super) checked: Count,
    /// The number of positions that differ.
    pub(super) mismatches: Count,
}

/// The result of one of several checks.
#[derive(JsonSchema, Serialize)]
struct CheckLine {
    /// The check.
    check: &'static str,
    /// The number of positions checked.
    checked: Count,
    /// The number of positions that are wrong.
    mismatches: Count,
}

/// The results of checks. The exit code is 1 if there is a mismatch.
///
/// A position is a board with a side to move. Each position counts once, and symmetric positions are different ones. A position is
/// wrong if what is stored about it does not follow from what is stored about the positions to which its moves lead, or differs from
/// that with which it was compared.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Verified {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The checks.
    checks: Vec<&'static str>,
    /// The number of positions whose values were checked; of several checks, the largest number.
    checked: Count,
    /// The number of positions that are wrong; of several checks, the largest number. A wrong number in a manifest counts as one.
    mismatches: Count,
    /// The results of the single checks, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    results: Vec<CheckLine>,
    /// The first mismatch in words, or null if there is none.
    first_mismatch: Option<String>,
    /// The number of positions that the solution has not decided, if there are any. Checks confirm that they are not decided
    /// yet, and no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<Count>,
    /// Present and false if only the last sets were checked, because the run keeps no others or as requested, so that no check
    /// covered depths or earlier plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    depths_checked: Option<bool>,
    /// The requested sectors that are missing, and which were not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missing_sectors: Vec<String>,
    /// Sectors that were solved again as sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sets: Vec<SetsLine>,
    /// Files with which sectors were compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<FileLine>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
}

/// Prints the results in `report` of checks other than comparisons of sets.
pub(super) fn print_report(
    game: String,
    checks: Vec<&'static str>,
    report: Report,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    print(Verified::new(game, checks, report, began), out)
}

impl Verified {
    pub(super) fn new(game: String, checks: Vec<&'static str>, report: Report, began: Instant) -> Self {
        Self {
            game,
            checks,
            checked: Count(report.checked),
            mismatches: Count(report.mismatches),
            results: Vec::new(),
            first_mismatch: report.first_mismatch,
            unknown: None,
            depths_checked: None,
            missing_sectors: Vec::new(),
            sets: Vec::new(),
            files: Vec::new(),
            seconds: began.elapsed().as_secs_f64(),
            peak_rss_bytes: peak_rss_bytes(),
        }
    }
}

impl Verified {
    /// Creates the results of several checks, each of which counts every position once.
    pub(super) fn of_checks(game: String, reports: Vec<(&'static str, Report)>, began: Instant) -> Self {
        let most = |number: fn(&Report) -> u128| reports.iter().map(|(_, report)| number(report)).max();
        let all = Report {
            checked: most(|report| report.checked).unwrap_or(0),
            mismatches: most(|report| report.mismatches).unwrap_or(0),
            first_mismatch: reports.iter().find_map(|(_, report)| report.first_mismatch.clone()),
            ..Report::default()
        };
        let mut checks: Vec<&'static str> = reports.iter().map(|(check, _)| *check).collect();
        checks.dedup();
        let line = |(check, report): &(&'static str, Report)| CheckLine {
            check,
            checked: Count(report.checked),
            mismatches: Count(report.mismatches),
        };
        let results = reports.iter().filter(|_| reports.len() > 1).map(line).collect();
        Self { results, ..Self::new(game, checks, all, began) }
    }

    /// Records that the run is unfinished, so that only its existing plies were checked.
    pub(super) fn so_far(mut self, so_far: bool) -> Self {
        if so_far {
            self.checks.insert(0, "so far");
        }
        self
    }

    /// Adds the number of positions that the solution leaves unknown.
    pub(super) fn leaving(self, unknown: u128) -> Self {
        Self { unknown: (unknown > 0).then_some(Count(unknown)), ..self }
    }

    /// Records whether checks covered depths and earlier plies.
    pub(super) fn with_depths(self, were_checked: bool) -> Self {
        Self { depths_checked: (!were_checked).then_some(false), ..self }
    }
}

/// Prints the results, and returns whether all checks passed.
pub(super) fn print(verified: Verified, out: &Output) -> Result<Outcome> {
    out.result(&verified, |v| {
        let mut text = format!(
            "{} ({}): {}, {}, {}\n",
            v.game,
            v.checks.join(", "),
            counted(v.checked.0, "position checked", "positions checked"),
            counted(v.mismatches.0, "mismatch", "mismatches"),
            duration(v.seconds)
        );
        for CheckLine { check, checked, mismatches } in &v.results {
            let checked = counted(checked.0, "position checked", "positions checked");
            text += &format!("{check}: {checked}, {}\n", counted(mismatches.0, "mismatch", "mismatches"));
        }
        for line in &v.sets {
            text += &format!(
                "{}: {}, longest {}, solved in {}, compared in {}\n",
                line.sector,
                counted(line.num_states as u128, "state", "states"),
                counted(line.max_dtw as u128, "ply", "plies"),
                duration(line.solve_seconds),
                duration(line.compare_seconds)
            );
        }
        for line in v.files.iter().filter(|_| v.files.len() > 1) {
            let checked = counted(line.checked.0, "position checked", "positions checked");
            let wrong = counted(line.mismatches.0, "mismatch", "mismatches");
            text += &format!("{}: {checked}, {wrong}\n", line.file.display());
        }
        if let Some(first) = &v.first_mismatch {
            text += &format!("first: {first}\n");
        }
        if v.depths_checked == Some(false) {
            text += "depths and earlier plies were not checked, only the last sets\n";
        }
        if let Some(unknown) = &v.unknown {
            let unknown = counted(
                unknown.0,
                "position is unknown and has no value to check",
                "positions are unknown and have no values to check",
            );
            text += &format!("{unknown}\n");
        }
        text
    })?;
    Ok(if verified.mismatches == Count(0) { Outcome::Done } else { Outcome::Mismatch })
}
