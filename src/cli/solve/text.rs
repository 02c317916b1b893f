//! The output of `solve` for a run.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{bytes, counted, duration, grouped, per_byte, table};
use nerode_report::headline::Headline;
use nerode_report::lines::depth_text;
use nerode_report::run::RunReport;
use nerode_solver::solve::method::Method;

/// A game solved as sets.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "RunSolved")]
pub(in crate::cli) struct Solved {
    #[serde(flatten)]
    pub(super) report: RunReport,
    #[serde(flatten)]
    pub(super) headline: Headline,
    /// Sets whose files were missing or damaged and have been recomputed.
    pub(super) mended: Vec<String>,
    /// The elapsed time in seconds.
    pub(super) seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    pub(super) peak_rss_bytes: Option<u64>,
    /// The directory of the run.
    pub(super) run_dir: PathBuf,
    /// The last ply, if the run stopped at a limit on plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stopped_at_ply: Option<u32>,
    /// The command that solves the run to the end, if it is not finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) continue_with: Option<String>,
}

pub(super) fn of_run(solved: &Solved) -> String {
    let r = &solved.report;
    let mut lines = format!("{} by {}\n", r.game, r.method);
    lines += &headline(solved);
    lines += &match solved.stopped_at_ply {
        Some(ply) => format!("complete            no: stopped at ply {ply}, as requested\n\n"),
        None => format!("complete            {}\n\n", if r.complete { "yes" } else { "no" }),
    };
    lines += &values(r);
    if r.method == Method::Meet {
        lines += "a position counts once for each ply at which it can occur\n";
    }
    if let Some(ratio) = r.positions_per_byte {
        lines += &format!("\npositions per byte  {}\n", per_byte(ratio));
    }
    if let Some(ratio) = solved.headline.admissible_positions_per_byte {
        lines += &format!("  admissible ones   {}\n", per_byte(ratio));
    }
    lines += &format!("time                {}\n", duration(solved.seconds));
    if let Some(peak) = solved.peak_rss_bytes {
        lines += &format!("peak memory         {}\n", bytes(peak));
    }
    if !solved.mended.is_empty() {
        lines += &format!("recomputed files    {}\n", solved.mended.join(" "));
    }
    lines += &format!("run directory       {}\n", solved.run_dir.display());
    if let Some(command) = &solved.continue_with {
        lines += &format!("resume with         {command}, or --plies N\n");
    }
    lines
}

/// Returns the winner from the start, or the longest win of a game that can start from any position.
fn headline(solved: &Solved) -> String {
    let r = &solved.report;
    if let Some(longest) = &solved.headline.longest_win {
        return format!(
            "longest win         {} to move wins in {}, in {}\n",
            longest.side,
            counted(longest.dtw.into(), "ply", "plies"),
            counted(longest.positions, "position", "positions")
        );
    }
    let depth = depth_text(r.start.dtw, r.start.dtw_at_most);
    let winner = match &r.winner {
        Some(w) if w == "draw" => "winner              none: a draw\n".into(),
        Some(w) if depth.is_empty() => format!("winner              {w}\n"),
        Some(w) => {
            format!("winner              {w},{depth} {}\n", plies_noun(r.start.dtw.or(r.start.dtw_at_most)))
        }
        None => "winner              unknown within the plies searched\n".into(),
    };
    winner + &format!("start               {} to move: {}\n", r.start.side, r.start.category)
}

/// Returns the noun after a number of plies.
fn plies_noun(number: Option<u32>) -> &'static str {
    if number == Some(1) { "ply" } else { "plies" }
}

/// Formats positions, states and bytes by side and value.
fn values(r: &RunReport) -> String {
    let mut rows = Vec::new();
    for (side, values) in [("P1", &r.sides.p1), ("P2", &r.sides.p2)] {
        let named = [
            ("win", &values.win),
            ("draw", &values.draw),
            ("loss", &values.loss),
            ("unknown", &values.unknown),
        ];
        for (value, c) in named.into_iter().filter(|(_, c)| c.positions != 0) {
            rows.push(vec![
                format!("{side} {value}"),
                grouped(c.positions),
                grouped(u128::from(c.num_states)),
                grouped(u128::from(c.bytes)),
            ]);
        }
    }
    table(&["to move", "positions", "states", "bytes"], &rows)
}
