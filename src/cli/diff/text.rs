//! The differences between two sets of rules, as text.

use super::lines::{ChangeLine, Diff, SectorRow};
use crate::cli::output::{counted, grouped, table};
use crate::cli::sectors::SectorLine;

pub(super) fn text(diff: &Diff) -> String {
    format!(
        "from {} to {}\n{}, {}: {} changed, {} with the same value in more or fewer plies\n\n{}{}\n{}{}",
        diff.game,
        diff.second_game,
        counted(diff.sectors.len() as u128, "sector", "sectors"),
        counted(diff.orbits.0, "orbit", "orbits"),
        grouped(diff.changed.0),
        grouped(diff.other_dtw.0),
        changes(&diff.changes),
        examples(&diff.changes),
        sectors(&diff.sectors),
        missing(diff)
    )
}

/// Returns one line for each kind of change.
fn changes(lines: &[ChangeLine]) -> String {
    let row = |line: &ChangeLine| {
        vec![format!("{} to {}", line.from, line.to), grouped(line.orbits.0), format!("{:.4}", line.percent)]
    };
    table(&["change", "orbits", "percent"], &lines.iter().map(row).collect::<Vec<_>>())
}

/// Returns one line for each position that changes.
fn examples(lines: &[ChangeLine]) -> String {
    let all = lines.iter().flat_map(|line| &line.examples);
    let said: String = all.map(|example| format!("{}  {}\n", example.position, example.values())).collect();
    if said.is_empty() { said } else { format!("\nnearest to the end, for each change\n{said}") }
}

/// Returns one line for each sector: orbits by kind of change, and the longest wins and losses under both sets of
/// rules.
fn sectors(rows: &[SectorRow]) -> String {
    let cells = |row: &SectorRow| {
        let mut cells = vec![row.sector.clone(), grouped(row.orbits.0)];
        cells.extend(row.counts.map(|orbits| grouped(orbits.into())));
        cells.push(grouped(row.other_dtw.0));
        let [first, second] = [&row.first, &row.second].map(SectorLine::longest);
        cells.extend((0..2).map(|at| format!("{}, {}", first[at], second[at])));
        cells
    };
    let titles =
        ["sector", "orbits", "D>L", "D>W", "L>D", "W>D", "L>W", "W>L", "other plies", "longest win", "loss"];
    table(&titles, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// Lists the sectors that one of the two directories lacks.
fn missing(diff: &Diff) -> String {
    let line = |game: &str, sectors: &[String]| match sectors {
        [] => String::new(),
        sectors => format!("only in {game}: {}\n", sectors.join(", ")),
    };
    let lines = line(&diff.game, &diff.only_in_first) + &line(&diff.second_game, &diff.only_in_second);
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}
