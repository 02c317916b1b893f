//! `nerode compare GAME|RUN_DIR`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use nerode_games::{Game, registry};
use serde::Serialize;

use super::output::{Outcome, Output, Progress, grouped, table};
use super::resources::ResourceArgs;
use super::sectors::compare_sectors;
use super::solve::safe_name;
use crate::archive::run_dir::{Request, RunDir};
use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Lack};
use crate::forms::compare::{Row, compare, must_be_comparable};
use crate::morris::tables::SectorDir;
use crate::run::{Existing, solve};
use crate::solve::choose::needs_sectors;
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A game, solved into runs/GAME by retrograde if it is not there yet; a run directory; or a directory of sectors
    game_or_run_dir: String,
    /// In a directory of sectors: compare the forms of these [default: all]
    #[arg(long, value_delimiter = ',')]
    sector: Vec<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Compared {
    game: String,
    forms: Vec<Row>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let resources = args.resources.resolve()?;
    let progress = out.progress("compare");
    let path = PathBuf::from(&args.game_or_run_dir);
    if SectorDir::exists(&path) {
        return compare_sectors(&path, &args.sector, &resources, &progress, out);
    }
    if !args.sector.is_empty() {
        anyhow::bail!("--sector is for directories of sectors; {} is none", path.display());
    }
    let path = match registry::open(&args.game_or_run_dir) {
        Ok(game) if !RunDir::exists(&path) => {
            out.continue_with(format!("nerode compare {}", args.game_or_run_dir));
            solved(game, &resources, &progress)?
        }
        // What is no game's name and not there either is a misspelt name.
        Err(error) if !path.exists() => return Err(error.into()),
        _ => path,
    };
    let solution = StoredRun::open(&path)?;
    must_be_comparable(&solution)?;
    let forms = compare(&solution, &resources, &mut |what| progress.message(what.to_string()))?;
    progress.finish();
    out.result(&Compared { game: solution.game.spec(), forms }, text)?;
    Ok(Outcome::Done)
}

/// The directory of the game's solution, which is made if it is not there. Refuses games whose solution could not be compared.
fn solved(game: Arc<dyn Game>, resources: &Resources, progress: &Progress) -> Result<PathBuf> {
    if needs_sectors(game.as_ref()) {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::WholeSets }.into());
    }
    let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    let plain = PathBuf::from("runs").join(safe_name(game.as_ref()));
    // A run of another kind under the usual name stays as it is.
    let path = match RunDir::open(&plain) {
        Ok(run) if *run.request() != request => plain.with_extension("retrograde"),
        _ => plain,
    };
    solve(game, request, &path, Existing::Resume, resources, &mut |done| progress.ply(done))?;
    Ok(path)
}
fn text(compared: &Compared) -> String {
    let dash = || "-".to_string();
    let lines: Vec<Vec<String>> = compared
        .forms
        .iter()
        .map(|row| {
            vec![
                row.form.clone(),
                row.bytes.map_or_else(dash, grouped),
                row.positions_per_byte.map_or_else(dash, |r| format!("{r:.1}")),
                row.lookup_ns.map_or_else(dash, |ns| format!("{ns:.0}")),
                row.build_seconds.map_or_else(dash, |s| format!("{s:.2}")),
                row.note.clone(),
            ]
        })
        .collect();
    let header = ["form", "bytes", "positions/byte", "look-up ns", "build s", "note"];
    format!("{}, win/draw/loss of both sides\n{}", compared.game, table(&header, &lines))
}
