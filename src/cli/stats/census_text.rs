//! Orbits by class and value, as text.

use crate::cli::output::{counted as amount, grouped, table};
use nerode_report::census::{Census, Counted, Longest, Row};

pub(super) fn census_text(census: &Census) -> String {
    let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
    let counted = |c: &Counted| format!("{} / {}", number(&c.positions), number(&c.orbits));
    let longest = |l: &Option<Longest>| {
        l.as_ref().map_or_else(|| "-".to_string(), |l| format!("{}: {}", l.dtw, counted(&l.count)))
    };
    // The longest wins and losses of a run from the start are those of a listing.
    let has_longest = census.rows.iter().any(|row| row.longest_win.is_some() || row.longest_loss.is_some());
    let has_unknown = census.rows.iter().any(|row| row.unknown.is_some());
    let row = |r: &Row| {
        let mut row = vec![r.class.clone(), r.side.clone()];
        row.extend([&r.win, &r.draw, &r.loss].map(counted));
        row.extend(r.unknown.as_ref().map(counted));
        row.extend([&r.longest_win, &r.longest_loss].into_iter().filter(|_| has_longest).map(longest));
        row
    };
    let rows: Vec<Vec<String>> = census.rows.iter().map(row).collect();
    let mut titles = vec!["class", "to move", "win", "draw", "loss"];
    titles.extend(has_unknown.then_some("unknown"));
    titles.extend(["longest win", "longest loss"].into_iter().filter(|_| has_longest));
    format!(
        "\n{} positions / orbits under {}{}\n{}",
        census.counted,
        amount(census.symmetries as u128, "symmetry", "symmetries"),
        if has_longest { "; longest in plies" } else { "" },
        table(&titles, &rows)
    )
}
