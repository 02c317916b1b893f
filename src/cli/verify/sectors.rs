//! `nerode verify` for a directory of sectors.

use std::time::Instant;

use anyhow::{Result, bail};

use super::args::Args;
use super::report::{SetsLine, Verified, print, print_report};
use crate::check::Report;
use crate::cli::output::{Outcome, Output};
use crate::cli::sectors::sectors_or_all;
use crate::morris::malom;
use crate::morris::sets::{SectorSolver, compare};
use crate::morris::tables::{Sector, SectorSolution, check_sector};
use crate::solve::resources::Resources;

/// Plays every position of every sector of a directory forward by one ply.
pub(super) fn verify_sectors(args: &Args, began: Instant, out: &Output) -> Result<Outcome> {
    if args.explicit || args.last || args.so_far || args.sample.is_some() || args.values.is_some() {
        bail!(
            "a directory of sectors is checked by forward play, with --table against a file of Malom's, or with --sets against \
             sets"
        );
    }
    if args.table.is_some() && !args.sector.is_empty() {
        bail!("a file of Malom's names its sector itself; leave out --sector");
    }
    let resources = args.resources.resolve()?;
    let solution = SectorSolution::open(&args.path)?.with_memory(resources.memory);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    if let Some(file) = &args.table {
        let foreign = malom::open(file, &solution.rules, solution.maker())?;
        let table = solution.table(foreign.sector())?;
        let report =
            pool.install(|| malom::compare(&solution.rules, &table, &foreign, &resources.interrupt))?;
        return print_report(solution.game.spec(), vec!["table"], report, began, out);
    }
    if args.sets && args.sector.is_empty() {
        bail!("--sets takes long for large sectors; name those to check with --sector");
    }
    let sectors = sectors_or_all(&solution, &args.sector)?;
    if args.sets {
        return against_sets(&solution, &sectors, args, &resources, began, out);
    }
    let progress = out.progress("verify");
    let mut report = Report::default();
    for (at, &sector) in sectors.iter().enumerate() {
        progress.item(format!("sector {sector}"), at, sectors.len());
        let (table, known) = solution.with_children(sector)?;
        report.merge(pool.install(|| check_sector(&solution.rules, &table, &known, &resources.interrupt))?);
        solution.forget();
    }
    progress.finish();
    print_report(solution.game.spec(), vec!["forward play"], report, began, out)
}

/// Each sector solved as sets.
fn against_sets(
    solution: &SectorSolution,
    sectors: &[Sector],
    args: &Args,
    resources: &Resources,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    let mut solver = SectorSolver::new(&solution.game.spec(), resources)?;
    if let Some(dir) = &args.sets_dir {
        solver.keep_in(dir)?;
    }
    let progress = out.progress("verify");
    let mut report = Report::default();
    let mut lines = Vec::new();
    for &sector in sectors {
        progress.item(format!("sector {sector} as sets"), lines.len(), sectors.len());
        if sector.own_hand > 0 || sector.other_hand > 0 {
            bail!("sector {sector} has stones in hand; sets are solved for placed stones");
        }
        let table = solution.table(sector)?;
        let started = Instant::now();
        let sets = solver.solve([sector.own, sector.other])?;
        let solve_seconds = started.elapsed().as_secs_f64();
        report.merge(compare(solver.game(), &sets, &table)?);
        let compare_seconds = started.elapsed().as_secs_f64() - solve_seconds;
        lines.push(SetsLine::new(sector, &sets, [solve_seconds, compare_seconds])?);
    }
    progress.finish();
    let mut verified = Verified::new(solution.game.spec(), vec!["sets"], report, began);
    verified.sets = lines;
    print(verified, out)
}
