//! `nerode verify RUN_DIR`.

mod args;
mod report;
mod sectors;

use std::time::Instant;

use anyhow::Result;
use nerode_games::Side;
use serde::Serialize;

use super::output::{Outcome, Output, Progress};
use crate::archive::stored_run::StoredRun;
use crate::archive::values::{FOLDER, Values};
use crate::check::{Report, one_ply, sample, tables, values};
use crate::morris::sets::against_run::against_sectors;
use crate::morris::tables::{SectorDir, SectorSolution};
use crate::outcome;
use report::print_report;

pub(super) use args::Args;

/// Value of a start position, for JSON and text.
#[derive(Serialize)]
pub(super) struct StartValue {
    side: String,
    value: String,
    depth: Option<u32>,
}

impl StartValue {
    pub(super) fn new(side: Side, start: outcome::Outcome) -> Self {
        Self { side: side.to_string(), value: start.name().into(), depth: start.depth() }
    }

    pub(super) fn text(&self) -> String {
        let depth = self.depth.map_or(String::new(), |d| format!(" in {d}"));
        format!("{} to move: {}{depth}", self.side, self.value)
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    if SectorDir::exists(&args.run_dir) {
        return sectors::verify_sectors(args, began, out);
    }
    let solution =
        if args.so_far { StoredRun::open(&args.run_dir)?.so_far()? } else { StoredRun::open(&args.run_dir)? };
    let resources = args.resources.resolve()?;
    let mut report = Report::default();
    let mut checks = Vec::new();
    if args.explicit {
        checks.push("explicit");
        let bar = Progress::bar("explicit");
        report
            .merge(tables::against_oracle(&solution, &resources, &mut |done, total| bar.steps(done, total))?);
    }
    if let Some(file) = &args.table {
        checks.push("table");
        report.merge(if SectorDir::exists(file) {
            against_sectors(
                &solution,
                &SectorSolution::open(file)?.with_memory(resources.memory),
                &resources,
            )?
        } else {
            tables::against_table(&solution, file, &resources)?
        });
    }
    if let Some(n) = args.sample {
        checks.push("sample");
        report.merge(sample::check(&solution, n, args.seed)?);
    }
    // Without an option: everything in the run directory.
    let attached = args.run_dir.join(FOLDER);
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
        report.merge(values::check(&Values::open(folder)?, &solution, &resources)?);
    }
    if one_ply {
        checks.push("one-ply");
        let spinner = Progress::spinner();
        let mut watch = |ply: u32| spinner.message(format!("ply {ply} of {}", solution.last_ply()));
        report.merge(one_ply::check(&solution, &resources, &mut watch)?);
    }
    if args.so_far {
        checks.insert(0, "so far");
    }
    print_report(solution.game.spec(), checks, report, began, out)
}
