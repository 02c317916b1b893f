//! The command `nerode solve GAME --sector ...`, which solves sectors of a morris game, each into its own file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use nerode_dfa::disk;
use nerode_games::morris::Rules;
use schemars::JsonSchema;
use serde::Serialize;

use super::ahead::tell_sectors;
use super::left::{Left, continues, stops_midway};
use super::weights::Weights;
use crate::cli::output::{Count, Outcome, Output, counted, duration};
use crate::cli::ranked::{Pending, RankingChoice, Ranks, ranks_text};
use crate::cli::resources::{ResourceArgs, peak_rss_bytes};
use crate::cli::sectors::{
    SectorLine, must_be_closed, nothing_to_do, sector_table, sectors_named, start_text,
};
use nerode_morris::tables::ask::SectorSolution;
use nerode_morris::tables::{IndexMaker, Sector, SectorCounts, SectorSolve, Unit, UnitDone, plan, value_of};
use nerode_report::estimate::seconds_left;
use nerode_report::run::Start;

/// The game and the sectors to solve, and their destination.
pub(in crate::cli) struct SectorWork<'a> {
    spec: &'a str,
    sectors: &'a [String],
    run_dir: &'a Path,
    /// Whether existing files are read and, if they are damaged, recomputed.
    mend: bool,
    /// Whether the solve is started even if the disk is too small for all of it.
    anyway: bool,
    /// Whether every position is checked by forward play before a sector is written, even if the directory was not
    /// created with this option.
    check: bool,
    /// Whether and how draws are ranked.
    ranking: RankingChoice<'a>,
}

impl<'a> SectorWork<'a> {
    pub(in crate::cli) fn new(spec: &'a str, sectors: &'a [String], run_dir: &'a Path) -> Self {
        Self { spec, sectors, run_dir, mend: false, anyway: false, check: false, ranking: RankingChoice::No }
    }

    /// Also recomputes damaged files. An unfinished solve continues as far as the disk space allows.
    pub(in crate::cli) fn mending(self) -> Self {
        Self { mend: true, anyway: true, ranking: RankingChoice::AsBefore, ..self }
    }

    /// Starts the solve even if the disk may be too small for all of it.
    pub(in crate::cli) fn anyway(self, anyway: bool) -> Self {
        Self { anyway, ..self }
    }

    /// Checks every position if `check` is set.
    pub(in crate::cli) fn checking(self, check: bool) -> Self {
        Self { check, ..self }
    }

    /// Ranks draws as `ranking` describes.
    pub(in crate::cli) fn ranking(self, ranking: RankingChoice<'a>) -> Self {
        Self { ranking, ..self }
    }
}

/// The sectors of a morris game, solved as tables.
#[derive(Default, JsonSchema, Serialize)]
pub(in crate::cli) struct SectorsSolved {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The number of orbits of the first requested sector.
    orbits: Count,
    /// The number of these orbits that the side to move wins.
    win: Count,
    /// The number of these orbits that are drawn.
    draw: Count,
    /// The number of these orbits that the side to move loses.
    loss: Count,
    /// The number of plies of its longest win or loss, or null if there is none.
    max_dtw: Option<usize>,
    /// The number of its decided orbits by plies to the end.
    dtw_histogram: BTreeMap<usize, Count>,
    /// The start position, or null if its sector was not requested.
    start: Option<Start>,
    /// The requested sectors.
    sectors: Vec<SectorLine>,
    /// The number of work units that the requested sectors depend on, including their own.
    units: usize,
    /// The number of work units that this call solved.
    solved_units: usize,
    /// Sectors whose files were damaged and have been recomputed.
    mended: Vec<String>,
    /// The number of orbits of the work units that this call solved.
    solved_orbits: Count,
    /// The time in seconds for solving them.
    solve_seconds: f64,
    /// The number of orbits that this call checked by forward play, with `--check`, all of them correct.
    checked_orbits: Count,
    /// The time in seconds for checking them.
    check_seconds: f64,
    /// The ranks of draws, with `--ranked`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Ranks>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
    /// The directory of the sectors.
    run_dir: PathBuf,
}

