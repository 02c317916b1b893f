//! The command `nerode perft FILE`.

use std::sync::atomic::Ordering;

use anyhow::Result;
use nerode_rules::rbg::{Interpreter, Ply};
use serde::Serialize;

use super::interrupt::interrupt_flag;
use super::output::{Columns, Outcome, Output, grouped};
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

#[derive(Serialize)]
struct Row {
    ply: usize,
    paths: String,
    results: String,
    positions: Option<String>,
    ended: Option<String>,
}

#[derive(Serialize)]
struct Counted {
    game: String,
    fingerprint: String,
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
        paths: counts.paths.to_string(),
        results: counts.results.to_string(),
        positions: counts.positions.map(|count| count.to_string()),
        ended: counts.ended.map(|count| count.to_string()),
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
