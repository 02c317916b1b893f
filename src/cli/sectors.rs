//! What the commands for sectors of morris games share: names of sectors, counts as text and JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use nerode_games::morris::Rules;
use serde::Serialize;

use super::output::{Outcome, Output, Progress, grouped, table};
use super::resources::{ResourceArgs, peak_rss_bytes};
use crate::morris::compressed::{Row, compare_directory};
use crate::morris::malom::{FileName, export_sec};
use crate::morris::tables::ask::{SectorSolution, named_game};
use crate::morris::tables::{Runner, Sector, SectorCounts, SectorDir, UnitDone, plan, value_of};
use crate::solve::resources::Resources;

/// The sector of the empty board, for `--sector`.
const START: &str = "start";

/// Sectors by name; `start` is that of the empty board.
pub(super) fn sectors_named(rules: &Rules, names: &[String]) -> Result<Vec<Sector>> {
    let named = |name: &String| match name.as_str() {
        START => Ok(Sector::of(rules.start())),
        name => Ok(name.parse()?),
    };
    names.iter().map(named).collect()
}

/// The sectors named, or all of the directory.
pub(super) fn sectors_or_all(solution: &SectorSolution, names: &[String]) -> Result<Vec<Sector>> {
    match names {
        [] => Ok(solution.dir.sectors()?.into_iter().map(|file| file.sector).collect()),
        names => sectors_named(&solution.rules, names),
    }
}

/// Counts of one sector, seen by the side to move.
#[derive(Serialize)]
pub(super) struct SectorLine {
    pub(super) sector: String,
    positions: String,
    win: String,
    draw: String,
    loss: String,
    percent: [f64; 3],
    longest_win: Option<usize>,
    longest_loss: Option<usize>,
    pub(super) file: PathBuf,
    pub(super) bytes: u64,
}

impl SectorLine {
    pub(super) fn new(sector: Sector, counts: &SectorCounts, file: PathBuf, bytes: u64) -> Self {
        let (longest_win, longest_loss) = counts.longest();
        let three = [counts.wins(), counts.draws, counts.losses()];
        let percent = |n: u64| (n as f64 / counts.num_positions as f64 * 10_000.0).round() / 100.0;
        Self {
            sector: sector.to_string(),
            positions: counts.num_positions.to_string(),
            win: three[0].to_string(),
            draw: three[1].to_string(),
            loss: three[2].to_string(),
            percent: three.map(percent),
            longest_win,
            longest_loss,
            file,
            bytes,
        }
    }
}

/// Sectors as columns.
pub(super) fn sector_table(lines: &[SectorLine]) -> String {
    let number = |text: &String| text.parse().map_or_else(|_| text.clone(), grouped);
    let plies = |longest: Option<usize>| longest.map_or_else(|| "-".to_string(), |plies| plies.to_string());
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let percent = line.percent.map(|p| format!("{p:.2}")).join(" / ");
            vec![
                line.sector.clone(),
                number(&line.positions),
                number(&line.win),
                number(&line.draw),
                number(&line.loss),
                percent,
                plies(line.longest_win),
                plies(line.longest_loss),
            ]
        })
        .collect();
    table(&["sector", "positions", "win", "draw", "loss", "percent", "longest win", "loss"], &rows)
}

#[derive(Serialize)]
struct SectorsSolved {
    game: String,
    rules: String,
    /// Of the first sector asked for.
    positions: String,
    win: String,
    draw: String,
    loss: String,
    max_depth: Option<usize>,
    depth_histogram: BTreeMap<String, String>,
    /// Value of the empty board, where that was asked for.
    start: Option<StartLine>,
    sectors: Vec<SectorLine>,
    units: usize,
    /// Positions of the units solved now, and the seconds that solving alone took.
    solved_positions: String,
    solve_seconds: f64,
    seconds: f64,
    peak_rss_bytes: Option<u64>,
    run_dir: PathBuf,
}

