//! `nerode unit`: one work unit of a morris game, or units of the ply that another process computes.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::hints::advised;
use super::output::{Outcome, Output};
use super::resources::ResourceArgs;
use super::words::{directory, shell};
use crate::archive::{Contents, kind_of};

mod ply;
mod sector;

const PLIES: &str = "Options for plies of a run";

/// Arguments of `unit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as morris:nine; or the directory of a run that is solved with --units-by
    #[arg(value_name = "GAME|RUN")]
    game: String,
    /// A sector of the unit, for morris games
    #[arg(requires = "run_dir")]
    sector: Option<String>,
    /// The directory of sectors
    #[arg(long, value_name = "DIR", value_parser = directory(), requires = "sector")]
    run_dir: Option<PathBuf>,
    /// Check every position by forward play before the files are written. It is done without this option too in a directory that
    /// was solved with --check
    #[arg(long, requires = "sector")]
    check: bool,
    /// Do the unit of this name, as --list shows it [default: every unit that nobody else works at]
    #[arg(long, value_name = "NAME", conflicts_with = "sector", help_heading = PLIES)]
    unit: Option<String>,
    /// List the units of the ply under work, and do none
    #[arg(long, conflicts_with_all = ["sector", "unit", "wait"], help_heading = PLIES)]
    list: bool,
    /// Wait for the units of further plies, until the run is finished
    #[arg(long, conflicts_with_all = ["sector", "unit"], help_heading = PLIES)]
    wait: bool,
    /// A folder for scratch files, best on a disk of this machine [default: the run's directory]
    #[arg(long, value_name = "DIR", value_parser = directory(), conflicts_with = "sector", help_heading = PLIES)]
    scratch: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    if let (Some(sector), Some(run_dir)) = (&args.sector, &args.run_dir) {
        return sector::run(args, (sector, run_dir), out);
    }
    let path = Path::new(&args.game);
    match kind_of(path) {
        Some(Contents::Run) => ply::run(args, path, out),
        Some(Contents::Sectors) => Err(advised(
            format!("{} is a directory of sectors", path.display()),
            format!(
                "'nerode plan GAME --run-dir {dir}' lists its units; 'nerode unit GAME SECTOR --run-dir {dir}' does one",
                dir = shell(path)
            ),
        )),
        _ => Err(advised(
            format!("{} is not the directory of a run of sets", args.game),
            "name a run that is solved with --units-by; or a morris game, a sector and --run-dir",
        )),
    }
}
