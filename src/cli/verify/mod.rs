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
use nerode_solver::check::{Report, early, one_ply, sample, tables, values};
use nerode_solver::solve::resources::Resources;
use report::{Verified, print};

pub(super) use args::Args;

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.path = stored_solution(&args.path)?;
    let args = &args;
    let began = Instant::now();
    if args.seed.is_some() && args.sample.is_none() && !Contents::PackedSectors.is_in(&args.path) {
        bail!("--seed selects the positions of a sample; add --sample N");
    }
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
    let mut reports: Vec<(&'static str, Report)> = Vec::new();
    // A run that keeps only its last sets has no depths that could be checked.
    let has_depths = solution.has_depths();
    if args.explicit {
        let bar = out.progress("verify");
        let report =
            tables::against_oracle(&solution, &resources, &mut |done, total| bar.steps(done, total))?;
        reports.push((if has_depths { "explicit" } else { "explicit values" }, report));
    }
    for file in &args.tables() {
        let report = if SectorDir::exists(file) {
            against_sectors(
                &solution,
                &SectorSolution::open(file)?.with_memory(resources.memory),
                &resources,
            )?
        } else {
            tables::against_table(&solution, file, registry(), &resources)?
        };
        reports.push(("table", report));
    }
    if let Some(n) = args.sample {
        reports.push(("sample", check_sample(&solution, n, args.seed(), &resources, out)?));
    }
    // Without an option, everything in the run directory is checked.
    let attached = args.path.join(FOLDER);
    let folder = match &args.values {
        None if reports.is_empty() && !args.last && Values::exists(&attached) => Some(&attached),
        named => named.as_ref(),
    };
    let one_ply = reports.is_empty() && args.values.is_none() && !args.last;
    if args.last {
        reports.push(("last sets", one_ply::check_last(&solution, &resources)?));
    }
    if let Some(folder) = folder {
        let values = Values::open_with(folder, registry())?;
        reports.push(("values", values::check(&values, &solution, &resources)?));
    }
    if one_ply {
        let spinner = out.progress("verify");
        let plies = solution.run.progress().forward.unwrap_or(0).max(solution.last_ply());
        let mut watch = |ply: u32| spinner.item("ply".into(), ply as usize, plies as usize);
        let report = one_ply::check(&solution, &resources, &mut watch)?;
        reports.push((if has_depths { "one-ply" } else { "last sets" }, report));
        let mut steps = |done, total| spinner.steps(done, total);
        let report = resources.pool()?.install(|| early::check(&solution, &resources, &mut steps))?;
        reports.extend(report.map(|report| ("depths", report)));
    }
    let unknown =
        Side::BOTH.map(|side| solution.num_unknown(side)).into_iter().sum::<crate::Result<u128>>()?;
    let beyond_last_sets = reports.iter().any(|(check, _)| *check != "last sets");
    let verified = Verified::of_checks(solution.game.spec(), reports, began).so_far(args.so_far);
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
