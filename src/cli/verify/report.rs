//! The results of `nerode verify`, as JSON and as text.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use nerode_dfa::Dfa;
use serde::Serialize;

use crate::cli::output::{Outcome, Output, counted, grouped};
use crate::cli::resources::peak_rss_bytes;
use nerode_morris::sets::SectorSets;
use nerode_morris::tables::Sector;
use nerode_solver::check::Report;

/// The resources that solving a sector as sets took.
#[derive(Serialize)]
pub(super) struct SetsLine {
    pub(super) sector: String,
    positions: String,
    decided: String,
    /// The total number of states of the sets of all depths, and that of the largest one.
    pub(super) num_states: usize,
    largest_num_states: usize,
    pub(super) max_dtw: usize,
    /// The times in seconds for solving it, including dependencies that were not solved before, and for comparing.
    pub(super) solve_seconds: f64,
    pub(super) compare_seconds: f64,
}

impl SetsLine {
    pub(super) fn new(sector: Sector, sets: &SectorSets, seconds: [f64; 2]) -> Result<Self> {
        let counts = sets.by_depth.iter().map(Dfa::count).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            sector: sector.to_string(),
            positions: sets.all.count()?.to_string(),
            decided: counts.iter().sum::<u128>().to_string(),
            num_states: sets.num_states(),
            largest_num_states: sets.largest_num_states(),
            max_dtw: sets.by_depth.len().saturating_sub(1),
            solve_seconds: seconds[0],
            compare_seconds: seconds[1],
        })
    }
}

/// The result of checking a file.
#[derive(Serialize)]
pub(super) struct FileLine {
    pub(super) file: PathBuf,
    pub(super) sector: String,
    pub(super) checked: String,
    pub(super) mismatches: String,
}

/// The checks and their results.
#[derive(Serialize)]
pub(super) struct Verified {
    game: String,
    checks: Vec<&'static str>,
    checked: String,
    mismatches: String,
    first_mismatch: Option<String>,
    /// The number of positions that the run has not decided, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
    /// Sectors that were solved as sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sets: Vec<SetsLine>,
    /// Files with which sectors were compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<FileLine>,
    seconds: f64,
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
            checked: report.checked.to_string(),
            mismatches: report.mismatches.to_string(),
            first_mismatch: report.first_mismatch,
            unknown: None,
            sets: Vec::new(),
            files: Vec::new(),
            seconds: began.elapsed().as_secs_f64(),
            peak_rss_bytes: peak_rss_bytes(),
        }
    }
}

impl Verified {
    /// Adds the number of positions that the run leaves unknown.
    pub(super) fn leaving(self, unknown: u128) -> Self {
        Self { unknown: (unknown > 0).then(|| unknown.to_string()), ..self }
    }
}

/// Prints the results, and returns whether all checks passed.
pub(super) fn print(verified: Verified, out: &Output) -> Result<Outcome> {
    out.result(&verified, |v| {
        let number = |text: &str, one: &str, many: &str| counted(text.parse().unwrap_or(0), one, many);
        let mut text = format!(
            "{} ({}): {}, {}, {:.2} s\n",
            v.game,
            v.checks.join(", "),
            number(&v.checked, "position checked", "positions checked"),
            number(&v.mismatches, "mismatch", "mismatches"),
            v.seconds
        );
        for line in &v.sets {
            text += &format!(
                "{}: {} states, longest {} plies, solved in {:.2} s, compared in {:.2} s\n",
                line.sector,
                grouped(line.num_states as u128),
                line.max_dtw,
                line.solve_seconds,
                line.compare_seconds
            );
        }
        for line in v.files.iter().filter(|_| v.files.len() > 1) {
            let checked = number(&line.checked, "position checked", "positions checked");
            let wrong = number(&line.mismatches, "mismatch", "mismatches");
            text += &format!("{}: {checked}, {wrong}\n", line.file.display());
        }
        if let Some(first) = &v.first_mismatch {
            text += &format!("first: {first}\n");
        }
        if let Some(unknown) = &v.unknown {
            let unknown = number(unknown, "position is", "positions are");
            text += &format!("{unknown} unknown in this run and could not be checked\n");
        }
        text
    })?;
    Ok(if verified.mismatches == "0" { Outcome::Done } else { Outcome::Mismatch })
}
