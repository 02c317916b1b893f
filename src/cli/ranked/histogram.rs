//! The number of draws of each rank, which `nerode stats` prints for ranked sectors.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use nerode_dfa::disk;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Count, counted, grouped, table};
use nerode_morris::malom::SectorValues;
use nerode_morris::ranked::{Heuristic, Ranking, load, path_of};
use nerode_morris::tables::Sector;
use nerode_morris::tables::ask::SectorSolution;

/// The number of ranks in the text, which equals that in the paper's table.
const LISTED: usize = 10;

/// Draws by rank.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct RankStats {
    /// The source of the values of sectors.
    by: Heuristic,
    /// The value of a win. The value of a loss is its negation, and all ranks lie between them.
    win_value: i32,
    /// The number of sectors that are ranked.
    ranked_sectors: usize,
    /// The number of draws in them, up to symmetry.
    orbits: Count,
    /// The ranks, the most frequent one first.
    ranks: Vec<RankLine>,
    /// The total size of the files of ranks in bytes.
    bytes: u64,
}

/// The draws of a rank.
#[derive(JsonSchema, Serialize)]
struct RankLine {
    /// The rank.
    rank: i32,
    /// The sectors that have this value. The list is empty for draws that favour neither side.
    sectors: Vec<String>,
    /// The number of draws, up to symmetry.
    orbits: Count,
    /// The percentage of all draws.
    percent: f64,
}

/// Counts the draws of all ranked sectors of a directory. Returns `None` if draws are not ranked.
pub(in crate::cli) fn rank_stats(solution: &SectorSolution) -> Result<Option<RankStats>> {
    let Some(ranking) = Ranking::read(&solution.dir, &solution.rules)? else { return Ok(None) };
    let Some(values) = ranking.values else { return Ok(None) };
    let mut draws: BTreeMap<i32, u64> = BTreeMap::new();
    let (mut ranked_sectors, mut bytes) = (0, 0);
    for file in solution.dir.sectors()? {
        let path = path_of(&solution.dir, file.sector);
        if !path.is_file() {
            continue;
        }
        let ranked = load(&solution.dir, file.sector, &solution.rules, &values, solution.maker())?;
        ranked.draws_by_rank().into_iter().for_each(|(rank, n)| *draws.entry(rank).or_default() += n);
        ranked_sectors += 1;
        bytes += disk::metadata(&path)?.len();
    }
    let all: u64 = draws.values().sum();
    let mut ranks: Vec<(i32, u64)> = draws.into_iter().collect();
    ranks.sort_by_key(|&(rank, n)| (std::cmp::Reverse(n), rank.abs(), -rank));
    let line = |(rank, n): (i32, u64)| RankLine {
        rank,
        sectors: sectors_of(&values, rank).iter().map(Sector::to_string).collect(),
        orbits: n.into(),
        percent: (n as f64 / all as f64 * 10_000.0).round() / 100.0,
    };
    Ok(Some(RankStats {
        by: ranking.by,
        win_value: values.win(),
        ranked_sectors,
        orbits: all.into(),
        ranks: ranks.into_iter().map(line).collect(),
        bytes,
    }))
}

/// Returns the sectors with a value other than 0.
fn sectors_of(values: &SectorValues, rank: i32) -> BTreeSet<Sector> {
    values.iter().filter(|(_, value)| rank != 0 && *value == rank).map(|(sector, _)| sector).collect()
}

pub(in crate::cli) fn rank_stats_text(stats: &RankStats) -> String {
    let row = |line: &RankLine| {
        let sectors = match line.sectors.as_slice() {
            [] => "-".to_string(),
            [one] => one.clone(),
            many => counted(many.len() as u128, "sector", "sectors"),
        };
        let rank = if line.rank == 0 { "0".to_string() } else { format!("{:+}", line.rank) };
        vec![rank, sectors, grouped(line.orbits.0), format!("{:.2}", line.percent)]
    };
    let mut rows: Vec<Vec<String>> = stats.ranks.iter().take(LISTED).map(row).collect();
    let others = &stats.ranks[rows.len()..];
    if !others.is_empty() {
        let orbits: u128 = others.iter().map(|line| line.orbits.0).sum();
        let percent: f64 = others.iter().map(|line| line.percent).sum();
        rows.push(vec![
            "other".into(),
            counted(others.len() as u128, "rank", "ranks"),
            grouped(orbits),
            format!("{percent:.2}"),
        ]);
    }
    format!(
        "\ndraws by rank, sectors valued by {}, a win is {}: {} in {}\n\n{}\na rank is the value, for the side to move, of the sector that \
         best play ends up in: 0 is neutral, and more is better\n",
        stats.by,
        stats.win_value,
        counted(stats.orbits.0, "drawn orbit", "drawn orbits"),
        counted(stats.ranked_sectors as u128, "sector", "sectors"),
        table(&["rank", "ends up in", "orbits", "percent"], &rows)
    )
}
