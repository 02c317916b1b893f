//! The command `nerode solve GAME --engine reached`, which computes the positions that play reaches by the plain rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use nerode_dfa::disk;
use nerode_games::{Game, Position};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::interpreted::uncompiled;
use super::left::Left;
use super::table::{SideCounts, histogram, must_be_free, sides, values_text};
use crate::cli::output::{Count, Outcome, Output, Progress, bytes, counted, duration};
use crate::cli::resources::peak_rss_bytes;
use crate::cli::rules::{VariantArgs, rulebook};
use crate::cli::sectors::start_text;
use crate::cli::words::shell;
use crate::facade::interpreted;
use nerode_oracle::{ReachedRows, Step, ValueCounts};
use nerode_report::position::position_of;
use nerode_report::run::Start;
use nerode_solver::archive::table::keyed::write_keyed;
use nerode_solver::error::Error;
use nerode_solver::solve::reached::in_play;
use nerode_solver::solve::resources::Resources;

/// A game of which the reached positions are solved.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ReachedSolved")]
pub(in crate::cli) struct Solved {
    /// The game with its parameters, such as `tictactoe:3x3`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The number of reached positions, with either side to move.
    positions: Count,
    /// The number of plies at which new positions are reached, counting ply 0, that of the start.
    num_plies: u32,
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
    max_dtw: Option<u64>,
    /// The number of decided positions by plies to the end.
    dtw_histogram: BTreeMap<u64, Count>,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
    /// The file of the table.
    file: PathBuf,
    /// The size of the file in bytes.
    bytes: u64,
}

/// Solves the reached positions of `game`, and writes them to `file`.
pub(super) fn solve(game: &dyn Game, file: &Path, args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let resources = args.resources.resolve()?;
    store(game, search(game, &args.from, file, &resources, out)?, file, &resources, began, out)
}

/// Solves the reached positions of rules that cannot be compiled to sets, and writes them to `file`. `refusal` says why they
/// cannot be compiled; it is the error for a game of another number of players than two. `place` is the path of the table.
pub(super) fn solve_refused(
    args: &Args,
    refusal: Error,
    place: &dyn Fn(&dyn Game) -> PathBuf,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let book = rulebook(&args.game, &VariantArgs::default())?;
    let Some(game) = interpreted(&args.game, &book)? else { return Err(refusal.into()) };
    let file = place(game.as_ref());
    must_be_free(&file, args.overwrite)?;
    out.note(&format!(
        "these rules cannot be compiled to sets, so the reached positions are solved: {refusal}"
    ));
    let resources = args.resources.resolve()?;
    let solution = search(game.as_ref(), &args.from, &file, &resources, out)?;
    if let Some(failure) = game.failure() {
        return Err(failure.into());
    }
    store(game.as_ref(), solution, &file, &resources, began, out)
}

/// Solves the reached positions of long rules without compiling them, see [`uncompiled`]. `place` is the path of the table.
pub(super) fn solve_uncompiled(
    args: &Args,
    place: &dyn Fn(&dyn Game) -> PathBuf,
    out: &Output,
) -> Result<Option<Outcome>> {
    let began = Instant::now();
    let resources = args.resources.resolve()?;
    let Some((game, solution)) = uncompiled(&args.game, &resources)? else { return Ok(None) };
    let file = place(game.as_ref());
    must_be_free(&file, args.overwrite)?;
    out.note(&format!(
        "play reaches only {}, so the rules are not compiled to sets; '--engine sets' tries to compile them",
        counted(solution.num_positions().into(), "position", "positions")
    ));
    store(game.as_ref(), solution.into_rows(), &file, &resources, began, out).map(Some)
}

/// Shows a step of a search over reached positions.
pub(super) fn tell(progress: &Progress, step: Step) {
    match step {
        Step::Search { ply, positions } => {
            let found = counted(positions.into(), "position", "positions");
            progress.message(format!("ply {ply}, {found}"));
        }
        Step::Decide { done, total } => progress.steps(done, total),
        Step::OnDisk => {}
    }
}

/// Finds and decides the positions of `game` that play reaches from its start or from the positions `from`. If memory does not
/// suffice, the search continues in files beside `file`.
fn search(
    game: &dyn Game,
    from: &[String],
    file: &Path,
    resources: &Resources,
    out: &Output,
) -> Result<ReachedRows> {
    let starts = from.iter().map(|text| {
        let Position { board, side } = position_of(game, text, true)?;
        Ok((board, side))
    });
    let starts = starts.collect::<Result<Vec<_>>>()?;
    let progress = out.progress("reached positions");
    let pool = resources.pool()?;
    let solution = resources.guarded(|| {
        pool.install(|| {
            let mut watch = |step| match step {
                Step::OnDisk => out.note(&format!(
                    "the positions do not fit into memory, so the solve continues in scratch files beside {}",
                    file.display()
                )),
                step => tell(&progress, step),
            };
            in_play(game, starts, file, resources, &mut watch)
        })
    });
    progress.finish();
    solution.map_err(|error| match error.is_interruption() {
        true => Left::of(error, "a search of positions cannot be resumed, and nothing was written"),
        false => error.into(),
    })
}

/// Writes a solution to `file`, and prints a summary.
pub(super) fn store(
    game: &dyn Game,
    rows: ReachedRows,
    file: &Path,
    resources: &Resources,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    // A file that exists now may be replaced, but not one that another process creates in the meantime.
    let replaces = file.exists();
    if let Some(parent) = file.parent() {
        disk::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    }
    let stats = rows.stats().clone();
    let positions = rows.num_positions();
    let progress = out.progress("table");
    let pool = resources.pool()?;
    let written = pool.install(|| {
        write_keyed(file, game, rows, replaces, resources, &mut |done, total| progress.steps(done, total))
    });
    progress.finish();
    let total = |pick: fn(&ValueCounts) -> u64| Count::from(stats.sides.iter().map(pick).sum::<u64>());
    let solved = Solved {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        positions: positions.into(),
        num_plies: stats.num_plies,
        win: total(|s| s.win),
        draw: total(|s| s.draw),
        loss: total(|s| s.loss),
        sides: sides(&stats.sides),
        start: Start::new(stats.start_side, stats.start),
        max_dtw: (stats.histogram.len() as u64).checked_sub(1),
        dtw_histogram: histogram(&stats.histogram),
        bytes: written?,
        seconds: began.elapsed().as_secs_f64(),
        peak_rss_bytes: peak_rss_bytes(),
        file: file.into(),
    };
    out.result(&solved, text)?;
    if !out.is_json() {
        let file = shell(file);
        out.next_step(&format!(
            "'nerode query {file} start' shows the start position; 'nerode verify {file}' checks every position"
        ));
    }
    Ok(Outcome::Done)
}

fn text(solved: &Solved) -> String {
    let peak = solved.peak_rss_bytes.map_or(String::new(), |peak| format!("memory    {}\n", bytes(peak)));
    let longest = solved
        .max_dtw
        .map_or(String::new(), |plies| format!("longest   {}\n", counted(plies.into(), "ply", "plies")));
    format!(
        "{} by reached positions: {} at plies 0 to {}\nstart     {}\n{longest}\n{}\ntime      {}\n{peak}file      {} ({})\n",
        solved.game,
        counted(solved.positions.0, "position", "positions"),
        solved.num_plies.saturating_sub(1),
        start_text(&solved.start),
        values_text(&solved.sides, [solved.win, solved.draw, solved.loss], &solved.dtw_histogram),
        duration(solved.seconds),
        solved.file.display(),
        counted(solved.bytes.into(), "byte", "bytes")
    )
}
