//! `nerode query RUN_DIR POSITION`.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use anyhow::Result;
use nerode_games::explicit::apply;
use nerode_games::{Game, Position, Side, Value};
use serde::Serialize;

use super::output::{Outcome, Output, table, warn};
use crate::archive::run_dir::RunDir;
use crate::archive::scores::ScoreDir;
use crate::archive::solution::Solution;
use crate::archive::values::Values;
use crate::morris::tables::{SectorDir, SectorSolution};
use crate::outcome;

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

/// Where answers come from.
enum Source {
    Run(Box<Solution>),
    Values(Box<Values>),
    Sectors(Box<SectorSolution>),
    Scores(Box<ScoreDir>),
}

/// What a source says of a position.
#[derive(Clone, Copy)]
struct Found {
    known: outcome::Outcome,
    /// Seen from P1.
    score: Option<i32>,
}

impl Found {
    /// A positive score is a win of P1.
    fn of_score(score: i32, side: Side) -> Self {
        let own = if side == Side::P1 { score } else { -score };
        let value = match own {
            0 => Value::Draw,
            ahead if ahead > 0 => Value::Win,
            _ => Value::Loss,
        };
        Self { known: outcome::Outcome::new(value, outcome::Depth::Unknown), score: Some(score) }
    }
}

impl Source {
    fn open(path: &Path) -> crate::error::Result<Self> {
        if SectorDir::exists(path) {
            return SectorSolution::open(path).map(|sectors| Self::Sectors(Box::new(sectors)));
        }
        if ScoreDir::exists(path) {
            return ScoreDir::open(path).map(|scores| Self::Scores(Box::new(scores)));
        }
        if Values::exists(path) && !RunDir::exists(path) {
            return Values::open(path).map(|values| Self::Values(Box::new(values)));
        }
        Solution::open(path).map(|solution| Self::Run(Box::new(solution)))
    }

    fn game(&self) -> &dyn Game {
        match self {
            Self::Run(solution) => solution.game.as_ref(),
            Self::Values(values) => values.game.as_ref(),
            Self::Sectors(sectors) => sectors.game.as_ref(),
            Self::Scores(scores) => scores.game.as_ref(),
        }
    }

    /// `None`: the position is not covered.
    fn get(&self, board: &[u8], side: Side) -> crate::error::Result<Option<Found>> {
        let known = match self {
            Self::Run(solution) => solution.get(board, side).map(Some)?,
            Self::Values(values) => values.get(&values.game.word_of(board), side)?,
            Self::Sectors(sectors) => {
                let (value, depth) = sectors.get_board(board, side)?;
                Some(outcome::Outcome::new(value, outcome::Depth::of(depth.map(u32::from))))
            }
            Self::Scores(scores) => {
                return Ok(scores.get(board, side)?.map(|score| Found::of_score(score, side)));
            }
        };
        Ok(known.map(|known| Found { known, score: None }))
    }
}

fn category(found: Option<&Found>) -> String {
    found.map_or_else(|| "not covered".into(), |found| found.known.name().into())
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let source = Source::open(&args.run_dir)?;
    let game = source.game();
    let position = if args.position == "start" {
        let (board, side) = game.start();
        Position { board, side }
    } else {
        game.parse_position(&args.position)?
    };
    let found = source.get(&position.board, position.side)?;
    let mut legal = Vec::new();
    game.legal_moves(&position.board, position.side, &mut legal);
    let mut moves = Vec::with_capacity(legal.len());
    for mv in &legal {
        let next = Position { board: apply(&position.board, mv), side: position.side.other() };
        let after = source.get(&next.board, next.side)?;
        moves.push((after, game.format_move(&position, mv), game.format_position(&next)));
    }
    // Stable, so that moves of one value stay in the order of the rules.
    moves.sort_by_key(|(after, _, _)| rank(after.as_ref(), position.side));
    let answer = Answer {
        game: game.spec(),
        rules: game.fingerprint(),
        position: game.format_position(&position),
        side: position.side.to_string(),
        category: category(found.as_ref()),
        dtw: found.and_then(|found| found.known.depth()),
        score: found.and_then(|found| found.score),
        moves: moves
            .into_iter()
            .map(|(after, text, position)| MoveLine {
                r#move: text,
                position,
                category: category(after.as_ref()),
                dtw: after.and_then(|after| after.known.depth()),
                score: after.and_then(|after| after.score),
            })
            .collect(),
        board: game.draw(&position),
    };
    if let Source::Run(solution) = &source
        && let Some(problem) = solution.values_problem()
    {
        warn(&format!("{problem}; answered from the sets"));
    }
    out.result(&answer, text)?;
    Ok(Outcome::Done)
}

/// Best first for the mover: the opponent's quickest losses, draws, unknown, the opponent's slowest wins; by score where there
/// are scores.
fn rank(after: Option<&Found>, mover: Side) -> (i32, u8, u32, Reverse<u32>) {
    let score = after.and_then(|after| after.score).unwrap_or(0);
    let worse = if mover == Side::P1 { -score } else { score };
    let depth = after.and_then(|after| after.known.depth()).unwrap_or(0);
    let (group, quick, slow) = match after.and_then(|after| after.known.value()) {
        Some(Value::Loss) => (0, depth, 0),
        Some(Value::Draw) => (1, 0, 0),
        None => (2, 0, 0),
        Some(Value::Win) => (3, 0, depth),
    };
    (worse, group, quick, Reverse(slow))
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
