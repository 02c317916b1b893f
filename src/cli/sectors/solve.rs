//! `nerode explicit GAME --sector ...`: sectors of a morris game, each into a file of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use super::{SectorLine, sector_table, sectors_named, start_text};
use crate::cli::output::{Outcome, Output, grouped};
use crate::cli::resources::{ResourceArgs, peak_rss_bytes};
use crate::morris::tables::ask::{SectorSolution, named_game};
use crate::morris::tables::{Runner, Sector, SectorCounts, SectorDir, UnitDone, plan, value_of};
use crate::report::run::Start;

#[derive(Serialize)]
struct SectorsSolved {
    game: String,
    fingerprint: String,
    /// Of the first sector asked for.
    positions: String,
    win: String,
    draw: String,
    loss: String,
    max_dtw: Option<usize>,
    dtw_histogram: BTreeMap<String, String>,
    /// Value of the empty board, where that was asked for.
    start: Option<Start>,
    sectors: Vec<SectorLine>,
    units: usize,
    /// Positions of the units solved now, and the seconds that solving alone took.
    solved_positions: String,
    solve_seconds: f64,
    seconds: f64,
    peak_rss_bytes: Option<u64>,
    run_dir: PathBuf,
}

/// Solves sectors of `spec`, and all that they depend on, into a directory.
pub(in crate::cli) fn solve_sectors(
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
    let progress = out.progress("solve");
    let (mut solved_positions, mut solve_seconds) = (0u64, 0.0);
    let mut watch = |done: &UnitDone| {
        let positions: u64 = done.counts.iter().map(|(_, counts)| counts.num_positions).sum();
        solved_positions += positions;
        solve_seconds += done.seconds[1];
        progress.item(unit_message(done, positions), done.progress.0, done.progress.1);
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
        Some(Start { side: "P1".into(), category: value_of(depth).to_string(), dtw: depth.map(u32::from) })
    } else {
        None
    };
    let by_depth = first.by_depth.iter().enumerate().filter(|(_, n)| **n > 0);
    let (win, loss) = first.longest();
    let solved = SectorsSolved {
        game: name.spec,
        fingerprint: name.fingerprint,
        positions: first.num_positions.to_string(),
        win: first.wins().to_string(),
        draw: first.draws.to_string(),
        loss: first.losses().to_string(),
        max_dtw: win.max(loss),
        dtw_histogram: by_depth.map(|(depth, n)| (depth.to_string(), n.to_string())).collect(),
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
        "unit {} solved, {} positions, {:.1} s",
        done.unit.first(),
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
        text += &format!("start     {}\n", start_text(start));
    }
    format!(
        "{text}\n{}\ntime      {:.2} s\nrun       {}\n",
        sector_table(&solved.sectors),
        solved.seconds,
        solved.run_dir.display()
    )
}
