//! An answer as text and as JSON.

use std::path::PathBuf;

use nerode_games::Game;
use serde::Serialize;

use super::known::{Known, MoveLine};
use crate::cli::output::table;
use crate::facade::Answer as Found;

#[derive(Serialize)]
pub(super) struct Answer {
    game: String,
    fingerprint: String,
    #[serde(flatten)]
    known: Known,
    /// The last ply of a run that is not finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply_so_far: Option<u32>,
    moves: Vec<MoveLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<PathBuf>,
    #[serde(skip)]
    board: String,
}

impl Answer {
    pub(super) fn new(
        game: &dyn Game,
        found: &Found,
        ply_so_far: Option<u32>,
        plot: Option<PathBuf>,
    ) -> Self {
        Self {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            known: Known::new(game, found.position(), &found.found()),
            ply_so_far,
            board: game.draw(found.position()),
            moves: found.moves().iter().map(|reply| MoveLine::new(game, reply)).collect(),
            plot,
        }
    }
}

pub(super) fn text(answer: &Answer) -> String {
    let known = &answer.known;
    let lines = format!(
        "{}\n\n{}\n{}\n{} to move: {}\n\n",
        answer.game,
        answer.board.trim_end(),
        known.position,
        known.side,
        known.value_text()
    );
    let plot = answer.plot.as_ref().map_or_else(String::new, |plot| format!("\nplot: {}\n", plot.display()));
    if answer.moves.is_empty() {
        return lines + "no moves: the game is over\n" + &plot;
    }
    let rows: Vec<Vec<String>> =
        answer.moves.iter().map(|line| vec![line.r#move.clone(), line.seen_by_mover()]).collect();
    lines + &table(&["move", "value"], &rows) + &plot
}
