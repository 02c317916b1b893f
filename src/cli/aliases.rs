//! Old command names, which keep working with their old options for one release. The help does not list them.

use std::path::PathBuf;

use anyhow::Result;

use super::output::{Outcome, Output};
use super::resources::ResourceArgs;
use super::solve::{
    ScoreWork, SectorWork, default_path, find_scores, make_table, must_be_free, solve_sectors,
};
use super::words::directory;
use super::{plan, unit};
use crate::facade::open;

/// Arguments of `explicit`.
#[derive(Debug, clap::Args)]
pub(super) struct ExplicitArgs {
    /// The game, such as tictactoe:3x3
    game: String,
    /// Table file to write [default: runs/GAME.tbl]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Sectors of a morris game
    #[arg(long, value_delimiter = ',', conflicts_with = "out")]
    sector: Vec<String>,
    /// Directory of sectors to add to [default: runs/GAME]
    #[arg(long, requires = "sector", value_parser = directory())]
    run_dir: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Runs `explicit GAME`: solves a table, or sectors if they are named or the game is too large for a table.
pub(super) fn explicit(args: &ExplicitArgs, out: &Output) -> Result<Outcome> {
    let solver = open(&args.game)?;
    let game = solver.game();
    let mut sectors = args.sector.clone();
    if sectors.is_empty() && args.out.is_none() && solver.needs_sectors() {
        sectors.push("start".into());
    }
    if !sectors.is_empty() {
        let run_dir = args.run_dir.clone().unwrap_or_else(|| default_path(game, ""));
        // The old command started even if the disk was too small, so this check is disabled.
        let work = SectorWork::new(&args.game, &sectors, &run_dir).anyway(true);
        return solve_sectors(&work, &args.resources, out);
    }
    let file = args.out.clone().unwrap_or_else(|| default_path(game, ".tbl"));
    // The old command always replaced an existing table.
    must_be_free(&file, true)?;
    make_table(game, &file, &args.resources, out)
}

/// Arguments of `score`.
#[derive(Debug, clap::Args)]
pub(super) struct ScoreArgs {
    /// The game, such as othello:4x4
    game: String,
    /// Folder for the scores [default: none is written]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace the scores that the folder holds
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Letter order of the layers
    #[arg(long)]
    order: Option<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Runs `score GAME`, which stores nothing unless a file is given.
pub(super) fn score(args: &ScoreArgs, out: &Output) -> Result<Outcome> {
    let work = ScoreWork {
        game: &args.game,
        order: args.order.as_deref(),
        folder: args.out.as_deref(),
        overwrite: args.overwrite,
    };
    find_scores(&work, &args.resources, out)
}

/// Arguments of `morris`.
#[derive(Debug, clap::Args)]
pub(super) struct MorrisArgs {
    #[command(subcommand)]
    command: MorrisCommand,
}

#[derive(Debug, clap::Subcommand)]
enum MorrisCommand {
    /// Old name of 'nerode plan', which goes away with the next release
    Plan(plan::Args),
    /// Old name of 'nerode unit', which goes away with the next release
    Unit(unit::Args),
}

/// Runs `morris plan` and `morris unit`.
pub(super) fn morris(args: &MorrisArgs, out: &Output) -> Result<Outcome> {
    match &args.command {
        MorrisCommand::Plan(args) => plan::run(args, out),
        MorrisCommand::Unit(args) => unit::run(args, out),
    }
}