#[derive(Serialize)]
struct StartLine {
    side: &'static str,
    value: String,
    depth: Option<u16>,
}

/// Solves sectors of `spec`, and all that they depend on, into a directory.
pub(super) fn solve_sectors(
    spec: &str,
    sectors: &[String],
    run_dir: &Path,
    resources: &ResourceArgs,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let (game, rules, name) = named_game(spec)?;
    let roots = sectors_named(&rules, sectors)?;
    let units = plan(&rules, &roots)?;
    let resources = resources.resolve()?;
    let dir = SectorDir::create(run_dir, name.clone(), &game.rules())?;
    let progress = Progress::spinner();
    let (mut solved_positions, mut solve_seconds) = (0u64, 0.0);
    let mut watch = |done: &UnitDone| {
        let positions: u64 = done.counts.iter().map(|(_, counts)| counts.num_positions).sum();
        solved_positions += positions;
        solve_seconds += done.seconds[1];
        progress.message(unit_message(done, positions));
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    pool.install(|| {
        Runner::new(&rules, &dir, resources.memory, &resources.interrupt).solve_all(&units, &mut watch)
    })?;
    progress.finish();
    let solution = SectorSolution::open(run_dir)?;
    let mut lines = Vec::new();
    let mut first = SectorCounts::default();
    for (at, &root) in roots.iter().enumerate() {
        let counts = solution.table(root)?.counts();
        let file = dir.file(root);
        let bytes = std::fs::metadata(&file)?.len();
        lines.push(SectorLine::new(root, &counts, file, bytes));
        if at == 0 {
            first = counts;
        }
    }
    let start = rules.start();
    let start = if roots.contains(&Sector::of(start)) {
        let depth = solution.table(Sector::of(start))?.depth(start);
        Some(StartLine { side: "P1", value: value_of(depth).to_string(), depth })
    } else {
        None
    };
    let by_depth = first.by_depth.iter().enumerate().filter(|(_, n)| **n > 0);
    let (win, loss) = first.longest();
    let solved = SectorsSolved {
        game: name.spec,
        rules: name.fingerprint,
        positions: first.num_positions.to_string(),
        win: first.wins().to_string(),
        draw: first.draws.to_string(),
        loss: first.losses().to_string(),
        max_depth: win.max(loss),
        depth_histogram: by_depth.map(|(depth, n)| (depth.to_string(), n.to_string())).collect(),
        start,
        sectors: lines,
        units: units.len(),
        solved_positions: solved_positions.to_string(),
        solve_seconds,
        seconds: began.elapsed().as_secs_f64(),
        peak_rss_bytes: peak_rss_bytes(),
        run_dir: run_dir.to_path_buf(),
    };
    out.result(&solved, solved_text)?;
    Ok(Outcome::Done)
}

fn unit_message(done: &UnitDone, positions: u64) -> String {
    format!(
        "unit {} ({} of {}): {} positions, {:.1} s",
        done.unit.first(),
        done.progress.0,
        done.progress.1,
        grouped(positions.into()),
        done.seconds.iter().sum::<f64>()
    )
}

fn solved_text(solved: &SectorsSolved) -> String {
    let mut text = format!(
        "{}: {} work units, {} positions solved now in {:.2} s\n",
        solved.game,
        solved.units,
        solved.solved_positions.parse().map_or_else(|_| solved.solved_positions.clone(), grouped),
        solved.solve_seconds
    );
    if let Some(start) = &solved.start {
        let depth = start.depth.map_or(String::new(), |plies| format!(" in {plies}"));
        text += &format!("start     {} to move: {}{depth}\n", start.side, start.value);
    }
    format!(
        "{text}\n{}\ntime      {:.2} s\nrun       {}\n",
        sector_table(&solved.sectors),
        solved.seconds,
        solved.run_dir.display()
    )
}

#[derive(Serialize)]
struct SectorStats {
    game: String,
    sectors: Vec<SectorLine>,
    positions: String,
    bytes: u64,
}

/// Counts of every sector of a directory.
pub(super) fn sector_stats(run_dir: &Path, out: &Output) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    let (mut lines, mut positions, mut bytes) = (Vec::new(), 0u64, 0);
    for file in solution.dir.sectors()? {
        let counts = solution.table(file.sector)?.counts();
        solution.forget();
        positions += counts.num_positions;
        bytes += file.bytes;
        lines.push(SectorLine::new(file.sector, &counts, file.path, file.bytes));
    }
    let stats =
        SectorStats { game: solution.game.spec(), sectors: lines, positions: positions.to_string(), bytes };
    out.result(&stats, |s| {
        format!(
            "{}: {} sectors, {} positions up to symmetry, {} bytes\n\n{}",
            s.game,
            s.sectors.len(),
            grouped(positions.into()),
            grouped(s.bytes.into()),
            sector_table(&s.sectors)
        )
    })?;
    Ok(Outcome::Done)
}

