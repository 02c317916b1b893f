//! The command `nerode stats` for a folder of scores.

use std::path::Path;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Outcome, Output, counted};
use crate::registry;
use nerode_solver::archive::scores::ScoreDir;

/// The summary of a folder of scores.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct ScoreStats {
    /// The game with its parameters, such as `othello:4x4`.
    game: String,
    /// The letter order.
    order: String,
    /// The last ply.
    last_ply: usize,
    /// The total size of the files in bytes.
    bytes: u64,
    /// The score of P1 at the start position under best play.
    score: Option<i32>,
}

/// Prints plies, bytes and the score of the start position.
pub(super) fn stats(folder: &Path, out: &Output) -> Result<Outcome> {
    let scores = ScoreDir::open_with(folder, registry())?;
    let (board, side) = scores.game.start();
    let files = scores.manifest().plies();
    let stats = ScoreStats {
        game: scores.game.spec(),
        order: scores.game.order().to_string(),
        last_ply: files.len().saturating_sub(1),
        bytes: files.iter().map(|file| file.bytes()).sum(),
        score: scores.get(&board, side)?,
    };
    out.result(&stats, |s| {
        let score = s.score.map_or_else(|| "unknown".into(), |score| format!("{score:+}"));
        format!(
            "{}, scores of all reachable positions\n\nscore of P1  {score} under best play\nplies        {}\norder        \
             {}\nfiles        {}\n",
            s.game,
            s.last_ply,
            s.order,
            counted(s.bytes.into(), "byte", "bytes")
        )
    })?;
    Ok(Outcome::Done)
}
