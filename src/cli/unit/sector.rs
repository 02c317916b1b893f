//! The command `nerode unit GAME SECTOR`, which solves one work unit of a morris game from the files of the units
//! that it needs.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_dfa::disk;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::cli::output::{Outcome, Output, duration};
use crate::cli::resources::peak_rss_bytes;
use crate::cli::sectors::{SectorLine, sector_table, sectors_named};
use nerode_morris::tables::{
    Seconds, Sector, SectorCounts, SectorDir, SectorSolution, SectorSolve, Unit, plan,
};

/// A work unit of a morris game.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct UnitSolved {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The first sector of the unit, which names it.
    unit: String,
    /// The sectors of the unit.
    sectors: Vec<SectorLine>,
    /// Whether it was solved before, so that nothing remained to be done.
    already_solved: bool,
    /// The time in seconds for reading the dependencies of the unit.
    seconds_read: f64,
    /// The time in seconds for solving.
    seconds_solve: f64,
    /// The time in seconds for checking.
    seconds_check: f64,
    /// The time in seconds for writing.
    seconds_write: f64,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
}

/// The counts of each sector of a unit.
type Counts = Vec<(Sector, SectorCounts)>;

/// Solves the unit of `sector` in `run_dir`.
pub(super) fn run(
    args: &Args,
    game: &str,
    (sector, run_dir): (&str, &Path),
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let solve = SectorSolve::open(game)?;
    let (rules, name) = (&solve.rules, &solve.name);
    let [sector] = sectors_named(rules, &[sector.to_string()])?[..] else {
        bail!("one sector is required");
    };
    plan(rules, &[sector])?;
    let resources = args.resources.resolve()?;
    let dir = solve.create(run_dir)?;
    let unit = Unit::of(rules, sector);
    let already_solved = dir.has(&unit);
    let (counts, seconds) = if already_solved {
        counts_before(run_dir, &unit, resources.memory)?
    } else {
        let check = args.check || dir.request()?.check;
        let done = solve.runner(&dir, &resources).checking(check).solve(&unit)?;
        (done.counts, done.seconds)
    };
    let solved = UnitSolved {
        game: name.spec.clone(),
        fingerprint: name.fingerprint.clone(),
        unit: unit.first().to_string(),
        sectors: unit_lines(&dir, &counts)?,
        already_solved,
        seconds_read: seconds.read,
        seconds_solve: seconds.solve,
        seconds_check: seconds.check,
        seconds_write: seconds.write,
        seconds: began.elapsed().as_secs_f64(),
        peak_rss_bytes: peak_rss_bytes(),
    };
    out.result(&solved, text)?;
    Ok(Outcome::Done)
}

fn text(solved: &UnitSolved) -> String {
    let end = if solved.already_solved {
        "already solved\n".to_string()
    } else {
        let [read, solve, check, write] =
            [solved.seconds_read, solved.seconds_solve, solved.seconds_check, solved.seconds_write];
        let checked = if check > 0.0 { format!("checked {}, ", duration(check)) } else { String::new() };
        let [read, solve, write] = [read, solve, write].map(duration);
        format!("read {read}, solved {solve}, {checked}written {write}\n")
    };
    format!("{}, unit {}\n\n{}\n{end}", solved.game, solved.unit, sector_table(&solved.sectors))
}

/// Returns the counts of a unit whose files exist, and the time in seconds for reading them.
fn counts_before(path: &Path, unit: &Unit, memory: u64) -> Result<(Counts, Seconds)> {
    let began = Instant::now();
    let solution = SectorSolution::open(path)?.with_memory(memory);
    let counts = |&sector: &Sector| {
        let counts = solution.table(sector)?.counts();
        solution.forget();
        Ok((sector, counts))
    };
    let counts = unit.sectors().iter().map(counts).collect::<Result<_>>()?;
    Ok((counts, Seconds { read: began.elapsed().as_secs_f64(), ..Seconds::default() }))
}

/// Returns the sectors of a solved unit.
fn unit_lines(dir: &SectorDir, counts: &[(Sector, SectorCounts)]) -> Result<Vec<SectorLine>> {
    let line = |(sector, counts): &(Sector, SectorCounts)| {
        let file = dir.file(*sector);
        let bytes = disk::metadata(&file)?.len();
        Ok(SectorLine::new(*sector, counts, file, bytes))
    };
    counts.iter().map(line).collect()
}
