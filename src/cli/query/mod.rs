//! `nerode query DIR POSITION` and `nerode query DIR --batch`.

mod answer;
mod batch;
mod blocks;
mod drawing;
mod position;

use std::path::PathBuf;

use anyhow::Result;

pub(super) use answer::{MoveLine, category, seen_by_mover, value_text};
pub(super) use position::position_of;

use super::destination::svg_file;
use super::output::{Outcome, Output};
use crate::facade::Solution;
use answer::{Answer, text};

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution: a run, values, scores, sectors, sectors as sets, or a table file
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The position, as 'nerode info' prints it; '_' counts as a blank; 'start' is the start position
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    position: Vec<String>,
    /// Answer also positions that no game comes to, as the solution holds them
    #[arg(long)]
    any: bool,
    /// Read a position a line from standard input, print a JSON line for each in the same order
    #[arg(long)]
    batch: bool,
    /// With --batch: every move too
    #[arg(long, requires = "batch")]
    moves: bool,
    /// With --batch: threads to use [default: all cores]
    #[arg(long, requires = "batch", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Draw the board and the value of every move to an SVG file, or with '-' to standard output alone
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file(), conflicts_with = "batch")]
    plot: Option<PathBuf>,
    /// Replace the drawing if it is there
    #[arg(long, requires = "plot")]
    overwrite: bool,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let solution = Solution::open(&args.dir)?;
    if args.batch {
        return batch::run(
            &solution,
            &batch::How { any: args.any, moves: args.moves, threads: args.threads },
        );
    }
    let game = solution.game();
    let position = position_of(game, &args.position.join(" "), args.any)?;
    let found = solution.query(&position)?;
    if let Some(file) = &args.plot {
        drawing::draw(game, &found, file, args.overwrite)?;
    }
    if let Some(warning) = solution.warning() {
        out.warn(&warning);
    }
    if args.plot.as_deref().is_some_and(drawing::is_printed) {
        return Ok(Outcome::Done);
    }
    out.result(&Answer::new(game, found, args.plot.clone()), text)?;
    Ok(Outcome::Done)
}
