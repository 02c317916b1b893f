//! The command `nerode bounds RUN`, which stores the exact depths of early positions of a run from the start.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Count, Outcome, Output, counted, duration, grouped};
use crate::cli::words::shell;
use crate::registry;
use nerode_solver::archive::contents::DEPTHS_FILE;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::depth::{store_early, stored_plies};
use nerode_solver::solve::resources::Resources;

/// The last ply whose depths are stored unless another one is requested.
const USUAL_PLIES: u32 = 4;

/// The stored depths of a run.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct StoredDepths {
    /// The game with its parameters, such as `connect:6x5`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The file of the depths.
    file: PathBuf,
    /// The last ply whose depths are stored.
    last_ply: u32,
    /// The number of positions up to that ply.
    positions: Count,
    /// The number of positions of unknown value, in a run of a limited number of plies.
    unknown: Count,
    /// The number of positions whose depth was searched for, or 0 if all depths had been stored before.
    searched: u64,
    /// The length of the file in bytes.
    bytes: u64,
    /// The elapsed time in seconds.
    seconds: f64,
}

pub(super) fn run(
    dir: &Path,
    plies: Option<u32>,
    overwrite: bool,
    resources: &Resources,
    out: &Output,
) -> Result<Outcome> {
    let began = Instant::now();
    let run = StoredRun::open_with(dir, registry())?.with_memory(resources.memory);
    // The file is never replaced by one of fewer plies.
    let stored = stored_plies(&run).map_or(0, |stored| stored.saturating_sub(1));
    let plies = plies.unwrap_or(USUAL_PLIES).max(stored);
    out.continue_in(format!("nerode bounds {} --plies {plies}", shell(dir)), &dir.join(DEPTHS_FILE));
    let progress = out.progress("search");
    let done = store_early(&run, plies, overwrite, resources, &mut |done, total| progress.steps(done, total));
    progress.finish();
    let done = done?;
    if let Some(damage) = &done.damage {
        out.warn(&format!("{damage}; all depths to ply {} were computed again", done.last_ply));
    }
    let stored = StoredDepths {
        game: run.game.spec(),
        fingerprint: run.game.fingerprint(),
        file: dir.join(DEPTHS_FILE),
        last_ply: done.last_ply,
        positions: Count(done.num_positions.into()),
        unknown: Count(done.num_unknown.into()),
        searched: done.num_searched,
        bytes: done.bytes,
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&stored, text)?;
    Ok(Outcome::Done)
}

fn text(stored: &StoredDepths) -> String {
    let unknown = match stored.unknown.0 {
        0 => String::new(),
        n => format!(", {} of unknown value", grouped(n)),
    };
    format!(
        "{}, depths of all positions to ply {} in {}, {}\n{}{unknown} in {}; {}\n",
        stored.game,
        stored.last_ply,
        stored.file.display(),
        duration(stored.seconds),
        counted(stored.positions.0, "position", "positions"),
        counted(stored.bytes.into(), "byte", "bytes"),
        match stored.searched {
            0 => "nothing had to be searched".to_string(),
            n => format!("{} searched", counted(n.into(), "position", "positions")),
        }
    )
}
