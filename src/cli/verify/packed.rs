//! The command `nerode verify` for packed sectors.

use std::time::Instant;

use anyhow::{Result, bail};

use super::args::Args;
use super::report::print_report;
use crate::cli::output::{Outcome, Output};
use nerode_morris::compressed::PackedSectors;

/// The number of positions that are checked by forward play if `--sample` is not given.
const SAMPLE: u64 = 100_000;

/// Checks every file of a database, and checks random positions by forward play of one ply.
pub(super) fn verify_packed(args: &Args, began: Instant, out: &Output) -> Result<Outcome> {
    let other = args.explicit || args.last || args.so_far || args.sets;
    if other || args.values.is_some() || !args.table.is_empty() || !args.sector.is_empty() {
        bail!(
            "packed sectors are checked on their own: every file, and N positions by forward play with --sample N"
        );
    }
    let resources = args.resources.resolve()?;
    let database = PackedSectors::open(&args.path)?;
    let pool = resources.pool()?;
    let progress = out.progress("verify");
    let files = database.sectors().filter(|(_, bytes)| *bytes > 0).count();
    let count = args.sample.map_or(SAMPLE, |count| count.get() as u64);
    let mut watch = |sector, at| progress.item(format!("sector {sector}"), at, files);
    let report = pool.install(|| database.check(count, args.seed(), &resources.interrupt, &mut watch))?;
    progress.finish();
    print_report(database.game.spec(), vec!["files", "sample"], report, began, out)
}
