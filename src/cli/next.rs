//! `nerode next RUN_DIR`.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::output::{Outcome, Output, grouped, table};
use super::resources::ResourceArgs;
use crate::archive::stored_run::StoredRun;
use crate::run::next_ply::{NextPly, count_next};

/// Arguments of `next`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory of a retrograde run, finished or not
    run_dir: PathBuf,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Next {
    game: String,
    ply: u32,
    sides: Vec<NextPly>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let solution = StoredRun::open(&args.run_dir)?;
    let sides = count_next(&solution, &args.resources.resolve()?)?;
    out.result(&Next { game: solution.game.spec(), ply: solution.last_ply() + 1, sides }, text)?;
    Ok(Outcome::Done)
}

fn text(next: &Next) -> String {
    let row = |side: &NextPly| {
        let mut row = vec![side.side.to_string()];
        row.extend([side.win, side.loss, side.neither].map(grouped));
        row
    };
    let rows: Vec<Vec<String>> = next.sides.iter().map(row).collect();
    format!(
        "{}: positions decided within {} plies\n{}",
        next.game,
        next.ply,
        table(&["to move", "won", "lost", "neither"], &rows)
    )
}
