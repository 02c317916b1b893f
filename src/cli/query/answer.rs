//! An answer as text and as JSON.

use std::path::PathBuf;

use nerode_games::Game;
use serde::Serialize;

use super::known::{Known, MoveLine};
use super::traps::{OfMove, Summary, lines};
use crate::cli::output::table;
use crate::facade::Answer as Found;
use crate::play::traps::{TrapAnswer, Traps};

#[derive(Serialize)]
pub(super) struct Answer {
    game: String,
    fingerprint: String,
    #[serde(flatten)]
    known: Known,
    /// The last ply of a run that is not finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply_so_far: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traps: Option<Summary>,
    moves: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<PathBuf>,
    #[serde(skip)]
    board: String,
}

/// A move.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    line: MoveLine,
    #[serde(flatten)]
    trap: Option<OfMove>,
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
            traps: None,
            moves: found
                .moves()
                .iter()
                .map(|reply| Row { line: MoveLine::new(game, reply), trap: None })
                .collect(),
            plot,
        }
    }

    /// The same with what is known of traps, in whose order the moves are.
    pub(super) fn with_traps(self, game: &dyn Game, found: Option<&(Traps, TrapAnswer)>) -> Self {
        let Some((traps, answer)) = found else { return self };
        let moves = lines(game, answer).into_iter().map(|(line, trap)| Row { line, trap: Some(trap) });
        Self { traps: Some(Summary::new(*traps, answer)), moves: moves.collect(), ..self }
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
    let about = answer.traps.as_ref().map_or_else(String::new, Summary::text);
    let trap = answer.moves.first().and_then(|row| row.trap.as_ref());
    let mut titles = vec!["move", "value"];
    titles.extend(trap.map(OfMove::titles).unwrap_or_default());
    let rows: Vec<Vec<String>> = answer.moves.iter().map(Row::cells).collect();
    lines + &about + &table(&titles, &rows) + &plot
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.line.r#move.clone(), self.line.seen_by_mover()];
        cells.extend(self.trap.as_ref().map(OfMove::cells).unwrap_or_default());
        cells
    }
}
