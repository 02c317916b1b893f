//! `nerode stats` for a directory of sectors.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::{SectorLine, sector_table};
use crate::cli::output::{Outcome, Output, grouped};
use crate::morris::tables::ask::SectorSolution;

#[derive(Serialize)]
struct SectorStats {
    game: String,
    sectors: Vec<SectorLine>,
    positions: String,
    bytes: u64,
}

/// Counts of every sector of a directory.
pub(in crate::cli) fn sector_stats(run_dir: &Path, out: &Output) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    let (mut lines, mut positions, mut bytes) = (Vec::new(), 0u64, 0);
    for file in solution.dir.sectors()? {
        let counts = solution.table(file.sector)?.counts();
        solution.forget();
        positions += counts.num_positions;
        bytes += file.bytes;
        lines.push(SectorLine::new(file.sector, &counts, file.path, file.bytes));
    }
    let stats =
        SectorStats { game: solution.game.spec(), sectors: lines, positions: positions.to_string(), bytes };
    out.result(&stats, |s| {
        format!(
            "{}: {} sectors, {} positions up to symmetry, {} bytes\n\n{}",
            s.game,
            s.sectors.len(),
            grouped(positions.into()),
            grouped(s.bytes.into()),
            sector_table(&s.sectors)
        )
    })?;
    Ok(Outcome::Done)
}
