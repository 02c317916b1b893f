//! The command `nerode stats` for a table of reached positions.

use std::path::Path;

use anyhow::Result;

use super::longest_text;
use crate::cli::hints::advised;
use crate::cli::output::{Outcome, Output, counted, grouped, table};
use crate::cli::words::shell;
use crate::registry;
use nerode_report::listing::{ListingSummary, ValueCounts, keyed_summary, listing_summary};
use nerode_solver::archive::table::keyed::KeyedTable;
use nerode_solver::archive::table::reached::ReachedTable;
use nerode_solver::solve::resources::Resources;

/// Prints the numbers of positions by value, and the longest wins and losses.
pub(super) fn stats(file: &Path, resources: &Resources, out: &Output) -> Result<Outcome> {
    let is_keyed = KeyedTable::is_one(file)?;
    if !is_keyed && !ReachedTable::is_one(file)? {
        return Err(advised(
            format!("{} is a table of all boards, and 'stats' does not apply to such tables", file.display()),
            format!(
                "name a run of the game, which 'nerode solve' creates; 'nerode query {}' looks positions up in the table",
                shell(file)
            ),
        ));
    }
    let progress = out.progress("stats");
    progress.message("every position of the table".into());
    let summary = match is_keyed {
        true => keyed_summary(&KeyedTable::open(file, registry())?, resources),
        false => listing_summary(&ReachedTable::open(file, registry())?, resources),
    };
    progress.finish();
    out.result(&summary?, text)?;
    Ok(Outcome::Done)
}

fn text(summary: &ListingSummary) -> String {
    let row = |counts: &ValueCounts| {
        let numbers = [counts.win, counts.draw, counts.loss, counts.unknown];
        [vec![counts.side.clone()], numbers.map(|n| grouped(n.into())).into()].concat()
    };
    let rows: Vec<Vec<String>> = summary.counts.iter().map(row).collect();
    format!(
        "{}, reached positions with depths\n\nplies        {}\norder        {}\nfile         {}\n\n{}",
        summary.game,
        summary.last_ply,
        summary.order,
        counted(summary.bytes.into(), "byte", "bytes"),
        table(&["to move", "win", "draw", "loss", "unknown"], &rows)
    ) + &longest_text(&summary.longest)
        + &left_out_text(summary.unknown_depths)
}

/// Says how many positions the longest wins and losses leave out.
fn left_out_text(unknown_depths: u64) -> String {
    if unknown_depths == 0 {
        return String::new();
    }
    let left_out = "position of unknown depth is left out";
    format!("\n{}\n", counted(unknown_depths.into(), left_out, "positions of unknown depth are left out"))
}
