//! The command `nerode analyse DIR RECORD`.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nerode_games::{Game, Side};
use schemars::JsonSchema;
use serde::Serialize;

use super::hints::advised;
use super::output::{Outcome, Output, counted, grouped, table};
use super::query::SoFar;
use super::sectors::tell_missing;
use super::solutions::solution_at;
use nerode_play::analysis::{Given, JudgedMove, judge};
use nerode_play::course::{Course, Limits};
use nerode_play::record::read;
use nerode_report::lines::{Known, MoveLine, RANKS_IN_WORDS};

/// The maximum size of a record, in bytes.
const MOST_BYTES: u64 = 1 << 24;

/// Arguments of `analyse`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution: a run, values, scores, sectors, sectors as sets, or a table file; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The record: moves in the notation of the game, as written by 'nerode play --record'; '-' is standard input
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    #[command(flatten)]
    so_far: SoFar,
}

/// What a move gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum What {
    /// Nothing: the move is one of the best.
    Nothing,
    /// A win or a draw.
    Value,
    /// Points of the score.
    Score,
    /// A better draw, if draws are ranked.
    Rank,
    /// Plies: a win takes longer, or a loss comes sooner.
    Plies,
    /// Unknown, because the solution lacks one of the values.
    Unknown,
}

/// A move of the game.
#[derive(JsonSchema, Serialize)]
struct Line {
    /// The number of the move, counted from 1.
    #[schemars(range(min = 1))]
    ply: usize,
    /// The side that made the move.
    #[schemars(extend("enum" = ["P1", "P2"]))]
    side: String,
    #[serde(flatten)]
    made: MoveLine,
    /// The best move in its place, or the first of several equally good ones.
    best: MoveLine,
    /// What the move gave away.
    gave_away: What,
    /// The amount, in points, ranks or plies. 0 ranks stands for the same rank at a worse distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<u32>,
}

/// What each move of a game gave away.
#[derive(JsonSchema, Serialize)]
pub(super) struct Analysis {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The position in which the game began.
    start: Known,
    /// The moves of the game.
    moves: Vec<Line>,
    /// The number of moves that could not be judged, because the solution lacks a value.
    not_judged: usize,
    /// How the game ended, or null if it is not over.
    end: Option<String>,
    /// The final position.
    last: String,
    #[serde(skip)]
    last_board: String,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let dir = solution_at(&args.dir, out)?;
    let solution = args.so_far.open(&dir, out)?;
    let game = solution.game();
    let course = course_of(game, &args.record)?;
    let start = Known::new(game, course.start(), &solution.infer(course.start())?);
    let judged = judge(&solution, &course)?;
    if let Some(warning) = solution.warning() {
        out.warn(&warning);
    }
    let unknown = judged.iter().filter(|mv| !mv.made.is_covered()).map(|mv| mv.made.position());
    tell_missing(&solution, &dir, unknown, out)?;
    out.result(&Analysis::new(game, start, &course, &judged), text_analysis)?;
    Ok(Outcome::Done)
}

/// Reads the game in a record, which must have a move.
pub(super) fn course_of<'g>(game: &'g dyn Game, path: &Path) -> Result<Course<'g>> {
    let (course, _) = read(game, &text_of(path)?).with_context(|| path.display().to_string())?;
    if course.plies().is_empty() {
        return Err(advised(
            format!("{}: the record has no moves", path.display()),
            "a record lists moves in the notation of the game, as written by 'nerode play --record'",
        ));
    }
    Ok(course)
}

/// Reads a record, up to the maximum size.
fn text_of(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let what = || format!("cannot read {}", path.display());
    if path.to_str() != Some("-") && !path.exists() {
        return Err(advised(
            format!("{}: no such file", path.display()),
            "name a record of a game, or '-' for standard input",
        ));
    }
    match path.to_str() {
        Some("-") => std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes),
        _ => std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)),
    }
    .with_context(what)?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!(
            "{}: larger than {} bytes, the limit for a game record",
            path.display(),
            grouped(MOST_BYTES.into())
        );
    }
    String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8 text", path.display()))
}

