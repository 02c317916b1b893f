//! The command `nerode stats` for a directory of sectors.

use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::{SectorLine, sector_table, tell_open};
use crate::cli::output::{Count, Outcome, Output, counted};
use crate::cli::ranked::{RankStats, rank_stats, rank_stats_text};
use crate::cli::stats::longest_text;
use nerode_morris::tables::ask::SectorSolution;
use nerode_report::sectors::longest_of_tables;
use nerode_report::summary::Deepest;

/// The summary of a directory of sectors.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct SectorStats {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The sectors.
    sectors: Vec<SectorLine>,
    /// The requested sectors that are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_sectors: Vec<String>,
    /// The number of orbits of all sectors.
    orbits: Count,
    /// The total size of the files in bytes.
    bytes: u64,
    /// The longest wins and losses.
    longest: Vec<Deepest>,
    /// Draws by rank, if draws are ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<RankStats>,
}

/// Prints the counts of every sector of a directory, and the longest win and loss.
pub(in crate::cli) fn sector_stats(run_dir: &Path, out: &Output) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    let missing_sectors = tell_open(&solution.rules, &solution.dir, out)?;
    let (mut lines, mut all, mut bytes) = (Vec::new(), Vec::new(), 0);
    for file in solution.dir.sectors()? {
        let counts = solution.table(file.sector)?.counts();
        solution.forget();
        bytes += file.bytes;
        lines.push(SectorLine::new(file.sector, &counts, file.path, file.bytes));
        all.push((file.sector, counts));
    }
    let orbits: u64 = all.iter().map(|(_, counts)| counts.num_positions).sum();
    let stats = SectorStats {
        game: solution.game.spec(),
        sectors: lines,
        missing_sectors,
        orbits: orbits.into(),
        bytes,
        longest: longest_of_tables(&solution, &all)?,
        ranks: rank_stats(&solution)?,
    };
    out.result(&stats, |s| {
        format!(
            "{}: {}, {}, {}\n\n{}{}{}",
            s.game,
            counted(s.sectors.len() as u128, "sector", "sectors"),
            counted(s.orbits.0, "orbit", "orbits"),
            counted(s.bytes.into(), "byte", "bytes"),
            sector_table(&s.sectors),
            longest_text(&s.longest),
            s.ranks.as_ref().map_or_else(String::new, rank_stats_text)
        )
    })?;
    Ok(Outcome::Done)
}
