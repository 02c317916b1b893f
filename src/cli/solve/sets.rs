//! The command `nerode solve GAME` for solutions as sets.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::ahead::tell;
use super::args::Args;
use super::left::{Left, continues};
use super::text::{Solved, of_run};
use crate::cli::hints::Beginning;
use crate::cli::output::{Outcome, Output};
use crate::cli::resources::{ResourceArgs, peak_rss_bytes};
use crate::cli::words::{shell, stopped_at, to_the_end};
use crate::facade::Solver;
use crate::registry;
use nerode_report::headline::headline;
use nerode_report::run::{Start, report};
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::stored::{SolvedRun, Stored};

pub(super) fn solve(solver: &Solver, args: &Args, path: &Path, out: &Output) -> Result<Outcome> {
    let resources = args.resources.resolve()?;
    let beginning = (!args.resume || !RunDir::exists(path)).then(|| Beginning::look(path));
    if let Some(beginning) = &beginning {
        out.begin_with(beginning.clone());
    }
    tell(args, path, &resources, out)?;
    // The time for preliminary checks does not count.
    let began = Instant::now();
    let options = args.options(path, &resources)?;
    args.units.tell(path, out);
    let progress = out.progress("solve");
    if args.resume && RunDir::exists(path) {
        continues(path, out);
    } else if args.resume {
        out.note(&format!("{} contains no run yet: the solve starts from the beginning", path.display()));
    }
    let solved = solver.solve(options.on_units(progress.units()).on_ply(|done| {
        continues(path, out);
        progress.ply(done);
    }));
    progress.finish();
    solved.map_err(|error| Left::of_run(error, path, beginning.as_ref(), out))?;
    print_run(path, began, Vec::new(), &args.resources, out)
}

/// Returns the start with its depth, which is searched for if the run contains none.
fn depth_of_start(run: StoredRun) -> Result<Start> {
    let solution = SolvedRun::new(run);
    let solution: &dyn Stored = &solution;
    let start = solution.game().start_position();
    let known = solution.evaluate(&start)?.outcome().unwrap_or_default();
    Ok(Start::new(start.side, known))
}

/// Prints the results of a finished run.
pub(in crate::cli) fn print_run(
    path: &Path,
    began: Instant,
    mended: Vec<String>,
    resources: &ResourceArgs,
    out: &Output,
) -> Result<Outcome> {
    let resources = resources.resolve_at_end();
    let run = StoredRun::open_with(path, registry())?.with_memory(resources.memory);
    let headline = headline(&run, &resources)?;
    let mut report = report(&run)?;
    let (stopped_at_ply, seconds) = (stopped_at(&run), began.elapsed().as_secs_f64());
    let peak_rss_bytes = peak_rss_bytes();
    if report.start.dtw_at_most.is_some() {
        report.start = depth_of_start(run)?;
    }
    let solved = Solved {
        report,
        headline,
        mended,
        seconds,
        peak_rss_bytes,
        run_dir: path.into(),
        stopped_at_ply,
        continue_with: stopped_at_ply.map(|_| to_the_end(path)),
    };
    out.result(&solved, of_run)?;
    if solved.report.complete && !out.is_json() {
        let dir = shell(path);
        out.next_step(&format!(
            "'nerode query {dir} start' shows the start position; 'nerode serve {dir}' shows the solution in a browser"
        ));
    }
    Ok(Outcome::Done)
}
