//! The command `nerode prove RUN [POSITION]`, which searches for the value of a position that an unfinished run has not decided.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Count, Outcome, Output, counted, duration, grouped};
use super::query::seconds;
use super::resources::MemoryArg;
use super::solutions::solution_at;
use crate::registry;
use nerode_report::lines::Known;
use nerode_report::position::position_of;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::depth::Deadline;
use nerode_solver::outcome::{Depth, Evaluation, Outcome as Value};
use nerode_solver::prove::{Proving, Sought, prove};

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The directory of a retrograde run, finished or not; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The position in the notation of 'nerode info'; '_' counts as a space; 'start' is the start position [default: start]
    position: Vec<String>,
    /// Also prove positions that the rules of the game exclude
    #[arg(long)]
    any: bool,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    #[command(flatten)]
    memory: MemoryArg,
}

/// What a search has shown about a position.
#[derive(JsonSchema, Serialize)]
pub(super) struct Proof {
    /// The game with its parameters, such as `breakthrough:6x6`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    #[serde(flatten)]
    known: Known,
    /// The ply i of the sets `W_i` and `L_i` in which the search ended.
    ply: u32,
    /// The size of these sets in memory, in bytes.
    set_bytes: u64,
    /// The number of positions that the search entered.
    nodes: Count,
    /// The elapsed time in seconds, without reading the sets.
    seconds: f64,
    #[serde(skip)]
    board: String,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let resources = args.memory.resolve()?;
    let dir = solution_at(&args.dir, out)?;
    let run = StoredRun::open_with(&dir, registry())?.with_memory(resources.memory).so_far()?;
    let game = run.game.as_ref();
    let position = match args.position.as_slice() {
        [] => game.start_position(),
        words => position_of(game, &words.join(" "), args.any)?,
    };
    let progress = out.progress("search");
    let began = Instant::now();
    let mut watch = |now: Sought| {
        let share = 100.0 * now.table.0 as f64 / now.table.1.max(1) as f64;
        progress.message(format!(
            "{} visited, {share:.0} % of the table in use",
            counted(now.nodes.into(), "position", "positions")
        ));
    };
    let deadline = args.seconds.map_or(Deadline::NEVER, Deadline::after);
    let proving = Proving { resources: &resources, deadline };
    let proved = prove(&run, &position, proving, &mut watch);
    progress.finish();
    let proved = proved?;
    let value = proved.value.map_or(Value::Unknown, |value| Value::new(value, Depth::Unknown));
    let proof = Proof {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        known: Known::new(game, &position, &Evaluation::of(Some(value))),
        ply: proved.ply,
        set_bytes: proved.set_bytes,
        nodes: Count(proved.nodes.into()),
        seconds: began.elapsed().as_secs_f64(),
        board: game.draw(&position),
    };
    out.result(&proof, text)?;
    Ok(Outcome::Done)
}

fn text(proof: &Proof) -> String {
    format!(
        "{}\n\n{}\n{}\n{} to move: {}\n{} visited in {}, ending in the sets of ply {} ({} in memory)\n",
        proof.game,
        proof.board.trim_end(),
        proof.known.position,
        proof.known.side,
        proof.known.value_text(),
        counted(proof.nodes.0, "position", "positions"),
        duration(proof.seconds),
        grouped(u128::from(proof.ply)),
        counted(proof.set_bytes.into(), "byte", "bytes"),
    )
}
