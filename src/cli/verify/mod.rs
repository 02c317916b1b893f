//! `nerode verify RUN_DIR`.

mod sectors;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use nerode_games::Side;
use serde::Serialize;

use super::output::{Outcome, Output, Progress, grouped};
use super::resources::{ResourceArgs, peak_rss_bytes};
use crate::archive::solution::Solution;
use crate::archive::values::{FOLDER, Values};
use crate::check::{Report, one_ply, sample, tables, values};
use crate::morris::sets::against_run::against_sectors;
use crate::morris::tables::{SectorDir, SectorSolution};
use crate::outcome;

/// Arguments of `verify`: without an option, whole sets are checked against the rules one ply at a time.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory of a solved game
    run_dir: PathBuf,
    /// Compare every position with the explicit solver
    #[arg(long)]
    explicit: bool,
    /// Check the last sets alone: proves every value, not depths, in games that always end, in a small part of the time
    #[arg(long)]
    last: bool,
    /// Take a retrograde run that is not finished as one cut short after the last ply it has
    #[arg(long, conflicts_with_all = ["explicit", "last", "table", "values", "sets"])]
    so_far: bool,
    /// Compare every position with a table file, a run of a morris game also with a directory of its sectors; in a directory of
    /// sectors, with a file of Malom's
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Check N random positions of each side against the plain rules
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Check the values in a folder that 'nerode compact' wrote against this run
    #[arg(long, value_name = "DIR")]
    values: Option<PathBuf>,
    /// Seed of the random positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// In a directory of sectors: solve those named with --sector once more, as sets, and compare every position
    #[arg(long, requires = "sector", conflicts_with_all = ["table", "explicit", "last", "sample", "values"])]
    sets: bool,
    /// With --sets: keep solved sectors in this directory, and take from there what it has
    #[arg(long, value_name = "DIR", requires = "sets")]
    sets_dir: Option<PathBuf>,
    /// In a directory of sectors: check these alone
    #[arg(long, value_delimiter = ',')]
    sector: Vec<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Value of a start position, for JSON and text.
#[derive(Serialize)]
pub(super) struct StartValue {
    side: String,
    value: String,
    depth: Option<u32>,
}

impl StartValue {
    pub(super) fn new(side: Side, start: outcome::Outcome) -> Self {
        Self { side: side.to_string(), value: start.name().into(), depth: start.depth() }
    }

    pub(super) fn text(&self) -> String {
        let depth = self.depth.map_or(String::new(), |d| format!(" in {d}"));
        format!("{} to move: {}{depth}", self.side, self.value)
    }
}

#[derive(Serialize)]
struct Verified {
    game: String,
    checks: Vec<&'static str>,
    checked: String,
    mismatches: String,
    first_mismatch: Option<String>,
    /// Sectors solved as sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sets: Vec<sectors::SetsLine>,
    seconds: f64,
    peak_rss_bytes: Option<u64>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    if SectorDir::exists(&args.run_dir) {
        return sectors::verify_sectors(args, began, out);
    }
    let solution =
        if args.so_far { Solution::open(&args.run_dir)?.so_far()? } else { Solution::open(&args.run_dir)? };
    let resources = args.resources.resolve()?;
    let mut report = Report::default();
    let mut checks = Vec::new();
    if args.explicit {
        checks.push("explicit");
        let bar = Progress::bar("explicit");
        report
            .merge(tables::against_oracle(&solution, &resources, &mut |done, total| bar.steps(done, total))?);
    }
    if let Some(file) = &args.table {
        checks.push("table");
        report.merge(if SectorDir::exists(file) {
            against_sectors(&solution, &SectorSolution::open(file)?, &resources)?
        } else {
            tables::against_table(&solution, file, &resources)?
        });
    }
    if let Some(n) = args.sample {
        checks.push("sample");
        report.merge(sample::check(&solution, n, args.seed)?);
    }
    // Without an option: everything in the run directory.
    let attached = args.run_dir.join(FOLDER);
    let folder = match &args.values {
        None if checks.is_empty() && !args.last && Values::exists(&attached) => Some(&attached),
        named => named.as_ref(),
    };
    let one_ply = checks.is_empty() && args.values.is_none() && !args.last;
    if args.last {
        checks.push("last sets");
        report.merge(one_ply::check_last(&solution, &resources)?);
    }
    if let Some(folder) = folder {
        checks.push("values");
        report.merge(values::check(&Values::open(folder)?, &solution, &resources)?);
    }
    if one_ply {
        checks.push("one-ply");
        let spinner = Progress::spinner();
        let mut watch = |ply: u32| spinner.message(format!("ply {ply} of {}", solution.last_ply()));
        report.merge(one_ply::check(&solution, &resources, &mut watch)?);
    }
    if args.so_far {
        checks.insert(0, "so far");
    }
    print_report(solution.game.spec(), checks, report, began, out)
}

fn print_report(
    game: String,
    checks: Vec<&'static str>,
    report: Report,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    print(Verified::new(game, checks, report, began), out)
}

impl Verified {
    fn new(game: String, checks: Vec<&'static str>, report: Report, began: Instant) -> Self {
        Self {
            game,
            checks,
            checked: report.checked.to_string(),
            mismatches: report.mismatches.to_string(),
            first_mismatch: report.first_mismatch,
            sets: Vec::new(),
            seconds: began.elapsed().as_secs_f64(),
            peak_rss_bytes: peak_rss_bytes(),
        }
    }
}

fn print(verified: Verified, out: &Output) -> Result<Outcome> {
    out.result(&verified, |v| {
        let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
        let mut text = format!(
            "{} ({}): {} positions checked, {} mismatches, {:.2} s\n",
            v.game,
            v.checks.join(", "),
            number(&v.checked),
            number(&v.mismatches),
            v.seconds
        );
        for line in &v.sets {
            text += &format!(
                "{}: {} states, longest {} plies, solved in {:.2} s, compared in {:.2} s\n",
                line.sector,
                grouped(line.num_states as u128),
                line.longest,
                line.solve_seconds,
                line.compare_seconds
            );
        }
        if let Some(first) = &v.first_mismatch {
            text += &format!("first: {first}\n");
        }
        text
    })?;
    Ok(if verified.mismatches == "0" { Outcome::Done } else { Outcome::Mismatch })
}
