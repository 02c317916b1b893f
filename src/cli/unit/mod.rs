//! The command `nerode unit`, which solves one work unit of a morris game, or computes units of a ply for another
//! process.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::hints::advised;
use super::interrupt::interrupt_flag;
use super::output::{Outcome, Output};
use super::words::shell;
use nerode_morris::tables::{SectorDir, SectorSolve};
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::check_interrupt;

mod args;
pub(super) mod ply;
pub(super) mod sector;

pub(super) use args::Args;

/// The time between two checks for a run.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let path = Path::new(&args.game);
    let kind = kind_of(path);
    if let Some(sector) = &args.sector {
        return match (kind, &args.run_dir) {
            (Some(Contents::Sectors), _) => of_directory(args, path, sector, out),
            (None, Some(run_dir)) => sector::run(args, &args.game, (sector, run_dir), out),
            (None, None) => {
                Err(advised(format!("no directory for sector {sector} was named"), "name one with --run-dir"))
            }
            (Some(other), _) => Err(advised(
                format!("{} contains {other}, which has no sectors", path.display()),
                "name a morris game and --run-dir, or a directory of sectors",
            )),
        };
    }
    if args.run_dir.is_some() || kind == Some(Contents::Sectors) {
        return Err(no_sector(args, path));
    }
    match kind {
        Some(Contents::Run) => ply::run(args, path, out),
        None if SectorSolve::open(&args.game).is_ok() => Err(no_sector(args, path)),
        None if !path.exists() && args.wait => {
            wait_for(path, out)?;
            ply::run(args, path, out)
        }
        None if !path.exists() => Err(advised(
            format!("there is no directory {}", args.game),
            "start the solve with --units-by first, or name a morris game, a sector and --run-dir",
        )),
        _ => Err(advised(
            format!("{} is not the directory of a run of sets", args.game),
            "name a run that is being solved with --units-by, or a morris game, a sector and --run-dir",
        )),
    }
}

/// Solves a unit of the game for which a directory of sectors was created.
fn of_directory(args: &Args, path: &Path, sector: &str, out: &Output) -> Result<Outcome> {
    if let Some(other) = args.run_dir.as_deref().filter(|other| *other != path) {
        bail!("two directories of sectors were named, {} and {}", path.display(), other.display());
    }
    let game = SectorDir::open(path)?.game().spec.clone();
    sector::run(args, &game, (sector, path), out)
}

/// Returns the error for a morris game, or a directory of sectors, without the name of a sector.
fn no_sector(args: &Args, path: &Path) -> anyhow::Error {
    let dir = args.run_dir.as_deref().or(path.is_dir().then_some(path));
    let game = match SectorDir::open(path) {
        Ok(dir) => dir.game().spec.clone(),
        Err(_) => args.game.clone(),
    };
    let game = shell(Path::new(&game));
    let (there, place) = match dir.map(shell) {
        Some(dir) => (format!(" --run-dir {dir}"), ""),
        None => (String::new(), ", and the directory with --run-dir"),
    };
    let named = shell(Path::new(&args.game));
    advised(
        "no sector was named, and a unit of a morris game is named by one of its sectors",
        format!(
            "'nerode plan {game}{there}' lists the units; name one of their sectors after {named}{place}"
        ),
    )
}

/// Waits for the run in `path`, which a solve is about to create.
fn wait_for(path: &Path, out: &Output) -> Result<()> {
    out.note(&format!(
        "there is no directory {} yet: 'nerode solve' with --units-by creates it",
        path.display()
    ));
    let interrupt = interrupt_flag();
    while kind_of(path).is_none() {
        check_interrupt(&interrupt)?;
        std::thread::sleep(PAUSE);
    }
    Ok(())
}
