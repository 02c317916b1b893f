//! The option `nerode solve GAME --nimbers`.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::left::Left;
use crate::cli::output::{Count, Outcome, Output, bytes, duration, grouped, table};
use crate::cli::resources::peak_rss_bytes;
use nerode_solver::solve::nimbers::{self, Nimbers};

/// The positions of one nimber.
#[derive(JsonSchema, Serialize)]
struct OfNimber {
    /// The nimber.
    nimber: usize,
    /// The number of positions.
    positions: Count,
    /// The number of states of their set.
    num_states: usize,
}

/// The nimbers of a game.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Solved {
    /// The game with its parameters, such as `nim:3x7`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The letter order.
    order: String,
    /// The nimber of the start position. The side to move has lost if it is 0, and has won otherwise.
    start: Option<usize>,
    /// The nimbers that occur, from 0.
    nimbers: Vec<OfNimber>,
    /// The number of positions of all nimbers: those that moves lead to from the start.
    positions: Count,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
}

/// Computes the nimbers of a game and prints them. Nothing is stored.
pub(super) fn find_nimbers(args: &Args, game: Arc<dyn Game>, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let resources = args.resources.resolve()?;
    let progress = out.progress("nimbers");
    let found = nimbers::solve(game, &resources, &mut |done| progress.ply(done));
    progress.finish();
    let found = found.map_err(|error| match error.is_interruption() {
        true => Left::of(error, "nimbers cannot be resumed, and nothing is stored"),
        false => error.into(),
    })?;
    let mut solved = describe(&found)?;
    solved.seconds = began.elapsed().as_secs_f64();
    out.result(&solved, text)?;
    Ok(Outcome::Done)
}

fn describe(found: &Nimbers) -> Result<Solved> {
    let game = &found.game;
    let mut nimbers = Vec::new();
    for (nimber, set) in found.sets.iter().enumerate() {
        nimbers.push(OfNimber { nimber, positions: Count(set.count()?), num_states: set.num_states() });
    }
    Ok(Solved {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        order: game.order().to_string(),
        start: found.get(&game.start().0),
        positions: nimbers.iter().map(|of| of.positions).sum(),
        nimbers,
        seconds: 0.0,
        peak_rss_bytes: peak_rss_bytes(),
    })
}

fn text(solved: &Solved) -> String {
    let start = solved.start.map_or_else(|| "unknown".to_string(), |nimber| nimber.to_string());
    let rows: Vec<Vec<String>> = solved
        .nimbers
        .iter()
        .map(|of| vec![of.nimber.to_string(), grouped(of.positions.0), grouped(of.num_states as u128)])
        .collect();
    let mut lines = format!("{}\nnimber of the start  {start}\n\n", solved.game);
    lines += &table(&["nimber", "positions", "states"], &rows);
    lines += &format!(
        "\npositions           {}\ntime                {}\n",
        grouped(solved.positions.0),
        duration(solved.seconds)
    );
    if let Some(peak) = solved.peak_rss_bytes {
        lines += &format!("peak memory         {}\n", bytes(peak));
    }
    lines
}