/// Solves sectors, and all sectors on which they depend, into a directory.
pub(in crate::cli) fn solve_sectors(
    work: &SectorWork<'_>,
    resources: &ResourceArgs,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let solve = SectorSolve::open(work.spec)?;
    let roots = sectors_named(&solve.rules, work.sectors)?;
    let mut solve = solve.of(roots)?;
    let resources = resources.resolve()?;
    tell_sectors((&solve.rules, &solve.units, work.run_dir), work.anyway, &resources, out)?;
    let dir = solve.create(work.run_dir)?;
    dir.want(&solve.roots, work.check)?;
    let check = dir.request()?.check;
    let ranking = Pending::new(&work.ranking, &dir, &solve.rules, &solve.units)?;
    continues(work.run_dir, out);
    let maker = IndexMaker::new(&solve.rules.board);
    let progress = out.progress("solve");
    let (mut now, mut solve_seconds, mut check_seconds) = (Now::default(), 0.0, 0.0);
    if work.mend {
        progress.message(format!("reading the files in {}", work.run_dir.display()));
        now.mended = dir.damaged(&maker, &resources.interrupt)?;
        let others = damaged_units(&solve.rules, &solve.units, &now.mended)?;
        solve.units.extend(others);
    }
    let SectorSolve { rules, roots, units, .. } = &solve;
    let is_mended = |unit: &Unit| unit.sectors().iter().any(|sector| now.mended.contains(sector));
    let open = units.iter().filter(|unit| !dir.has(unit) || is_mended(unit));
    let weights = Weights::of(&maker, rules, open);
    let started = Instant::now();
    let left = |slots| {
        let left = seconds_left(slots, weights.all, started.elapsed().as_secs_f64(), resources.threads);
        [left.low, left.high]
    };
    progress.left(left(0));
    let mut watch = |done: &UnitDone| {
        let orbits: u64 = done.counts.iter().map(|(_, counts)| counts.num_positions).sum();
        if done.seconds.solve > 0.0 {
            now.orbits += orbits;
            now.units += 1;
        }
        if done.seconds.check > 0.0 {
            now.checked += orbits;
        }
        solve_seconds += done.seconds.solve;
        check_seconds += done.seconds.check;
        now.slots += weights.of_unit(&done.unit);
        progress.left(left(now.slots));
        progress.item(unit_message(done, orbits), done.progress.0, done.progress.1);
    };
    let again = now.mended.clone();
    let announce = |unit: &Unit| progress.begin(format!("solving unit {}", unit.first()));
    let runner = solve.runner(&dir, &resources).again(again).checking(check);
    let solved = runner.announcing(&announce).solve_all(units, &mut watch);
    progress.finish();
    solved.map_err(|error| {
        let there = units.iter().filter(|unit| dir.has(unit)).count();
        let left = format!("{} contains {there} of {} work units", work.run_dir.display(), units.len());
        if stops_midway(&error) { Left::of(error, left) } else { error.into() }
    })?;
    let mended: Vec<Sector> = now.mended.iter().copied().collect();
    let described = if roots.is_empty() { &mended } else { roots };
    let mut report = describe(work.run_dir, rules, described, resources.memory)?;
    report.units = units.len();
    report.solved_units = now.units;
    report.mended = now.mended.iter().map(Sector::to_string).collect();
    report.solved_orbits = now.orbits.into();
    report.solve_seconds = solve_seconds;
    report.checked_orbits = now.checked.into();
    report.check_seconds = check_seconds;
    let rank = |ranking: Pending| ranking.rank((&dir, rules, units), check, &resources, out);
    report.ranks = ranking.map(rank).transpose()?;
    report.seconds = began.elapsed().as_secs_f64();
    report.peak_rss_bytes = peak_rss_bytes();
    if work.mend && roots.is_empty() {
        must_be_closed(rules, &dir).map_err(|error| match &report.mended[..] {
            [] => error,
            mended => Left::of(error, format!("recomputed: {}", mended.join(" "))),
        })?;
    }
    let ranked = report.ranks.as_ref().map_or(0, Ranks::units_now);
    if work.mend && now.units == 0 && now.checked == 0 && ranked == 0 {
        out.note(&nothing_to_do(&dir, roots));
    }
    out.result(&report, solved_text)?;
    Ok(Outcome::Done)
}

