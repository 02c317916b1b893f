//! The command `nerode verify PATH`.

mod args;
mod kinds;
mod packed;
pub(super) mod report;
mod sectors;
mod table;

use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Result, bail};

use nerode_games::Side;

use super::output::{Outcome, Output};
use super::solutions::stored_solution;
use crate::registry;
use nerode_morris::sets::against_run::against_sectors;
use nerode_morris::tables::{SectorDir, SectorSolution};
use nerode_solver::archive::Contents;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::{FOLDER, Values};
use nerode_solver::check::{Report, one_ply, sample, tables, values};
use nerode_solver::solve::resources::Resources;
use report::{Verified, print};

pub(super) use args::Args;

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.path = stored_solution(&args.path)?;
    let args = &args;
    let began = Instant::now();
    if SectorDir::exists(&args.path) {
        return sectors::verify_sectors(args, began, out);
    }
    kinds::must_be_checkable(&args.path)?;
    if Contents::PackedSectors.is_in(&args.path) {
        return packed::verify_packed(args, began, out);
    }
    if args.path.is_file() {
        return table::verify_table(args, began, out);
    }
    if args.sets || !args.sector.is_empty() {
        bail!(
            "--sets and --sector are for tables and directories of sectors; {} is neither",
            args.path.display()
        );
    }
    let resources = args.resources.resolve()?;
    let solution = StoredRun::open_with(&args.path, registry())?.with_memory(resources.memory);
    let solution = if args.so_far { solution.so_far()? } else { solution };
    let mut report = Report::default();
    let mut checks = Vec::new();
    // A run that keeps only its last sets has no depths that could be checked.
    let has_depths = solution.has_depths();
    if args.explicit {
        checks.push(if has_depths { "explicit" } else { "explicit values" });
        let bar = out.progress("verify");
        report
            .merge(tables::against_oracle(&solution, &resources, &mut |done, total| bar.steps(done, total))?);
    }
    for file in &args.tables() {
        if !checks.contains(&"table") {
            checks.push("table");
        }
        report.merge(if SectorDir::exists(file) {
            against_sectors(
                &solution,
                &SectorSolution::open(file)?.with_memory(resources.memory),
                &resources,
            )?
        } else {
            tables::against_table(&solution, file, registry(), &resources)?
        });
    }
    if let Some(n) = args.sample {
        checks.push("sample");
        report.merge(check_sample(&solution, n, args.seed, &resources, out)?);
    }
    // Without an option, everything in the run directory is checked.
    let attached = args.path.join(FOLDER);
    let folder = match &args.values {
        None if checks.is_empty() && !args.last && Values::exists(&attached) => Some(&attached),
        named => named.as_ref(),
    };
    let one_ply = checks.is_empty() && args.values.is_none() && !args.last;
    if args.last {
        checks.push("last sets");
        report.merge(one_ply::check_last(&solution, &resources)?);
    }
    if let Some(folder) = folder {
        checks.push("values");
        report.merge(values::check(&Values::open_with(folder, registry())?, &solution, &resources)?);
    }
    if one_ply {
        checks.push(if has_depths { "one-ply" } else { "last sets" });
        let spinner = out.progress("verify");
        let plies = solution.run.progress().forward.unwrap_or(0).max(solution.last_ply());
        let mut watch = |ply: u32| spinner.item("ply".into(), ply as usize, plies as usize);
        report.merge(one_ply::check(&solution, &resources, &mut watch)?);
    }
    if args.so_far {
        checks.insert(0, "so far");
    }
    let unknown =
        Side::BOTH.map(|side| solution.num_unknown(side)).into_iter().sum::<crate::Result<u128>>()?;
    let beyond_last_sets = checks.iter().any(|check| !matches!(*check, "last sets" | "so far"));
    let verified = Verified::new(solution.game.spec(), checks, report, began);
    print(verified.leaving(unknown).with_depths(has_depths && beyond_last_sets), out)
}

/// The number of positions of a sample between two progress reports.
const STRETCH: u64 = 1 << 10;

fn check_sample(
    solution: &StoredRun,
    n: NonZeroUsize,
    seed: u64,
    resources: &Resources,
    out: &Output,
) -> Result<Report> {
    let bar = out.progress("verify");
    let mut go_on = |done: u64, total: u64| {
        if done.is_multiple_of(STRETCH) {
            bar.steps(done, total);
        }
        resources.must_go_on()
    };
    let report = sample::check_while(solution, n.get(), seed, &mut go_on)?;
    bar.finish();
    Ok(report)
}
