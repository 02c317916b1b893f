//! The command `nerode verify FILE.tbl`, which checks a table by forward play or against a solution as sets.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use nerode_games::Game;

use super::args::Args;
use super::report::{Verified, print, print_report};
use crate::cli::output::{Outcome, Output};
use crate::registry;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::keyed::KeyedTable;
use nerode_solver::archive::table::reached::ReachedTable;
use nerode_solver::check::forward::{check, check_keyed, check_reached, open_table};
use nerode_solver::check::{Report, tables};
use nerode_solver::error::{Error, RunNeeds};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;

/// Checks every position of a table file.
pub(super) fn verify_table(args: &Args, began: Instant, out: &Output) -> Result<Outcome> {
    let others = args.explicit || args.last || args.so_far || args.sample.is_some();
    if others || !args.table.is_empty() || args.values.is_some() || !args.sector.is_empty() {
        bail!("a table can be checked by forward play, or against a solution as sets with --sets");
    }
    let resources = args.resources.resolve()?;
    if ReachedTable::is_one(&args.path)? {
        return verify_reached(args, &resources, began, out);
    }
    if KeyedTable::is_one(&args.path)? {
        return verify_keyed(args, &resources, began, out);
    }
    let (mut table, game) = open_table(&args.path, registry())?;
    if args.sets {
        let report = against_sets(args, &game, &resources, out)?;
        return print_report(game.spec(), vec!["sets"], report, began, out);
    }
    let pool = resources.pool()?;
    let progress = out.progress("verify");
    let mut steps = |done, total| progress.steps(done, total);
    let report = pool.install(|| check(&mut table, game.as_ref(), &resources, &mut steps))?;
    progress.finish();
    print_forward(game.spec(), report, began, out)
}

/// Prints the result of forward play, with the number of positions that the table leaves unknown.
fn print_forward(game: String, report: Report, began: Instant, out: &Output) -> Result<Outcome> {
    let unknown = report.unknown;
    print(Verified::new(game, vec!["forward play"], report, began).leaving(unknown), out)
}

/// Checks every position of a table of reached positions.
fn verify_reached(args: &Args, resources: &Resources, began: Instant, out: &Output) -> Result<Outcome> {
    let table = ReachedTable::open(&args.path, registry())?;
    let spec = table.game.spec();
    if args.sets {
        let report = against_sets(args, &table.game, resources, out)?;
        return print_report(spec, vec!["sets"], report, began, out);
    }
    let pool = resources.pool()?;
    let progress = out.progress("verify");
    let mut steps = |done, total| progress.steps(done, total);
    let report = pool.install(|| check_reached(&table, resources, &mut steps))?;
    progress.finish();
    print_forward(spec, report, began, out)
}

/// Checks every position of a table of reached positions by key.
fn verify_keyed(args: &Args, resources: &Resources, began: Instant, out: &Output) -> Result<Outcome> {
    let table = KeyedTable::open(&args.path, registry())?;
    let spec = table.game.spec();
    if args.sets {
        let report = against_sets(args, &table.game, resources, out)?;
        return print_report(spec, vec!["sets"], report, began, out);
    }
    let progress = out.progress("verify");
    let report = check_keyed(&table, resources, &mut |done, total| progress.steps(done, total))?;
    progress.finish();
    print_forward(spec, report, began, out)
}

/// Compares every position with a run: the one in `--sets-dir`, or one that is solved for this purpose.
fn against_sets(args: &Args, game: &Arc<dyn Game>, resources: &Resources, out: &Output) -> Result<Report> {
    let scratch = tempfile::tempdir().context("cannot create a temporary directory")?;
    let dir = args.sets_dir.as_deref().unwrap_or(scratch.path());
    if !is_finished(dir)? {
        solve_sets(game, dir, resources, out)?;
    }
    let solution = StoredRun::open_with(dir, registry())?.with_memory(resources.memory);
    if !ReachedTable::is_one(&args.path)? && !KeyedTable::is_one(&args.path)? {
        solution.must_cover_all()?;
        if !solution.is_complete() {
            let wanted = "values of all positions";
            return Err(Error::WrongRun { wanted, needs: RunNeeds::Fixpoint }.into());
        }
    }
    let progress = out.progress("verify");
    progress.message("every position against the sets".into());
    let report = tables::against_table(&solution, &args.path, registry(), resources)?;
    progress.finish();
    Ok(report)
}

fn is_finished(dir: &Path) -> Result<bool> {
    Ok(RunDir::exists(dir) && RunDir::open(dir)?.progress().finished)
}

fn solve_sets(game: &Arc<dyn Game>, dir: &Path, resources: &Resources, out: &Output) -> Result<()> {
    let progress = out.progress("verify");
    let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    solve(Arc::clone(game), request, dir, Existing::Resume, resources, &mut |done| progress.ply(done))?;
    progress.finish();
    Ok(())
}
