//! The command `nerode solve GAME --engine table`, which computes one table of all positions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use nerode_dfa::disk;
use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use super::ahead::must_fit_table;
use super::left::Left;
use crate::cli::destination::is_standard_output;
use crate::cli::hints::advised;
use crate::cli::output::{Count, Outcome, Output, counted, duration, grouped, table};
use crate::cli::resources::ResourceArgs;
use crate::cli::sectors::start_text;
use nerode_oracle::{Control, ValueCounts, solve_orbits};
use nerode_report::run::Start;
use nerode_solver::archive::table::write_solution;
use nerode_solver::error::Error;

/// Positions by value for the side to move.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct SideCounts {
    /// The number of won positions.
    win: Count,
    /// The number of drawn positions.
    draw: Count,
    /// The number of lost positions.
    loss: Count,
}

/// A game solved as one table of all positions.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "TableSolved")]
pub(in crate::cli) struct Solved {
    /// The game with its parameters, such as `tictactoe:3x3`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The number of positions, with either side to move.
    positions: Count,
    /// The number of positions that the side to move wins.
    win: Count,
    /// The number of drawn positions.
    draw: Count,
    /// The number of positions that the side to move loses.
    loss: Count,
    /// The positions by side to move.
    sides: BTreeMap<String, SideCounts>,
    /// The start position.
    start: Start,
    /// The number of plies of the longest win or loss, or null if there is none.
    max_dtw: Option<u16>,
    /// The number of decided positions by plies to the end.
    dtw_histogram: BTreeMap<u64, Count>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The file of the table.
    file: PathBuf,
    /// The size of the file in bytes.
    bytes: u64,
}

/// Rejects standard output, and an existing file unless `overwrite` is set.
pub(in crate::cli) fn must_be_free(file: &Path, overwrite: bool) -> Result<()> {
    if is_standard_output(file) {
        return Err(advised(
            "a table is written to a file",
            "name one with --out; 'nerode export DIR --format table --out -' writes the table of a run to standard output",
        ));
    }
    if file.is_file() && !overwrite {
        return Err(advised(
            format!("{} already exists", file.display()),
            "replace it with --overwrite, or name another file with --out",
        ));
    }
    Ok(())
}

/// Solves `game` explicitly and writes the table to `file`.
pub(in crate::cli) fn make_table(
    game: &dyn Game,
    file: &Path,
    resources: &ResourceArgs,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let resources = resources.resolve()?;
    // A file that exists now may be replaced, but not one that another process creates in the meantime.
    let replaces = file.exists();
    must_fit_table(game.shape().num_words(), file, &resources)?;
    if let Some(parent) = file.parent() {
        disk::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    }
    let progress = out.progress("table");
    let threads = resources.pool()?;
    let solution = threads.install(|| {
        let control = Control {
            memory_limit: resources.memory,
            interrupt: &resources.interrupt,
            progress: &mut |done, total| progress.steps(done, total),
        };
        solve_orbits(game, &game.spec(), control)
    });
    progress.finish();
    let solution = solution.map_err(Error::from).map_err(|error| match error.is_interruption() {
        true => Left::of(error, "a table cannot be resumed, and nothing was written"),
        false => error.into(),
    })?;
    let bytes = write_solution(file, game, &solution, replaces)?;
    let stats = solution.stats();
    let total = |pick: fn(&ValueCounts) -> u64| Count::from(stats.sides.iter().map(pick).sum::<u64>());
    let solved = Solved {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        positions: (2 * solution.indexer().num_positions()).into(),
        win: total(|s| s.win),
        draw: total(|s| s.draw),
        loss: total(|s| s.loss),
        sides: sides(&stats.sides),
        start: Start::new(stats.start_side, stats.start),
        max_dtw: stats.max_depth(),
        dtw_histogram: histogram(&stats.histogram),
        seconds: began.elapsed().as_secs_f64(),
        file: file.into(),
        bytes,
    };
    out.result(&solved, text)?;
    Ok(Outcome::Done)
}

/// Returns the positions by depth, without the depths that no position has.
pub(super) fn histogram(counts: &[u64]) -> BTreeMap<u64, Count> {
    (0..).zip(counts).filter(|e| *e.1 > 0).map(|(depth, &n)| (depth, n.into())).collect()
}

/// Returns the positions by side to move.
pub(super) fn sides(counts: &[ValueCounts; 2]) -> BTreeMap<String, SideCounts> {
    ["P1", "P2"]
        .into_iter()
        .zip(counts)
        .map(|(name, s)| {
            (name.to_string(), SideCounts { win: s.win.into(), draw: s.draw.into(), loss: s.loss.into() })
        })
        .collect()
}

/// Formats positions by side and value, and by depth.
pub(super) fn values_text(
    sides: &BTreeMap<String, SideCounts>,
    both: [Count; 3],
    histogram: &BTreeMap<u64, Count>,
) -> String {
    let number = |count: Count| grouped(count.0);
    let row = |side: &str, counts: [Count; 3]| [vec![side.to_string()], counts.map(number).to_vec()].concat();
    let mut rows: Vec<Vec<String>> =
        sides.iter().map(|(side, c)| row(side, [c.win, c.draw, c.loss])).collect();
    rows.push(row("both", both));
    let depths: Vec<Vec<String>> = histogram.iter().map(|(d, n)| vec![d.to_string(), number(*n)]).collect();
    let values = table(&["to move", "win", "draw", "loss"], &rows);
    format!("{values}\n{}", table(&["depth", "positions"], &depths))
}

fn text(solved: &Solved) -> String {
    format!(
        "{} explicitly: {}\nstart     {}\n\n{}\ntime      {}\nfile      {} ({})\n",
        solved.game,
        counted(solved.positions.0, "position", "positions"),
        start_text(&solved.start),
        values_text(&solved.sides, [solved.win, solved.draw, solved.loss], &solved.dtw_histogram),
        duration(solved.seconds),
        solved.file.display(),
        counted(solved.bytes.into(), "byte", "bytes")
    )
}
