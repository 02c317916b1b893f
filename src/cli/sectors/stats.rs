//! The command `nerode stats` for a directory of sectors.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::{SectorLine, sector_table, tell_open};
use crate::cli::output::{Outcome, Output, counted};
use crate::cli::ranked::{RankStats, rank_stats, rank_stats_text};
use crate::cli::stats::longest_text;
use nerode_morris::tables::ask::SectorSolution;
use nerode_report::sectors::longest_of_tables;
use nerode_report::summary::Deepest;

#[derive(Serialize)]
struct SectorStats {
    game: String,
    sectors: Vec<SectorLine>,
    orbits: String,
    bytes: u64,
    longest: Vec<Deepest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<RankStats>,
}

/// Prints the counts of every sector of a directory, and the longest win and loss.
pub(in crate::cli) fn sector_stats(run_dir: &Path, out: &Output) -> Result<Outcome> {
    let solution = SectorSolution::open(run_dir)?;
    tell_open(&solution.rules, &solution.dir, out)?;
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
        orbits: orbits.to_string(),
        bytes,
        longest: longest_of_tables(&solution, &all)?,
        ranks: rank_stats(&solution)?,
    };
    out.result(&stats, |s| {
        format!(
            "{}: {}, {}, {}\n\n{}{}{}",
            s.game,
            counted(s.sectors.len() as u128, "sector", "sectors"),
            counted(orbits.into(), "orbit", "orbits"),
            counted(s.bytes.into(), "byte", "bytes"),
            sector_table(&s.sectors),
            longest_text(&s.longest),
            s.ranks.as_ref().map_or_else(String::new, rank_stats_text)
        )
    })?;
    Ok(Outcome::Done)
}
