//! The arguments of `unit`.

use std::path::PathBuf;

use crate::cli::resources::ResourceArgs;
use crate::cli::words::directory;

const PLIES: &str = "Options for plies of a run";

/// Arguments of `unit`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The game, such as morris:nine; or a directory of sectors; or the directory of a run that is being solved with --units-by
    #[arg(value_name = "GAME|RUN")]
    pub(super) game: String,
    /// A sector of the unit, for morris games, such as 4-3-0-0 (stones of the side to move and of the other side on the board, then
    /// in hand); 'nerode plan' lists the units
    pub(super) sector: Option<String>,
    /// The directory of sectors, unless it is named in place of the game
    #[arg(long, value_name = "DIR", value_parser = directory())]
    pub(super) run_dir: Option<PathBuf>,
    /// Check every position by forward play before the files are written. This is the default in a directory that was
    /// solved with --check
    #[arg(long, requires = "sector")]
    pub(super) check: bool,
    /// Compute the unit with this name, as shown by --list [default: every unit that no other process is computing]
    #[arg(long, value_name = "NAME", conflicts_with = "sector", help_heading = PLIES)]
    pub(super) unit: Option<String>,
    /// List the units of the current ply without computing any
    #[arg(long, conflicts_with_all = ["sector", "unit", "wait"], help_heading = PLIES)]
    pub(super) list: bool,
    /// Wait for the units of further plies until the run is finished
    #[arg(long, conflicts_with_all = ["sector", "unit"], help_heading = PLIES)]
    pub(super) wait: bool,
    /// A folder for scratch files, preferably on a local disk [default: the directory of the run]
    #[arg(long, value_name = "DIR", value_parser = directory(), conflicts_with = "sector", help_heading = PLIES)]
    pub(super) scratch: Option<PathBuf>,
    #[command(flatten)]
    pub(super) resources: ResourceArgs,
}
