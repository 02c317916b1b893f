//! `nerode stats` for a directory of sectors as sets.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::cli::output::{Outcome, Output, grouped, table};
use crate::cli::stats::longest_text;
use crate::morris::sets::{SectorSetsSolution, SectorSummary, SetsDir};
use crate::report::sectors::longest_of_sets;
use crate::report::summary::Deepest;

/// A sector; counts are of positions turned and reflected in every way, as sets hold them.
#[derive(Serialize)]
struct Line {
    sector: String,
    positions: String,
    win: String,
    draw: String,
    loss: String,
    longest_win: Option<usize>,
    longest_loss: Option<usize>,
    /// States of the sets of all depths together, and of the largest.
    num_states: usize,
    largest_num_states: usize,
    bytes: u64,
}

#[derive(Serialize)]
struct SetsStats {
    game: String,
    sectors: Vec<Line>,
    positions: String,
    bytes: u64,
    longest: Vec<Deepest>,
}

impl Line {
    fn new(summary: &SectorSummary) -> Self {
        let sets = &summary.by_depth;
        // Wins are at odd depths, losses at even ones.
        let of = |odd: usize| sets.iter().skip(odd).step_by(2).map(|set| set.num_positions).sum::<u128>();
        let longest = |odd: usize| (0..sets.len()).rev().find(|&d| d % 2 == odd && sets[d].num_positions > 0);
        let (win, loss) = (of(1), of(0));
        Self {
            sector: format!("{}-{}-0-0", summary.stones[0], summary.stones[1]),
            positions: summary.num_positions.to_string(),
            win: win.to_string(),
            draw: summary.num_positions.saturating_sub(win + loss).to_string(),
            loss: loss.to_string(),
            longest_win: longest(1),
            longest_loss: longest(0),
            num_states: sets.iter().map(|set| set.num_states).sum(),
            largest_num_states: sets.iter().map(|set| set.num_states).max().unwrap_or(0),
            bytes: sets.iter().map(|set| set.bytes).sum(),
        }
    }
}

/// Counts of every sector of a directory, from its manifests, and the longest win and loss, from the sets.
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
        positions: positions.to_string(),
        bytes,
        longest: longest_of_sets(game.as_ref(), &by_depth.collect::<Result<Vec<_>, _>>()?)?,
    };
    out.result(&stats, text)?;
    Ok(Outcome::Done)
}

fn text(stats: &SetsStats) -> String {
    let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
    let plies = |depth: Option<usize>| depth.map_or_else(|| "-".to_string(), |d| d.to_string());
    let row = |line: &Line| {
        let mut row = vec![line.sector.clone()];
        row.extend([&line.positions, &line.win, &line.draw, &line.loss].map(|n| number(n)));
        row.extend([line.longest_win, line.longest_loss].map(plies));
        row.extend([grouped(line.num_states as u128), grouped(line.bytes.into())]);
        row
    };
    let header =
        ["sector", "positions", "win", "draw", "loss", "longest win", "longest loss", "states", "bytes"];
    format!(
        "{}: {} sectors as sets, {} positions, {} bytes\n\n{}{}",
        stats.game,
        stats.sectors.len(),
        number(&stats.positions),
        grouped(stats.bytes.into()),
        table(&header, &stats.sectors.iter().map(row).collect::<Vec<_>>()),
        longest_text(&stats.longest)
    )
}
