//! The summary of a run, as text.

use super::set_lines::file_bytes;
use crate::cli::output::{counted, grouped, table};
use nerode_report::summary::{Deepest, HowMany, Largest, Summary};
use nerode_solver::solve::method::{Chains, Method};

pub(super) fn summary_text(summary: &Summary) -> String {
    let how = match (summary.method, summary.chains) {
        (Method::Retrograde, Some(Chains::One)) => "back from the end, one chain of sets",
        (Method::Retrograde, _) => "back from the end",
        (Method::Meet, _) => "forward from the start, then values backed up",
    };
    let state = match (summary.complete, summary.finished) {
        (true, _) => "complete",
        (false, true) => "up to the requested ply; the rest is unknown",
        (false, false) => "not finished",
    };
    let mut text = format!(
        "{}, {how}\n\nstate        {state}\nplies        {}\norder        {}\nsets         {} in {}\n",
        summary.game,
        summary.last_ply,
        summary.order,
        grouped(summary.num_sets as u128),
        counted(summary.bytes.into(), "byte", "bytes")
    );
    let set = |set: &Largest| {
        let [states, positions] = [u128::from(set.num_states), set.positions].map(grouped);
        let numbers = [states, positions, file_bytes(set.bytes)];
        [vec![set.set.clone()], numbers.into()].concat()
    };
    let rows: Vec<Vec<String>> = summary.largest.iter().map(set).collect();
    text += &format!("\n{}", table(&["largest sets", "states", "positions", "bytes"], &rows));
    if summary.method == Method::Retrograde && !summary.has_depths {
        text += "\nthe run keeps only its last sets, so that the longest wins and losses are known only if the last plies decide them\n";
    }
    text + &longest_text(&summary.longest)
}

/// Formats the longest wins and losses, each with a position.
pub(in crate::cli) fn longest_text(longest: &[Deepest]) -> String {
    let line = |Deepest { side, category, dtw, count, position }: &Deepest| {
        let others = match count {
            HowMany::Positions(1) | HowMany::Orbits(1) => "the only one".to_string(),
            HowMany::Positions(more) => format!("one of {}", grouped(*more)),
            HowMany::Orbits(more) => format!("one of {}", counted(*more, "orbit", "orbits")),
        };
        format!("{side} to move, {category:<4}  {dtw:>4}  {position}  ({others})\n")
    };
    match longest {
        [] => String::new(),
        _ => {
            "\nlongest, in plies to the end of the game\n".to_string()
                + &longest.iter().map(line).collect::<String>()
        }
    }
}
