//! The command `nerode verify` for a directory of sectors.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};

use super::args::Args;
use super::report::{FileLine, SetsLine, Verified, print};
use crate::cli::output::{Count, Outcome, Output, counted};
use crate::cli::sectors::{MalomFile, Share, malom_files, sectors_or_all, tell_open};
use nerode_morris::early::EarlyBounds;
use nerode_morris::malom::{self, SectorValues};
use nerode_morris::ranked::{self, RankedTables, Ranking, load_with_children, path_of};
use nerode_morris::sets::{SectorSolver, compare};
use nerode_morris::tables::{Sector, SectorSolution, check_sector};
use nerode_solver::check::Report;
use nerode_solver::error::Error;
use nerode_solver::solve::resources::Resources;

/// Checks every position of every sector of a directory by forward play of one ply.
pub(super) fn verify_sectors(args: &Args, began: Instant, out: &Output) -> Result<Outcome> {
    if args.explicit || args.last || args.so_far || args.sample.is_some() || args.values.is_some() {
        bail!(
            "a directory of sectors can be checked by forward play, against Malom's files with --table, or against sets \
             with --sets"
        );
    }
    if !args.table.is_empty() && !args.sector.is_empty() {
        bail!("the names of Malom's files determine their sectors; omit --sector");
    }
    let resources = args.resources.resolve()?;
    let solution = SectorSolution::open(&args.path)?.with_memory(resources.memory);
    let pool = resources.pool()?;
    if !args.table.is_empty() {
        return pool.install(|| against_files(&solution, &args.tables(), &resources, began, out));
    }
    if args.sets && args.sector.is_empty() {
        bail!("--sets takes a long time for large sectors; name the sectors to check with --sector");
    }
    let missing = match args.sector.is_empty() {
        true => tell_open(&solution.rules, &solution.dir, out)?,
        false => Vec::new(),
    };
    let sectors = sectors_or_all(&solution, &args.sector)?;
    if args.sets {
        return against_sets(&solution, &sectors, args, &resources, began, out);
    }
    if args.sector.is_empty()
        && let Some(early) = EarlyBounds::of(&solution)?
    {
        early.verify(solution.maker())?;
    }
    let progress = out.progress("verify");
    let (mut report, mut checks) = (Report::default(), vec!["forward play"]);
    let ranking = Ranking::read(&solution.dir, &solution.rules)?.and_then(|ranking| ranking.values);
    for (at, &sector) in sectors.iter().enumerate() {
        progress.item(format!("sector {sector}"), at, sectors.len());
        if let Some(ranks) =
            ranking.as_ref().map(|values| ranks_of(&solution, values, sector)).transpose()?.flatten()
        {
            report.merge(pool.install(|| {
                let table =
                    ranks.get(&sector).ok_or_else(|| Error::NoValue { sector: sector.to_string() })?;
                ranked::check_sector(&solution.rules, table, solution.maker(), &ranks, &resources.interrupt)
            })?);
            checks = vec!["forward play", "ranks"];
            continue;
        }
        let (table, known) = solution.with_children(sector)?;
        report.merge(pool.install(|| {
            check_sector(&solution.rules, &table, solution.maker(), &known, &resources.interrupt)
        })?);
        solution.forget();
    }
    progress.finish();
    let mut verified = Verified::new(solution.game.spec(), checks, report, began);
    verified.missing_sectors = missing;
    print(verified, out)
}

/// Returns a sector and all sectors that its moves lead to, with their ranks, or `None` if some of them are not
/// ranked. The check of ranks includes that of wins and losses.
fn ranks_of(
    solution: &SectorSolution,
    values: &SectorValues,
    sector: Sector,
) -> Result<Option<RankedTables>> {
    let is_ranked = |sector: &Sector| path_of(&solution.dir, *sector).is_file();
    if !sector.children(&solution.rules).iter().chain([&sector]).all(is_ranked) {
        return Ok(None);
    }
    Ok(Some(load_with_children(solution, values, sector)?))
}

/// Compares sectors with Malom's files. Files of a folder whose sectors are missing here are skipped.
fn against_files(
    solution: &SectorSolution,
    paths: &[PathBuf],
    resources: &Resources,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    let files = malom_files(paths, &solution.rules)?;
    let (files, absent): (Vec<MalomFile>, Vec<MalomFile>) =
        files.into_iter().partition(|file| !file.is_listed || solution.dir.file(file.sector).is_file());
    if files.is_empty() {
        let named = counted(absent.len() as u128, "file", "files");
        bail!("{named} for sectors that {} does not contain", solution.dir.path().display());
    }
    let progress = out.progress("verify");
    let mut share = Share::new(&progress, 0, files.iter().map(|file| file.bytes).sum());
    let (mut report, mut lines) = (Report::default(), Vec::new());
    for (at, file) in files.iter().enumerate() {
        resources.must_go_on()?;
        share.begin(format!("{}, file {} of {}", file.path.display(), at + 1, files.len()));
        let foreign = malom::open(&file.path, &solution.rules, solution.maker())?;
        let table = solution.table(foreign.sector())?;
        let found = malom::compare(&solution.rules, &table, &foreign, &resources.interrupt)?;
        lines.push(FileLine {
            file: file.path.clone(),
            sector: file.sector.to_string(),
            checked: Count(found.checked),
            mismatches: Count(found.mismatches),
        });
        report.merge(found);
        solution.forget();
        share.end(file.bytes);
    }
    progress.finish();
    if !absent.is_empty() {
        let left_out = counted(absent.len() as u128, "file is", "files are");
        out.note(&format!(
            "{left_out} skipped, because {} lacks their sectors",
            solution.dir.path().display()
        ));
    }
    let mut verified = Verified::new(solution.game.spec(), vec!["table"], report, began);
    verified.files = lines;
    print(verified, out)
}

/// Compares each sector with its solution as sets.
fn against_sets(
    solution: &SectorSolution,
    sectors: &[Sector],
    args: &Args,
    resources: &Resources,
    began: Instant,
    out: &Output,
) -> Result<Outcome> {
    let mut solver = SectorSolver::new(Arc::clone(&solution.game), resources)?;
    if let Some(dir) = &args.sets_dir {
        solver.keep_in(dir)?;
    }
    let progress = out.progress("verify");
    let mut report = Report::default();
    let mut lines = Vec::new();
    for &sector in sectors {
        progress.item(format!("sector {sector} as sets"), lines.len(), sectors.len());
        if sector.own_hand > 0 || sector.other_hand > 0 {
            bail!("sector {sector} has stones in hand, which sectors as sets cannot represent");
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
