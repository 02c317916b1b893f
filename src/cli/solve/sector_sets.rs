//! The command `nerode solve GAME --engine sets --sector ...`, which solves placed sectors of morris games as sets.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use nerode_dfa::Dfa;
use schemars::JsonSchema;
use serde::Serialize;

use super::left::{Left, continues, stops_midway};
use crate::cli::output::{Outcome, Output, duration, table};
use crate::cli::resources::{ResourceArgs, peak_rss_bytes};
use crate::cli::sectors::{SetCounts, TITLES, sectors_named};
use crate::registry;
use nerode_morris::sets::{SectorSets, SectorSolver, SetsDir};
use nerode_morris::tables::Sector;

/// A sector solved as sets.
#[derive(JsonSchema, Serialize)]
struct Line {
    #[serde(flatten)]
    counts: SetCounts,
    /// The time in seconds, including dependencies that were not solved before.
    seconds: f64,
}

impl Line {
    fn new(sector: Sector, sets: &SectorSets, seconds: f64) -> Result<Self> {
        let of_set = |set: &Dfa| Ok((set.count()?, set.num_states()));
        let by_depth = sets.by_depth.iter().map(of_set).collect::<Result<Vec<_>>>()?;
        Ok(Self { counts: SetCounts::new(sector.to_string(), sets.all.count()?, &by_depth), seconds })
    }
}

/// The sectors of a morris game, solved as sets.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SectorSetsSolved")]
pub(in crate::cli) struct Solved {
    /// The game with its parameters, such as `morris:six`.
    game: String,
    /// The requested sectors.
    sectors: Vec<Line>,
    /// Sectors that were missing or damaged and have been solved now.
    solved_now: Vec<String>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
    /// The directory of the sectors.
    run_dir: PathBuf,
}

impl Solved {
    /// Returns `true` if nothing remained to be done.
    pub(in crate::cli) fn was_finished(&self) -> bool {
        self.solved_now.is_empty()
    }
}

/// Solves the named sectors and those on which they depend, or reads them from `path` if they exist there.
pub(in crate::cli) fn solve_sector_sets(
    spec: &str,
    names: &[String],
    path: &Path,
    mend: bool,
    resources: &ResourceArgs,
    out: &Output,
) -> Result<Solved> {
    let began = Instant::now();
    let resources = resources.resolve()?;
    let game = registry().open(spec)?;
    let sectors = sectors_named(game.sector_rules()?, names)?;
    if let Some(sector) = sectors.iter().find(|sector| sector.own_hand > 0 || sector.other_hand > 0) {
        bail!(
            "sector {sector} has stones in hand, which sectors as sets cannot represent; omit --engine sets"
        );
    }
    let mut solver = SectorSolver::new(game, &resources)?;
    let dir = SetsDir::create(path, solver.game())?;
    if !mend {
        dir.want(&sectors)?;
    }
    solver.keep_in(path)?;
    if mend {
        solver.mend();
    }
    continues(path, out);
    let progress = out.progress("solve");
    let mut lines = Vec::new();
    for &sector in &sectors {
        progress.item(format!("sector {sector} as sets"), lines.len(), sectors.len());
        let started = Instant::now();
        let sets = solver.solve([sector.own, sector.other]).map_err(|error| {
            let there = solver.solved_now().len();
            let left = format!("{} has {there} more sectors than before", path.display());
            if stops_midway(&error) { Left::of(error, left) } else { error.into() }
        })?;
        lines.push(Line::new(sector, &sets, started.elapsed().as_secs_f64())?);
    }
    progress.finish();
    Ok(Solved {
        game: solver.game().spec(),
        sectors: lines,
        solved_now: solver.solved_now().iter().map(|[own, other]| format!("{own}-{other}-0-0")).collect(),
        seconds: began.elapsed().as_secs_f64(),
        peak_rss_bytes: peak_rss_bytes(),
        run_dir: path.into(),
    })
}

/// Prints sectors.
pub(in crate::cli) fn print_sector_sets(solved: &Solved, out: &Output) -> Result<Outcome> {
    out.result(solved, text)?;
    Ok(Outcome::Done)
}

/// Formats the counts of positions with all rotations and reflections, as in the sets.
fn text(solved: &Solved) -> String {
    let row = |line: &Line| {
        let mut row = line.counts.row();
        row.push(format!("{:.2}", line.seconds));
        row
    };
    let header = [&TITLES[..], &["seconds"]].concat();
    let rows: Vec<Vec<String>> = solved.sectors.iter().map(row).collect();
    format!(
        "{}, sectors as sets\n{}\ntime           {}\nrun directory  {}",
        solved.game,
        table(&header, &rows),
        duration(solved.seconds),
        solved.run_dir.display()
    )
}
