//! The arguments of `unit`.

use std::path::PathBuf;

use crate::cli::resources::ResourceArgs;
use crate::cli::words::directory;

const PLIES: &str = "Options for plies of a run";

/// Arguments of `unit`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The game, such as morris:nine; or the directory of a run that is solved with --units-by
    #[arg(value_name = "GAME|RUN")]
    pub(super) game: String,
    /// A sector of the unit, for morris games
    #[arg(requires = "run_dir")]
    pub(super) sector: Option<String>,
    /// The directory of sectors
    #[arg(long, value_name = "DIR", value_parser = directory(), requires = "sector")]
    pub(super) run_dir: Option<PathBuf>,
    /// Check every position by forward play before the files are written. It is done without this option too in a directory that
    /// was solved with --check
    #[arg(long, requires = "sector")]
    pub(super) check: bool,
    /// Do the unit of this name, as --list shows it [default: every unit that nobody else works at]
    #[arg(long, value_name = "NAME", conflicts_with = "sector", help_heading = PLIES)]
    pub(super) unit: Option<String>,
    /// List the units of the ply under work, and do none
    #[arg(long, conflicts_with_all = ["sector", "unit", "wait"], help_heading = PLIES)]
    pub(super) list: bool,
    /// Wait for the units of further plies, until the run is finished
    #[arg(long, conflicts_with_all = ["sector", "unit"], help_heading = PLIES)]
    pub(super) wait: bool,
    /// A folder for scratch files, best on a disk of this machine [default: the run's directory]
    #[arg(long, value_name = "DIR", value_parser = directory(), conflicts_with = "sector", help_heading = PLIES)]
    pub(super) scratch: Option<PathBuf>,
    #[command(flatten)]
    pub(super) resources: ResourceArgs,
}