/// Malom's strong files of the sectors named, or of all, in the folder `folder`.
pub(super) fn export_sectors(
    run_dir: &Path,
    sectors: &[String],
    folder: &Path,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    let sectors = sectors_or_all(&solution, sectors)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut written = Vec::new();
    for sector in sectors {
        let (table, mut known) = solution.with_children(sector)?;
        known.insert(sector, table);
        let file = folder.join(FileName::strong(&solution.rules, sector)?.to_string());
        let export = || export_sec(&solution.rules, &[], &known, sector, &file, &resources.interrupt);
        pool.install(export)?;
        let bytes = std::fs::metadata(&file)?.len();
        written.push(FileLine { sector: sector.to_string(), file, bytes });
        solution.forget();
    }
    out.result(&written, |lines| {
        let row = |line: &FileLine| {
            vec![line.sector.clone(), line.file.display().to_string(), grouped(line.bytes.into())]
        };
        table(&["sector", "file", "bytes"], &lines.iter().map(row).collect::<Vec<_>>())
    })?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct FileLine {
    sector: String,
    file: PathBuf,
    bytes: u64,
}

/// Random positions of each sector whose look-ups are timed.
const LOOKUPS: usize = 20_000;

/// Sectors named, or all, in every form.
pub(super) fn compare_sectors(
    run_dir: &Path,
    sectors: &[String],
    threads: usize,
    progress: &Progress,
    out: &Output,
) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    let sectors = sectors_or_all(&solution, sectors)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut watch = |sector| progress.message(format!("sector {sector}"));
    let rows = pool.install(|| compare_directory(&solution, &sectors, LOOKUPS, &mut watch))?;
    progress.finish();
    out.result(&rows, |rows| forms_text(rows))?;
    Ok(Outcome::Done)
}

/// A line for each form, and what the smallest form of every sector takes in all.
fn forms_text(rows: &[Row]) -> String {
    let dash = || "-".to_string();
    let line = |row: &Row| {
        vec![
            format!("{}{} {}", if row.smallest { "* " } else { "  " }, row.sector, row.form),
            row.bytes.map_or_else(dash, |bytes| grouped(bytes.into())),
            row.positions_per_byte.map_or_else(dash, |r| format!("{r:.1}")),
            row.lookup_ns.map_or_else(dash, |ns| format!("{ns:.0}")),
            row.build_seconds.map_or_else(dash, |s| format!("{s:.2}")),
            row.note.clone(),
        ]
    };
    let lines = table(
        &["  form", "bytes", "positions/byte", "look-up ns", "build s", "note"],
        &rows.iter().map(line).collect::<Vec<_>>(),
    );
    let smallest = rows.iter().filter(|row| row.smallest);
    let bytes: u64 = smallest.clone().filter_map(|row| row.bytes).sum();
    format!(
        "{lines}\n* the smallest of each sector: {} bytes for {}",
        grouped(bytes.into()),
        smallest.count()
    )
}
