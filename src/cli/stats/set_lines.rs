//! The sets of a run, one per line.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Count, grouped, table};
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::method::Method;

/// A set of the run.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct SetLine {
    /// The name of the set without its ply.
    pub(in crate::cli) set: String,
    /// The ply.
    pub(in crate::cli) ply: u32,
    /// The number of positions.
    pub(in crate::cli) positions: Count,
    /// The number of states.
    pub(in crate::cli) num_states: u64,
    /// The size of the file in bytes, or 0 for a set without a file, which is what other sets leave of `R_i`.
    pub(in crate::cli) bytes: u64,
    /// Whether it is stored as the mirror image of another set.
    #[cfg(feature = "plots")]
    #[serde(skip)]
    pub(in crate::cli) mirror: bool,
}

fn kinds(method: Method) -> &'static [Kind] {
    match method {
        Method::Retrograde => &[Kind::W, Kind::L],
        Method::Meet => &[Kind::R, Kind::RW, Kind::RL, Kind::RD],
    }
}

/// Returns all sets of the run, ordered by kind and side, and then by ply.
pub(in crate::cli) fn set_lines(solution: &StoredRun) -> Result<Vec<SetLine>> {
    let mut lines = Vec::new();
    for kind in kinds(solution.method()) {
        for (name, entry) in solution.run.sets() {
            let Some((set, ply)) = name.rsplit_once('-') else { continue };
            let Some((of_kind, _)) = set.split_once('-') else { continue };
            if of_kind != format!("{kind:?}") {
                continue;
            }
            lines.push(SetLine {
                // Reachable sets alternate between the sides, so one series contains both.
                set: if solution.method() == Method::Meet { of_kind.into() } else { set.into() },
                ply: ply.parse().unwrap_or(0),
                positions: Count(entry.num_positions()),
                num_states: entry.num_states(),
                bytes: entry.own_bytes(),
                #[cfg(feature = "plots")]
                mirror: entry.is_mirror(),
            });
        }
    }
    lines.sort_by(|a, b| (&a.set, a.ply).cmp(&(&b.set, b.ply)));
    Ok(lines)
}

pub(super) fn plies_text(lines: &[SetLine]) -> String {
    let row = |line: &SetLine| {
        let (states, bytes) = (grouped(line.num_states.into()), file_bytes(line.bytes));
        vec![line.set.clone(), line.ply.to_string(), grouped(line.positions.0), states, bytes]
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    format!("\n{}", table(&["set", "ply", "positions", "states", "bytes"], &rows))
}

/// Formats the size of the file of a set. Some sets have no file of their own, because others determine them.
pub(super) fn file_bytes(bytes: u64) -> String {
    if bytes == 0 { "no file".into() } else { grouped(bytes.into()) }
}