/// Returns the units with `damaged` sectors that were not requested: imported sectors and those of single units. Each
/// unit comes after those on which it depends.
fn damaged_units(rules: &Rules, requested: &[Unit], damaged: &BTreeSet<Sector>) -> Result<Vec<Unit>> {
    let damaged: Vec<Sector> = damaged.iter().copied().collect();
    let is_damaged = |unit: &Unit| unit.sectors().iter().any(|sector| damaged.contains(sector));
    let units = plan(rules, &damaged)?.into_iter();
    Ok(units.filter(|unit| is_damaged(unit) && !requested.contains(unit)).collect())
}

/// The work done by this call.
#[derive(Default)]
struct Now {
    orbits: u64,
    slots: u64,
    /// The number of checked orbits.
    checked: u64,
    units: usize,
    /// Sectors whose files are damaged.
    mended: BTreeSet<Sector>,
}

/// Describes the sectors `roots` as they are stored in the directory.
fn describe(run_dir: &Path, rules: &Rules, roots: &[Sector], memory: u64) -> Result<SectorsSolved> {
    let solution = SectorSolution::open(run_dir)?.with_memory(memory);
    let mut lines = Vec::new();
    let mut first = SectorCounts::default();
    for (at, &root) in roots.iter().enumerate() {
        let counts = solution.table(root)?.counts();
        let file = solution.dir.file(root);
        let bytes = disk::metadata(&file)?.len();
        lines.push(SectorLine::new(root, &counts, file, bytes));
        if at == 0 {
            first = counts;
        }
    }
    let start = rules.start();
    let start = if roots.contains(&Sector::of(start)) {
        let depth = solution.table(Sector::of(start))?.depth(start);
        Some(Start {
            side: "P1".into(),
            category: value_of(depth).to_string(),
            dtw: depth.map(u32::from),
            dtw_at_most: None,
        })
    } else {
        None
    };
    let by_depth = first.by_depth.iter().enumerate().filter(|(_, n)| **n > 0);
    let (win, loss) = first.longest();
    Ok(SectorsSolved {
        game: solution.game.spec(),
        fingerprint: solution.game.fingerprint(),
        orbits: first.num_positions.into(),
        win: first.wins().into(),
        draw: first.draws.into(),
        loss: first.losses().into(),
        max_dtw: win.max(loss),
        dtw_histogram: by_depth.map(|(depth, n)| (depth, (*n).into())).collect(),
        start,
        sectors: lines,
        run_dir: run_dir.to_path_buf(),
        ..SectorsSolved::default()
    })
}

fn unit_message(done: &UnitDone, orbits: u64) -> String {
    format!(
        "unit {} solved, {}, {}",
        done.unit.first(),
        counted(orbits.into(), "orbit", "orbits"),
        duration(done.seconds.total())
    )
}

fn solved_text(solved: &SectorsSolved) -> String {
    let mut text = format!(
        "{}: {}, {} solved now in {}\n",
        solved.game,
        counted(solved.units as u128, "work unit", "work units"),
        counted(solved.solved_orbits.0, "orbit", "orbits"),
        duration(solved.solve_seconds)
    );
    if solved.check_seconds > 0.0 {
        text += &format!(
            "checked   {} by forward play in {}, 0 mismatches\n",
            counted(solved.checked_orbits.0, "orbit", "orbits"),
            duration(solved.check_seconds)
        );
    }
    if let Some(start) = &solved.start {
        text += &format!("start          {}\n", start_text(start));
    }
    text += &solved.ranks.as_ref().map_or_else(String::new, ranks_text);
    if !solved.mended.is_empty() {
        text += &format!("recomputed     {}\n", solved.mended.join(" "));
    }
    if !solved.sectors.is_empty() {
        text += &format!("\n{}\n", sector_table(&solved.sectors));
    }
    format!(
        "{text}time           {}\nrun directory  {}\n",
        duration(solved.seconds),
        solved.run_dir.display()
    )
}
