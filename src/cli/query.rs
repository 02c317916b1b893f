//! `nerode query RUN_DIR POSITION`.

use std::path::PathBuf;

use anyhow::Result;
use nerode_games::{Game, Value};
use serde::Serialize;

use super::output::{Outcome, Output, table, warn};
use crate::facade::{Reply, Solution};

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory of a solved game, or a folder that 'nerode compact' or 'nerode score' wrote
    run_dir: PathBuf,
    /// The position, as 'nerode info' prints it; 'start' for the start position
    position: String,
}

#[derive(Serialize)]
struct MoveLine {
    r#move: String,
    position: String,
    /// From the opponent's view, who moves next.
    category: String,
    dtw: Option<u32>,
    /// Seen from P1.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    rules: String,
    position: String,
    side: String,
    category: String,
    dtw: Option<u32>,
    /// Seen from P1.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    moves: Vec<MoveLine>,
    #[serde(skip)]
    board: String,
}

fn category(value: Option<Value>, covered: bool) -> String {
    match value {
        Some(value) => value.to_string(),
        None if covered => "unknown".into(),
        None => "not covered".into(),
    }
}

/// A move as its position is for the opponent, who moves next.
fn line(game: &dyn Game, reply: Reply) -> MoveLine {
    MoveLine {
        position: game.format_position(&reply.position),
        r#move: reply.text,
        category: category(reply.value.map(Value::negated), reply.covered),
        dtw: reply.depth.map(|depth| depth - 1),
        score: reply.score,
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let solution = Solution::open(&args.run_dir)?;
    let game = solution.game();
    let position = match args.position.as_str() {
        "start" => game.start_position(),
        text => game.parse_position(text)?,
    };
    let found = solution.query(&position)?;
    let answer = Answer {
        game: game.spec(),
        rules: game.fingerprint(),
        position: game.format_position(&position),
        side: position.side.to_string(),
        category: category(found.value, found.covered),
        dtw: found.depth,
        score: found.score,
        moves: found.moves.into_iter().map(|reply| line(game, reply)).collect(),
        board: game.draw(&position),
    };
    if let Some(warning) = solution.warning() {
        warn(&warning);
    }
    out.result(&answer, text)?;
    Ok(Outcome::Done)
}

fn text(answer: &Answer) -> String {
    let depth = |d: Option<u32>| d.map_or(String::new(), |d| format!(" in {d}"));
    let by = |score: Option<i32>| score.map_or(String::new(), |score| format!(", {score:+} for P1"));
    let mut lines = format!(
        "{}\n\n{}\n{}\n{} to move: {}{}{}\n\n",
        answer.game,
        answer.board.trim_end(),
        answer.position,
        answer.side,
        answer.category,
        depth(answer.dtw),
        by(answer.score)
    );
    if answer.moves.is_empty() {
        return lines + "no moves: the game is over\n";
    }
    // Seen by the mover, as the line above is.
    let seen = |category: &str| match category {
        "loss" => "win".to_string(),
        "win" => "loss".to_string(),
        other => other.to_string(),
    };
    let rows: Vec<Vec<String>> = answer
        .moves
        .iter()
        .map(|m| {
            let value = format!("{}{}{}", seen(&m.category), depth(m.dtw.map(|d| d + 1)), by(m.score));
            vec![m.r#move.clone(), value]
        })
        .collect();
    lines += &table(&["move", "value"], &rows);
    lines
}
