//! The commands `nerode info GAME` and `nerode info DIR`.

pub(super) mod directory;
pub(super) mod game;

use std::path::Path;

use anyhow::{Result, bail};

use super::hints::advised;
use super::list;
use super::output::{Outcome, Output};
use super::rules::VariantArgs;
use super::sectors::import_command;
use super::solutions::solutions_in;
use crate::registry;
use nerode_solver::archive::{kind_of, must_be_directory};

/// Arguments of `info`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A game, such as breakthrough:4x5, a directory written by this program, or a folder of such directories
    #[arg(value_name = "GAME|DIR")]
    what: String,
    /// Letter order of the layers of a game: one of the listed names, or cells:C,C,... with every cell once
    #[arg(long)]
    order: Option<String>,
    #[command(flatten)]
    variant: VariantArgs,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let what = args.variant.named(&args.what)?;
    let path = Path::new(&what);
    if let Some(kind) = kind_of(path) {
        if args.order.is_some() {
            bail!("--order applies to games, and {} is a directory", path.display());
        }
        return directory::run(path, kind, out);
    }
    if path.is_dir() && registry().open(&what).is_err() {
        if let Some(command) = import_command(path) {
            return Err(advised(
                format!("{} contains Malom's files", path.display()),
                format!("'{command}' converts them to a directory of sectors"),
            ));
        }
        let solutions = solutions_in(path)?;
        if !solutions.is_empty() && args.order.is_none() {
            return list::print(path, solutions, out);
        }
        return Err(advised(
            format!("{} contains nothing written by this program", path.display()),
            "'nerode solve' creates solutions",
        ));
    }
    let is_rules = path.extension().is_some_and(|ending| ending == "rbg");
    if path.is_file() && !is_rules && registry().open(&what).is_err() {
        must_be_directory(path)?;
    }
    game::run(&what, args.order.as_deref(), out)
}
