//! `nerode compact RUN_DIR`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use super::output::{Outcome, Output, grouped, table};
use super::resources::ResourceArgs;
use crate::solution::Solution;
use crate::values::{FOLDER, FileEntry, write_maps};

/// Arguments of `compact`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory of a solved game
    run_dir: PathBuf,
    /// Leave the depths out: smaller, and query reads them from the run's sets
    #[arg(long)]
    no_depths: bool,
    /// The folder to write [default: values in the run directory, where query finds it]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace the values in the folder
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Written {
    game: String,
    folder: PathBuf,
    depths: bool,
    files: BTreeMap<String, FileEntry>,
    seconds: f64,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let solution = Solution::open(&args.run_dir)?;
    let resources = args.resources.resolve()?;
    let folder = args.out.clone().unwrap_or_else(|| args.run_dir.join(FOLDER));
    let manifest = write_maps(&solution, &folder, !args.no_depths, args.overwrite, &resources)?;
    let written = Written {
        game: solution.game.spec(),
        folder,
        depths: manifest.depths,
        files: manifest.files,
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&written, text)?;
    Ok(Outcome::Done)
}

fn text(written: &Written) -> String {
    let row = |(name, entry): (&String, &FileEntry)| {
        vec![name.clone(), grouped(u128::from(entry.num_states)), grouped(u128::from(entry.bytes))]
    };
    let rows: Vec<Vec<String>> = written.files.iter().map(row).collect();
    format!(
        "{}, values {} depths in {}, {:.2} s\n{}",
        written.game,
        if written.depths { "with" } else { "without" },
        written.folder.display(),
        written.seconds,
        table(&["file", "states", "bytes"], &rows)
    )
}
