//! `nerode verify RUN_DIR`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_dfa::Dfa;
use nerode_games::Side;
use serde::Serialize;

use super::output::{Outcome, Output, Progress, grouped};
use super::resources::{ResourceArgs, peak_rss_bytes};
use super::sectors::sectors_or_all;
use crate::archive::solution::Solution;
use crate::archive::values::{FOLDER, Values};
use crate::check::{Report, one_ply, sample, tables, values};
use crate::morris::malom;
use crate::morris::sets::against_run::against_sectors;
use crate::morris::sets::{SectorSets, SectorSolver, compare};
use crate::morris::tables::{Sector, SectorDir, SectorSolution, check_sector};
use crate::outcome;
use crate::solve::resources::Resources;

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
    sets: Vec<SetsLine>,
    seconds: f64,
    peak_rss_bytes: Option<u64>,
}

/// What a sector took as sets.
#[derive(Serialize)]
struct SetsLine {
    sector: String,
    positions: String,
    decided: String,
    /// States of the sets of all depths together, and of the largest.
    num_states: usize,
    largest_num_states: usize,
    longest: usize,
    /// Solving it and what it depends on and was not solved before; comparing.
    solve_seconds: f64,
    compare_seconds: f64,
}

impl SetsLine {
    fn new(sector: Sector, sets: &SectorSets, seconds: [f64; 2]) -> Result<Self> {
        let counts = sets.by_depth.iter().map(Dfa::count).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            sector: sector.to_string(),
            positions: sets.all.count()?.to_string(),
            decided: counts.iter().sum::<u128>().to_string(),
            num_states: sets.num_states(),
            largest_num_states: sets.largest_num_states(),
            longest: sets.by_depth.len().saturating_sub(1),
            solve_seconds: seconds[0],
            compare_seconds: seconds[1],
        })
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    if SectorDir::exists(&args.run_dir) {
        return verify_sectors(args, began, out);
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

/// Plays every position of every sector of a directory forward by one ply.
fn verify_sectors(args: &Args, began: Instant, out: &Output) -> Result<Outcome> {
    if args.explicit || args.last || args.sample.is_some() || args.values.is_some() {
        bail!("a directory of sectors is checked by forward play, or with --table against a file of Malom's");
    }
    let solution = SectorSolution::open(&args.run_dir)?;
    let resources = args.resources.resolve()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    if let Some(file) = &args.table {
        let foreign = malom::open(file, &solution.rules, solution.maker())?;
        let table = solution.table(foreign.sector())?;
        let report =
            pool.install(|| malom::compare(&solution.rules, &table, &foreign, &resources.interrupt))?;
        return print_report(solution.game.spec(), vec!["table"], report, began, out);
    }
    let sectors = sectors_or_all(&solution, &args.sector)?;
    if args.sets {
        return against_sets(&solution, &sectors, args, &resources, began, out);
    }
    let progress = Progress::spinner();
    let mut report = Report::default();
    for (at, &sector) in sectors.iter().enumerate() {
        progress.message(format!("sector {sector} ({} of {})", at + 1, sectors.len()));
        let (table, known) = solution.with_children(sector)?;
        report.merge(pool.install(|| check_sector(&solution.rules, &table, &known, &resources.interrupt))?);
        solution.forget();
    }
    progress.finish();
    print_report(solution.game.spec(), vec!["forward play"], report, began, out)
}

/// Each sector solved as sets.
fn against_sets(
    solution: &SectorSolution,
    sectors: &[Sector],
    args: &Args,
    resources: &Resources,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    let mut solver = SectorSolver::new(&solution.game.spec(), resources)?;
    if let Some(dir) = &args.sets_dir {
        solver.keep_in(dir)?;
    }
    let progress = Progress::spinner();
    let mut report = Report::default();
    let mut lines = Vec::new();
    for &sector in sectors {
        progress.message(format!("sector {sector} as sets"));
        if sector.own_hand > 0 || sector.other_hand > 0 {
            bail!("sector {sector} has stones in hand; sets are solved for placed stones");
        }
        let table = solution.table(sector)?;
        let started = Instant::now();
        let sets = solver.solve([sector.own, sector.other])?;
        let solve_seconds = started.elapsed().as_secs_f64();
        report.merge(compare(solver.game(), &sets, &table)?);
        let compare_seconds = started.elapsed().as_secs_f64() - solve_seconds;
        lines.push(SetsLine::new(sector, &sets, [solve_seconds, compare_seconds])?);
    }
    progress.finish();
    let verified =
        Verified { sets: lines, ..Verified::new(solution.game.spec(), vec!["sets"], report, began) };
    print(verified, out)
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
