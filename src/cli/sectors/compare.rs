//! `nerode compare` for a directory of sectors.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::sectors_or_all;
use crate::cli::output::{Outcome, Output, Progress, grouped, table};
use crate::morris::compressed::{Row, compare_directory};
use crate::morris::tables::ask::SectorSolution;
use crate::solve::resources::Resources;

/// Random positions of each sector whose look-ups are timed.
const LOOKUPS: usize = 20_000;

/// Sectors named, or all, in every form.
pub(in crate::cli) fn compare_sectors(
    run_dir: &Path,
    sectors: &[String],
    resources: &Resources,
    progress: &Progress,
    out: &Output,
) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?.with_memory(resources.memory);
    let sectors = sectors_or_all(&solution, sectors)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    let mut watch = |sector| progress.message(format!("sector {sector}"));
    let forms = pool.install(|| compare_directory(&solution, &sectors, LOOKUPS, &mut watch))?;
    progress.finish();
    let game = solution.game.spec();
    out.result(&Compared { game, forms }, |compared| forms_text(&compared.forms))?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Compared {
    game: String,
    forms: Vec<Row>,
}

/// A line for each form, and what the smallest form of every sector takes in all.
fn forms_text(rows: &[Row]) -> String {
    let dash = || "-".to_string();
    let line = |row: &Row| {
        vec![
            format!("{}{} {}", if row.smallest { "* " } else { "  " }, row.sector, row.form),
            row.bytes.map_or_else(dash, |bytes| grouped(bytes.into())),
            row.positions_per_byte.map_or_else(dash, |r| format!("{r:.1}")),
            row.lookup_ns.map_or_else(dash, |ns| format!("{ns:.0}")),
            row.build_seconds.map_or_else(dash, |s| format!("{s:.2}")),
            row.note.clone(),
        ]
    };
    let lines = table(
        &["  form", "bytes", "positions/byte", "look-up ns", "build s", "note"],
        &rows.iter().map(line).collect::<Vec<_>>(),
    );
    let smallest = rows.iter().filter(|row| row.smallest);
    let bytes: u64 = smallest.clone().filter_map(|row| row.bytes).sum();
    format!(
        "{lines}\n* the smallest of each sector: {} bytes for {}",
        grouped(bytes.into()),
        smallest.count()
    )
}
