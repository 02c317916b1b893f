//! The command `nerode stats` for a directory of sectors as sets.

use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::set_counts::{SetCounts, TITLES};
use crate::cli::output::{Count, Outcome, Output, counted, grouped, table};
use crate::cli::stats::longest_text;
use nerode_morris::sets::{SectorSetsSolution, SectorSummary, SetsDir};
use nerode_report::sectors::longest_of_sets;
use nerode_report::summary::Deepest;

/// A sector as sets.
#[derive(JsonSchema, Serialize)]
struct Line {
    #[serde(flatten)]
    counts: SetCounts,
    /// The size of its files in bytes.
    bytes: u64,
}

/// The summary of a directory of sectors as sets.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct SetsStats {
    /// The game with its parameters, such as `morris:six`.
    game: String,
    /// The sectors.
    sectors: Vec<Line>,
    /// The number of positions of all sectors, with all rotations and reflections.
    positions: Count,
    /// The total size of the files in bytes.
    bytes: u64,
    /// The longest wins and losses.
    longest: Vec<Deepest>,
}

impl Line {
    fn new(summary: &SectorSummary) -> Self {
        let sector = format!("{}-{}-0-0", summary.stones[0], summary.stones[1]);
        let sets: Vec<_> = summary.by_depth.iter().map(|set| (set.num_positions, set.num_states)).collect();
        let bytes = summary.by_depth.iter().map(|set| set.bytes).sum();
        Self { counts: SetCounts::new(sector, summary.num_positions, &sets), bytes }
    }
}

/// Prints the counts of every sector of a directory, from its manifests, and the longest win and loss, from the sets.
pub(in crate::cli) fn sets_stats(dir: &Path, out: &Output) -> Result<Outcome> {
    let solution = SectorSetsSolution::open(dir)?;
    let summaries = solution.summaries()?;
    let lines: Vec<Line> = summaries.iter().map(Line::new).collect();
    let positions: u128 = summaries.iter().map(|summary| summary.num_positions).sum();
    let bytes = lines.iter().map(|line| line.bytes).sum();
    let (sets, game) = (SetsDir::open(dir)?.0, &solution.game);
    let by_depth = summaries.iter().filter_map(|summary| sets.read(summary.stones).transpose());
    let stats = SetsStats {
        game: game.spec(),
        sectors: lines,
        positions: Count(positions),
        bytes,
        longest: longest_of_sets(game.as_ref(), &by_depth.collect::<Result<Vec<_>, _>>()?)?,
    };
    out.result(&stats, text)?;
    Ok(Outcome::Done)
}

fn text(stats: &SetsStats) -> String {
    let row = |line: &Line| {
        let mut row = line.counts.row();
        row.push(grouped(line.bytes.into()));
        row
    };
    let header = [&TITLES[..], &["bytes"]].concat();
    format!(
        "{}: {}, {}, {}\n\n{}{}",
        stats.game,
        counted(stats.sectors.len() as u128, "sector as sets", "sectors as sets"),
        counted(stats.positions.0, "position", "positions"),
        counted(stats.bytes.into(), "byte", "bytes"),
        table(&header, &stats.sectors.iter().map(row).collect::<Vec<_>>()),
        longest_text(&stats.longest)
    )
}
