//! The numbers of solutions of every form.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::output::Output;
use crate::cli::solutions::solution_at;
use crate::cli::stats::layers::layer_lines;
use crate::cli::stats::set_lines::{SetLine, set_lines};
use crate::registry;
use nerode_dfa::disk::File;
use nerode_morris::sets::{SectorSetsSolution, SectorSummary};
use nerode_morris::tables::SectorFile;
use nerode_morris::tables::ask::SectorSolution;
use nerode_report::growth::{Growth, Row, Step, read};
use nerode_solver::archive::scores::ScoreDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::Error;

/// Returns the numbers of each solution. With `is_by_layer`, those of the largest sets of runs by layer.
pub(super) fn growths(
    solutions: &[PathBuf],
    is_by_layer: bool,
    memory: u64,
    out: &Output,
) -> Result<Vec<Growth>> {
    let progress = out.progress("plot");
    let mut growths = Vec::new();
    for given in solutions {
        progress.message(given.display().to_string());
        match given.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
            true => growths.extend(of_table(given)?),
            false => growths.push(of_solution(&solution_at(given, out)?, is_by_layer, memory)?),
        }
    }
    progress.finish();
    if is_by_layer && growths.iter().any(|growth| growth.step != Step::Layer) {
        bail!("only runs, and CSV files with a column 'layer', have numbers by layer");
    }
    Ok(growths)
}

fn of_table(path: &Path) -> Result<Vec<Growth>> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(read(file, path, &name)?)
}

fn of_solution(path: &Path, is_by_layer: bool, memory: u64) -> Result<Growth> {
    match kind_of(path) {
        Some(Contents::Sectors) => of_sectors(path),
        Some(Contents::SectorSets) => of_sector_sets(path),
        Some(Contents::Scores) => of_scores(path),
        Some(Contents::Run) => of_run(path, is_by_layer, memory),
        None if path.is_dir() => of_run(path, is_by_layer, memory),
        _ => bail!(
            "{} has no sets whose growth could be plotted; name a run, a search, sectors, scores or a CSV file",
            path.display()
        ),
    }
}

fn of_run(path: &Path, is_by_layer: bool, memory: u64) -> Result<Growth> {
    let solution = StoredRun::open_with(path, registry())?.with_memory(memory);
    let lines = set_lines(&solution)?;
    if is_by_layer {
        let layers = layer_lines(&solution, &lines)?;
        let rows = layers.into_iter().flat_map(|line| {
            let (label, step) = (Some(line.label), u32::try_from(line.layer).unwrap_or(u32::MAX));
            line.num_states.into_iter().map(move |(set, states)| Row {
                set,
                step,
                label: label.clone(),
                states: Some(states as u128),
                ..Row::default()
            })
        });
        return Ok(Growth::new(solution.game.spec(), Step::Layer, rows.collect()));
    }
    let row = |line| {
        let SetLine { set, ply, positions, num_states, bytes, .. } = line;
        Row {
            set,
            step: ply,
            positions: Some(positions.0),
            states: Some(num_states.into()),
            bytes: Some(bytes.into()),
            ..Row::default()
        }
    };
    // A mirror image has the numbers of its set.
    let rows = lines.into_iter().filter(|line| !line.mirror).map(row);
    Ok(Growth::new(solution.game.spec(), Step::Ply, rows.collect()))
}

/// Returns the numbers of tables, whose positions are those of all boards, as for sets.
fn of_sectors(path: &Path) -> Result<Growth> {
    let solution = SectorSolution::open(path)?;
    let num_points = solution.rules.board.num_points();
    let row = |(step, file): (u32, SectorFile)| Row {
        set: "sectors".into(),
        step,
        label: Some(file.sector.to_string()),
        positions: Some(file.sector.num_boards(num_points)),
        bytes: Some(file.bytes.into()),
        ..Row::default()
    };
    let rows = (0..).zip(solution.dir.sectors()?).map(row);
    Ok(Growth::new(solution.game.spec(), Step::Sector, rows.collect()))
}

fn of_sector_sets(path: &Path) -> Result<Growth> {
    let solution = SectorSetsSolution::open(path)?;
    let row = |(step, summary): (u32, &SectorSummary)| Row {
        set: "sectors".into(),
        step,
        label: Some(format!("{}-{}-0-0", summary.stones[0], summary.stones[1])),
        positions: Some(summary.num_positions),
        states: Some(summary.by_depth.iter().map(|set| set.num_states as u128).sum()),
        bytes: Some(summary.by_depth.iter().map(|set| u128::from(set.bytes)).sum()),
        ..Row::default()
    };
    let summaries = solution.summaries()?;
    let rows = (0..).zip(&summaries).map(row);
    Ok(Growth::new(solution.game.spec(), Step::Sector, rows.collect()))
}

fn of_scores(path: &Path) -> Result<Growth> {
    let scores = ScoreDir::open_with(path, registry())?;
    let mut rows = Vec::new();
    for (ply, file) in scores.manifest().plies().iter().enumerate() {
        let map = scores.map(ply)?;
        rows.push(Row {
            set: "scores".into(),
            step: u32::try_from(ply).unwrap_or(u32::MAX),
            positions: Some(map.select(|code| code != 0)?.count()?),
            states: Some(map.num_states() as u128),
            bytes: Some(file.bytes().into()),
            ..Row::default()
        });
    }
    Ok(Growth::new(scores.game.spec(), Step::Ply, rows))
}
