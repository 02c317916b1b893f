//! The command `nerode compare` for a directory of sectors.

use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::sectors_or_all;
use crate::cli::output::{Columns, Outcome, Output, Progress, counted, grouped, per_byte};
use nerode_morris::compressed::{FormKind, Row, compare_directory};
use nerode_morris::tables::Sector;
use nerode_morris::tables::ask::SectorSolution;
use nerode_solver::error::Error;
use nerode_solver::solve::resources::Resources;

/// The number of random positions per sector whose look-ups are timed.
const LOOKUPS: usize = 20_000;

/// The columns of the rows. Each row is printed as soon as its sector has been measured.
const COLUMNS: Columns<6> = Columns([
    ("  form", 62),
    ("bytes", 13),
    ("orbits/byte", 14),
    ("look-up ns", 10),
    ("build s", 8),
    ("note", 0),
]);

/// The forms of sectors: size, and time of a look-up.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Compared {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The forms of each sector.
    forms: Vec<Row>,
    /// Requested sectors that were not measured completely because the comparison was interrupted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
}

/// Compares the named sectors, or all of them, in the forms of `kinds`. Rows already printed stay valid if the comparison is
/// interrupted, and the complete rows of the sector that was being measured are printed.
pub(in crate::cli) fn compare_sectors(
    run_dir: &Path,
    sectors: &[String],
    kinds: &[FormKind],
    resources: &Resources,
    progress: &Progress,
    out: &Output,
) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?.with_memory(resources.memory);
    let sectors = sectors_or_all(&solution, sectors)?;
    let pool = resources.pool()?;
    out.part(|| COLUMNS.header())?;
    let (mut forms, mut is_read) = (Vec::<Row>::new(), true);
    let mut begun: Vec<Sector> = Vec::new();
    let mut watch = |sector: Sector, kind: Option<FormKind>| {
        let form = kind.map_or("building automata", FormKind::name);
        // Sectors are measured after those on which they depend, so that their order is not that of the list.
        let is_requested = sectors.contains(&sector);
        if is_requested && begun.last() != Some(&sector) {
            begun.push(sector);
        }
        let place = match is_requested {
            true => format!(" ({} of {})", begun.len(), sectors.len()),
            false => String::new(),
        };
        progress.message(format!("sector {sector}{place}, {form}"));
    };
    let mut tell = |rows: Vec<Row>| -> Result<()> {
        let printed = out.part(|| rows.iter().map(|row| COLUMNS.row(&cells(row))).collect());
        forms.extend(rows);
        is_read = printed?;
        if is_read { Ok(resources.must_go_on()?) } else { Err(Error::Interrupted.into()) }
    };
    let interrupt = &resources.interrupt;
    let measured = pool.install(|| {
        compare_directory(&solution, &sectors, (kinds, LOOKUPS), interrupt, &mut watch, &mut tell)
    });
    progress.finish();
    if !is_read {
        return Ok(Outcome::Done);
    }
    // The smallest form is marked after all forms of a sector.
    let is_missing = |name: &String| !forms.iter().any(|row| row.sector == *name && row.smallest);
    let missing: Vec<String> = sectors.iter().map(Sector::to_string).filter(is_missing).collect();
    let printed = out.part(|| end_text(&forms, &missing));
    let compared = Compared { game: solution.game.spec(), forms, missing };
    let printed = printed.and_then(|_| out.document(&compared));
    // The error that occurred first is reported.
    measured.and(printed).map(|()| Outcome::Done)
}

fn cells(row: &Row) -> [String; 6] {
    let dash = || "-".to_string();
    [
        format!("{}{} {}", if row.smallest { "* " } else { "  " }, row.sector, row.form),
        row.bytes.map_or_else(dash, |bytes| grouped(bytes.into())),
        row.orbits_per_byte.map_or_else(dash, per_byte),
        row.lookup_ns.map_or_else(dash, |ns| format!("{ns:.0}")),
        row.build_seconds.map_or_else(dash, |seconds| format!("{seconds:.2}")),
        row.note.clone(),
    ]
}

/// Formats the total size of the smallest form of every sector, and the sectors that are missing.
fn end_text(rows: &[Row], missing: &[String]) -> String {
    let smallest = rows.iter().filter(|row| row.smallest);
    let bytes: u64 = smallest.clone().filter_map(|row| row.bytes).sum();
    let sum = format!(
        "\n* the smallest of each sector: {} for {}\n",
        counted(bytes.into(), "byte", "bytes"),
        counted(smallest.count() as u128, "sector", "sectors")
    );
    if missing.is_empty() { sum } else { sum + &format!("not measured completely: {}\n", missing.join(", ")) }
}
