//! The command `nerode unit`, which solves one work unit of a morris game, or computes units of a ply for another
//! process.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::hints::advised;
use super::interrupt::interrupt_flag;
use super::output::{Outcome, Output};
use super::words::shell;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::check_interrupt;

mod args;
pub(super) mod ply;
pub(super) mod sector;

pub(super) use args::Args;

/// The time between two checks for a run.
const PAUSE: Duration = Duration::from_millis(100);

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
                "'nerode plan GAME --run-dir {dir}' lists its units; 'nerode unit GAME SECTOR --run-dir {dir}' solves one",
                dir = shell(path)
            ),
        )),
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
