//! Orbits by class and value, as text.

use crate::cli::output::{grouped, table};
use nerode_report::census::{Census, Counted, Longest, Row};

pub(super) fn census_text(census: &Census) -> String {
    let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
    let counted = |c: &Counted| format!("{} / {}", number(&c.positions), number(&c.orbits));
    let longest = |l: &Option<Longest>| {
        l.as_ref().map_or_else(|| "-".to_string(), |l| format!("{}: {}", l.dtw, counted(&l.count)))
    };
    let row = |r: &Row| {
        let mut row = vec![r.class.clone(), r.side.clone()];
        row.extend([&r.win, &r.draw, &r.loss].map(counted));
        row.extend([&r.longest_win, &r.longest_loss].map(longest));
        row
    };
    let rows: Vec<Vec<String>> = census.rows.iter().map(row).collect();
    format!(
        "\n{} positions / orbits under {} symmetries; longest in plies\n{}",
        census.counted,
        census.symmetries,
        table(&["class", "to move", "win", "draw", "loss", "longest win", "longest loss"], &rows)
    )
}
