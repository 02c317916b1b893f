//! The arguments of `nerode diff`.

use std::path::PathBuf;

use crate::cli::choices::number;
use crate::cli::resources::ResourceArgs;

/// Arguments of `diff`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A solution: a directory of sectors, or any other solution; or a game that is solved in 'runs'
    #[arg(value_name = "A")]
    pub(super) first: PathBuf,
    /// A solution for the same boards: of other rules, by another method, or unfinished; for sectors, sectors of other rules.
    /// Solutions that consist of sets are compared as sets, and others board by board
    #[arg(value_name = "B")]
    pub(super) second: PathBuf,
    /// In directories of sectors: compare these sectors, such as 4-3-0-0 [default: all that both contain]
    #[arg(long, value_delimiter = ',', value_name = "SECTOR")]
    pub(super) sector: Vec<String>,
    /// Show this many positions for each change; of sectors, those nearest to the end of the game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=1000u16))]
    pub(super) examples: u16,
    #[command(flatten)]
    pub(super) resources: ResourceArgs,
}
