//! The command `nerode perft FILE`.

use std::sync::atomic::Ordering;

use anyhow::Result;
use nerode_rules::rbg::{Interpreter, Ply};
use schemars::JsonSchema;
use serde::Serialize;

use super::interrupt::interrupt_flag;
use super::output::{Columns, Count, Outcome, Output, grouped};
use super::rules::{VariantArgs, WHAT, rulebook};
use nerode_solver::error::Error;

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[arg(help = WHAT)]
    file: String,
    /// The number of plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=1000))]
    depth: u16,
    #[command(flatten)]
    variant: VariantArgs,
}

/// The moves and positions of a ply.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// The number of the ply. 0 is the start position.
    ply: usize,
    /// The number of sequences of moves of this length. Moves are different if they change different things, or in a
    /// different order.
    paths: Count,
    /// The same number, where moves that lead to the same position count as one.
    results: Count,
    /// The number of distinct positions, or null at the last ply and if there were too many to store.
    positions: Option<Count>,
    /// The number of sequences of moves after which the game is over, or null at the last ply.
    ended: Option<Count>,
}

/// The numbers of moves and positions by ply, according to the rules of a file.
#[derive(JsonSchema, Serialize)]
pub(super) struct Counted {
    /// The file, or the name of the game, as given.
    game: String,
    /// The hash of the canonical text, which is the same for the same rules.
    fingerprint: String,
    /// The plies.
    plies: Vec<Row>,
}

/// The columns of the plies, which are printed one by one.
const COLUMNS: Columns<5> =
    Columns([("ply", 4), ("moves", 20), ("results", 20), ("positions", 14), ("ended", 20)]);

fn line(ply: usize, counts: &Ply) -> String {
    let or_dash = |count: Option<u128>| count.map_or_else(|| "-".into(), grouped);
    COLUMNS.row(&[
        ply.to_string(),
        grouped(counts.paths),
        grouped(counts.results),
        or_dash(counts.positions.map(u128::from)),
        or_dash(counts.ended),
    ])
}

fn row((ply, counts): (usize, &Ply)) -> Row {
    Row {
        ply,
        paths: Count(counts.paths),
        results: Count(counts.results),
        positions: counts.positions.map(Count::from),
        ended: counts.ended.map(Count),
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let book = rulebook(&args.file, &args.variant)?;
    let flag = interrupt_flag();
    let mut printed = out.part(|| COLUMNS.header());
    let mut ply = 0;
    let counts = Interpreter::new(&book).perft(args.depth.into(), |done| {
        if let (Some(counts), Ok(true)) = (done, &printed) {
            printed = out.part(|| line(ply, counts));
            ply += 1;
        }
        matches!(printed, Ok(true)) && !flag.load(Ordering::Relaxed)
    })?;
    if flag.load(Ordering::Relaxed) {
        return Err(Error::from(nerode_dfa::Error::Interrupted).into());
    }
    printed?;
    out.document(&Counted {
        game: args.file.clone(),
        fingerprint: book.fingerprint(),
        plies: counts.plies.iter().enumerate().map(row).collect(),
    })?;
    Ok(Outcome::Done)
}