impl Line {
    fn new(game: &dyn Game, ply: usize, mv: &JudgedMove) -> Self {
        let (gave_away, by) = match mv.given {
            Given::Nothing => (What::Nothing, None),
            Given::Value => (What::Value, None),
            Given::Score(points) => (What::Score, Some(points)),
            Given::Rank(ranks) => (What::Rank, Some(ranks)),
            Given::Plies(plies) => (What::Plies, Some(plies)),
            Given::Unknown => (What::Unknown, None),
        };
        let [made, best] = [&mv.made, &mv.best].map(|reply| MoveLine::new(game, reply));
        Self { ply, side: mv.side.to_string(), made, best, gave_away, by }
    }

    /// Describes the loss that the move caused, in words.
    fn said(&self) -> String {
        let could = self.best.seen_by_mover();
        match (self.gave_away, self.by) {
            (What::Nothing, _) => String::new(),
            (What::Unknown, _) => "unknown".into(),
            (What::Score, Some(by)) => {
                format!("{} compared with {}", counted(by.into(), "point", "points"), self.best.r#move)
            }
            (What::Plies, Some(by)) => {
                format!("{} compared with {}", counted(by.into(), "ply", "plies"), self.best.r#move)
            }
            (What::Rank, Some(0)) => format!("distance compared with {}, {could}", self.best.r#move),
            (What::Rank, Some(by)) => format!("{by} in rank compared with {}, {could}", self.best.r#move),
            _ => format!("a {could} with {}", self.best.r#move),
        }
    }
}

impl Analysis {
    fn new(game: &dyn Game, start: Known, course: &Course<'_>, judged: &[JudgedMove]) -> Self {
        let end = course.end(Limits { plies: u32::MAX, ..Limits::default() });
        Self {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            start,
            not_judged: judged.iter().filter(|mv| mv.given == Given::Unknown).count(),
            moves: (1..).zip(judged).map(|(ply, mv)| Line::new(game, ply, mv)).collect(),
            end: end.map(|end| end.to_string()),
            last: game.format_position(course.position()),
            last_board: game.draw(course.position()),
        }
    }

    /// Returns the number of moves of a side that gave away a win or a draw.
    fn mistakes(&self, side: Side) -> u128 {
        let wrong = |line: &&Line| line.gave_away == What::Value && line.side == side.to_string();
        self.moves.iter().filter(wrong).count() as u128
    }
}

fn text_analysis(analysis: &Analysis) -> String {
    let start = &analysis.start;
    let value = start.value_text();
    let mut text = format!("{}\n{}\n{} to move: {value}\n\n", analysis.game, start.position, start.side);
    let row = |line: &Line| {
        let ply = format!("{:>3}  {}", line.ply, line.side);
        vec![ply, line.made.r#move.clone(), line.made.seen_by_mover(), line.said()]
    };
    let rows: Vec<Vec<String>> = analysis.moves.iter().map(row).collect();
    if !rows.is_empty() {
        text += &(table(&["ply", "move", "value", "gave away"], &rows) + "\n");
    }
    let of_move = |line: &Line| line.made.is_ranked_draw() || line.best.is_ranked_draw();
    if start.is_ranked_draw() || analysis.moves.iter().any(of_move) {
        text += &format!("{RANKS_IN_WORDS}\n");
    }
    let end = match &analysis.end {
        Some(end) => format!("the game is over: {end}"),
        None => "the game is not over".into(),
    };
    text += &format!("{}\n{}\n{end}\n", analysis.last_board.trim_end(), analysis.last);
    let [first, second] = Side::BOTH.map(|side| counted(analysis.mistakes(side), "time", "times"));
    text += &format!("P1 gave away a win or a draw {first}, P2 {second}\n");
    if analysis.not_judged > 0 {
        let (some, all) = (grouped(analysis.not_judged as u128), analysis.moves.len() as u128);
        let all = counted(all, "move", "moves");
        text += &format!("{some} of {all} could not be judged, because the solution lacks values\n");
    }
    text
}
