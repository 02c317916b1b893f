//! The arguments of `nerode verify`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::cli::choices::number;
use crate::cli::resources::ResourceArgs;
use crate::cli::words::directory;

/// Arguments of `verify`: without an option, whole sets are checked against the rules one ply at a time, sectors and tables by
/// playing every position one move forward.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A run directory, a directory of sectors, packed sectors, or a table file (.tbl); or a game that is solved in
    /// 'runs'
    pub(super) path: PathBuf,
    /// More files for --table, so that a shell pattern can follow it
    #[arg(value_name = "FILE", requires = "table")]
    pub(super) more: Vec<PathBuf>,
    /// Compare every position with a second solver, which uses the plain rules and no automata
    #[arg(long)]
    pub(super) explicit: bool,
    /// Check only the last sets. In games that always end, this proves every value in a fraction of the time, but no depths
    #[arg(long)]
    pub(super) last: bool,
    /// Check the existing plies of an unfinished retrograde run
    #[arg(long, conflicts_with_all = ["explicit", "last", "table", "values", "sets"])]
    pub(super) so_far: bool,
    /// Compare every position with a table file or, for a run of a morris game, with a directory of its sectors; for a
    /// directory of sectors, with one of Malom's files or a folder of them. May be given more than once
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(super) table: Vec<PathBuf>,
    /// Check N different random positions of each side against the plain rules, or all if there are fewer; for a run from the
    /// start, N of each ply; for packed sectors, N in total, by forward play
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(super) sample: Option<NonZeroUsize>,
    /// Check the values in a folder written by 'nerode pack' against this run
    #[arg(long, value_name = "DIR")]
    pub(super) values: Option<PathBuf>,
    /// The seed for the random positions [default: 1]
    #[arg(long, value_name = "SEED", value_parser = number(0..=u64::MAX))]
    pub(super) seed: Option<u64>,
    /// For a table: solve its game as sets, and compare every position. For a directory of sectors: do the same for the
    /// sectors named with --sector
    #[arg(long, conflicts_with_all = ["table", "explicit", "last", "sample", "values"])]
    pub(super) sets: bool,
    /// With --sets: keep the sets in this directory, and use those that it contains
    #[arg(long, value_name = "DIR", value_parser = directory(), requires = "sets")]
    pub(super) sets_dir: Option<PathBuf>,
    /// In a directory of sectors: check only these
    #[arg(long, value_delimiter = ',')]
    pub(super) sector: Vec<String>,
    #[command(flatten)]
    pub(super) resources: ResourceArgs,
}

/// Parses a number of positions.
fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse::<usize>().ok().and_then(NonZeroUsize::new);
    number.ok_or_else(|| "not a whole number from 1 up".into())
}

impl Args {
    /// Returns the seed for the random positions.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Returns the paths given to `--table`, in order.
    pub(super) fn tables(&self) -> Vec<PathBuf> {
        self.table.iter().chain(&self.more).cloned().collect()
    }
}
