//! An answer as text and as JSON.

use std::path::PathBuf;

use nerode_games::{Game, Value};
use serde::Serialize;

use crate::cli::output::table;
use crate::facade::{Answer as Found, Reply};

/// A move. The category is that of the side that moves next, so that the best move comes with the worst category.
#[derive(Serialize)]
pub(in crate::cli) struct MoveLine {
    pub(in crate::cli) r#move: String,
    pub(in crate::cli) position: String,
    pub(in crate::cli) category: &'static str,
    pub(in crate::cli) dtw: Option<u32>,
    /// Seen from P1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) score: Option<i32>,
}

#[derive(Serialize)]
pub(super) struct Answer {
    game: String,
    fingerprint: String,
    position: String,
    side: String,
    category: &'static str,
    dtw: Option<u32>,
    /// Seen from P1.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    moves: Vec<MoveLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<PathBuf>,
    #[serde(skip)]
    board: String,
}

impl Answer {
    pub(super) fn new(game: &dyn Game, found: Found, plot: Option<PathBuf>) -> Self {
        Self {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            position: game.format_position(&found.position),
            side: found.position.side.to_string(),
            category: category(found.value, found.covered),
            dtw: found.depth,
            score: found.score,
            board: game.draw(&found.position),
            moves: found.moves.into_iter().map(|reply| MoveLine::new(game, reply)).collect(),
            plot,
        }
    }
}

impl MoveLine {
    pub(in crate::cli) fn new(game: &dyn Game, reply: Reply) -> Self {
        Self {
            position: game.format_position(&reply.position),
            r#move: reply.text,
            category: category(reply.value.map(Value::negated), reply.covered),
            dtw: reply.depth.map(|depth| depth - 1),
            score: reply.score,
        }
    }
}

/// What is known of a position, in one word.
pub(in crate::cli) fn category(value: Option<Value>, covered: bool) -> &'static str {
    match value {
        Some(Value::Win) => "win",
        Some(Value::Draw) => "draw",
        Some(Value::Loss) => "loss",
        None if covered => "unknown",
        None => "not covered",
    }
}

/// `win in 7`, and the score where there is one.
pub(in crate::cli) fn value_text(category: &str, dtw: Option<u32>, score: Option<i32>) -> String {
    let depth = dtw.map_or(String::new(), |plies| format!(" in {plies}"));
    let score = score.map_or(String::new(), |score| format!(", {score:+} for P1"));
    format!("{category}{depth}{score}")
}

/// The value of a move for the side that makes it.
pub(in crate::cli) fn seen_by_mover(line: &MoveLine) -> String {
    let category = match line.category {
        "loss" => "win",
        "win" => "loss",
        other => other,
    };
    value_text(category, line.dtw.map(|plies| plies + 1), line.score)
}

pub(super) fn text(answer: &Answer) -> String {
    let lines = format!(
        "{}\n\n{}\n{}\n{} to move: {}\n\n",
        answer.game,
        answer.board.trim_end(),
        answer.position,
        answer.side,
        value_text(answer.category, answer.dtw, answer.score)
    );
    let plot = answer.plot.as_ref().map_or_else(String::new, |plot| format!("\nplot: {}\n", plot.display()));
    if answer.moves.is_empty() {
        return lines + "no moves: the game is over\n" + &plot;
    }
    let rows: Vec<Vec<String>> =
        answer.moves.iter().map(|line| vec![line.r#move.clone(), seen_by_mover(line)]).collect();
    lines + &table(&["move", "value"], &rows) + &plot
}
