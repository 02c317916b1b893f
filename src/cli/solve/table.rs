//! The command `nerode solve GAME --engine table`, which computes one table of all positions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use nerode_dfa::disk;
use nerode_games::Game;
use serde::{Serialize, Serializer};

use super::ahead::must_fit_table;
use super::left::Left;
use crate::cli::destination::is_standard_output;
use crate::cli::hints::advised;
use crate::cli::output::{Outcome, Output, grouped, table};
use crate::cli::resources::ResourceArgs;
use crate::cli::sectors::start_text;
use nerode_oracle::{Control, Stats, solve};
use nerode_report::run::Start;
use nerode_solver::archive::table::write_solution;
use nerode_solver::error::Error;

/// Serializes a count of positions as a decimal string, because numbers in JSON are exact only up to 2^53.
fn decimal<S: Serializer>(count: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

fn decimals<S: Serializer>(counts: &BTreeMap<u64, u64>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.iter().map(|(depth, count)| (depth, count.to_string())))
}

#[derive(Serialize)]
struct SideCounts {
    #[serde(serialize_with = "decimal")]
    win: u64,
    #[serde(serialize_with = "decimal")]
    draw: u64,
    #[serde(serialize_with = "decimal")]
    loss: u64,
}

#[derive(Serialize)]
struct Solved {
    game: String,
    fingerprint: String,
    #[serde(serialize_with = "decimal")]
    positions: u64,
    #[serde(serialize_with = "decimal")]
    win: u64,
    #[serde(serialize_with = "decimal")]
    draw: u64,
    #[serde(serialize_with = "decimal")]
    loss: u64,
    sides: BTreeMap<String, SideCounts>,
    start: Start,
    max_dtw: Option<u16>,
    #[serde(serialize_with = "decimals")]
    dtw_histogram: BTreeMap<u64, u64>,
    seconds: f64,
    file: PathBuf,
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
        solve(game, &game.spec(), control)
    });
    progress.finish();
    let solution = solution.map_err(Error::from).map_err(|error| match error.is_interruption() {
        true => Left::of(error, "a table cannot be resumed, and nothing was written"),
        false => error.into(),
    })?;
    let bytes = write_solution(file, game, &solution, replaces)?;
    let stats = solution.stats();
    let total = |pick: fn(&nerode_oracle::ValueCounts) -> u64| stats.sides.iter().map(pick).sum();
    let solved = Solved {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        positions: 2 * solution.indexer().num_positions(),
        win: total(|s| s.win),
        draw: total(|s| s.draw),
        loss: total(|s| s.loss),
        sides: sides(stats),
        start: Start::new(stats.start_side, stats.start),
        max_dtw: stats.max_depth(),
        dtw_histogram: (0..).zip(stats.histogram.iter().copied()).filter(|e| e.1 > 0).collect(),
        seconds: began.elapsed().as_secs_f64(),
        file: file.into(),
        bytes,
    };
    out.result(&solved, text)?;
    Ok(Outcome::Done)
}

fn sides(stats: &Stats) -> BTreeMap<String, SideCounts> {
    ["P1", "P2"]
        .into_iter()
        .zip(&stats.sides)
        .map(|(name, s)| (name.to_string(), SideCounts { win: s.win, draw: s.draw, loss: s.loss }))
        .collect()
}

fn text(solved: &Solved) -> String {
    let number = |n: u64| grouped(u128::from(n));
    let mut rows: Vec<Vec<String>> = solved
        .sides
        .iter()
        .map(|(side, c)| vec![side.clone(), number(c.win), number(c.draw), number(c.loss)])
        .collect();
    rows.push(vec!["both".into(), number(solved.win), number(solved.draw), number(solved.loss)]);
    let histogram: Vec<Vec<String>> =
        solved.dtw_histogram.iter().map(|(d, n)| vec![d.to_string(), number(*n)]).collect();
    format!(
        "{} explicitly: {} positions\nstart     {}\n\n{}\n{}\ntime      {:.2} s\nfile      {} ({} bytes)\n",
        solved.game,
        number(solved.positions),
        start_text(&solved.start),
        table(&["to move", "win", "draw", "loss"], &rows),
        table(&["depth", "positions"], &histogram),
        solved.seconds,
        solved.file.display(),
        number(solved.bytes)
    )
}
