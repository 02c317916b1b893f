//! The command `nerode line DIR POSITION`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use nerode_games::{Game, Position, Value};
use schemars::JsonSchema;
use serde::Serialize;

use super::hints::advised;
use super::output::{Outcome, Output, table};
use super::query::{SoFar, seconds};
use super::sectors::tell_missing;
use super::solutions::{must_be_one_name, solution_at};
use nerode_report::line::{LineEnd, leads_on, line_end};
use nerode_report::lines::{Known, MoveLine, RANKS_IN_WORDS};
use nerode_report::position::position_of;
use nerode_solver::outcome::Evaluation;
use nerode_solver::stored::{DepthSource, Reply};

/// Arguments of `line`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution: a run, values, scores, sectors, sectors as sets, or a table file; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The position, as for query [default: start]
    position: Vec<String>,
    /// Also begin at a position that cannot occur in play
    #[arg(long)]
    any: bool,
    /// If the solution lacks depths: search for this many seconds in each position of the line [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds)]
    search_seconds: Option<Duration>,
    #[command(flatten)]
    so_far: SoFar,
}

/// Best play from a position to the end.
#[derive(JsonSchema, Serialize)]
pub(super) struct Line {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    #[serde(flatten)]
    known: Known,
    /// The last ply of an unfinished run, with `--so-far`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply_so_far: Option<u32>,
    /// Where the depths come from. With bounds, the moves keep the value, but they are not best play.
    depths: DepthSource,
    /// The moves. Where several moves are equally good, one of them is chosen.
    line: Vec<MoveLine>,
    /// Why the line ends.
    end: LineEnd,
    /// The final position.
    last: String,
    #[serde(skip)]
    movers: Vec<String>,
    #[serde(skip)]
    last_board: String,
    /// The winner, if the game is over.
    #[serde(skip)]
    result: String,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    must_be_one_name(&args.dir, &args.position)?;
    let dir = solution_at(&args.dir, out)?;
    let solution = args.so_far.open(&dir, out)?;
    let solution = match args.search_seconds {
        Some(time) => solution.with_search_time(time),
        None => solution,
    };
    let game = solution.game();
    let position = match args.position.as_slice() {
        [] => game.start_position(),
        words => position_of(game, &words.join(" "), args.any)?,
    };
    let depths = solution.depth_source();
    must_lead_on(game, &position, &solution.look_up(&position)?, depths)?;
    let evaluation = solution.evaluate(&position)?;
    let moves = solution.best_line(&position)?;
    if let Some(warning) = solution.warning() {
        out.warn(&warning);
    }
    let last = moves.last().map_or(&position, |reply| reply.position());
    tell_missing(&solution, &dir, std::iter::once(last), out)?;
    let line = Line::new(game, &position, &evaluation, &moves, depths);
    out.result(&Line { ply_so_far: solution.ply_so_far(), ..line }, text)?;
    Ok(Outcome::Done)
}

/// Rejects a won or lost position without a depth in a game in which positions can recur, because its winning moves
/// may make no progress.
fn must_lead_on(
    game: &dyn Game,
    position: &Position,
    evaluation: &Evaluation,
    depths: DepthSource,
) -> Result<()> {
    if leads_on(game, position, evaluation) {
        return Ok(());
    }
    Err(match depths {
        DepthSource::Bounds => advised(
            "this run keeps only its last sets, which bound depths, so no winning move can be chosen",
            "solve again without --keep last, or list the value of every move with 'nerode query'",
        ),
        _ => advised(
            "this solution has no depths, so no winning move can be chosen",
            "query the solution from which it was packed, or list the value of every move with 'nerode query'",
        ),
    })
}

impl Line {
    fn new(
        game: &dyn Game,
        position: &Position,
        evaluation: &Evaluation,
        moves: &[Reply],
        depths: DepthSource,
    ) -> Self {
        let end = line_end(game, position, moves);
        let last = moves.last().map_or(position, Reply::position);
        let result = match game.outcome(&last.board, last.side) {
            Some(Value::Win) => format!("{} has won", last.side),
            Some(Value::Loss) => format!("{} has won", last.side.other()),
            _ => "a draw".to_string(),
        };
        let (last, last_board) = (game.format_position(last), game.draw(last));
        Self {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            known: Known::new(game, position, evaluation),
            ply_so_far: None,
            depths,
            end,
            movers: moves.iter().map(|reply| reply.position().side.other().to_string()).collect(),
            line: moves.iter().map(|reply| MoveLine::new(game, reply)).collect(),
            last,
            last_board,
            result,
        }
    }
}

fn text(line: &Line) -> String {
    let known = &line.known;
    let value = known.value_text();
    let mut text = format!("{}\n{}\n{} to move: {value}\n\n", line.game, known.position, known.side);
    if !line.line.is_empty() {
        let row = |(ply, (mover, step)): (usize, (&String, &MoveLine))| {
            vec![format!("{:>3}  {mover}", ply + 1), step.r#move.clone(), step.seen_by_mover()]
        };
        let rows: Vec<Vec<String>> = line.movers.iter().zip(&line.line).enumerate().map(row).collect();
        text += &table(&["ply", "move", "value"], &rows);
        text += "\n";
    }
    if line.depths == DepthSource::Bounds && matches!(known.category, "win" | "loss") {
        text += "the moves keep the value, but they are not best play: the solution has bounds instead of depths\n\n";
    }
    if known.is_ranked_draw() || line.line.iter().any(MoveLine::is_ranked_draw) {
        text += &format!("{RANKS_IN_WORDS}\n");
    }
    let end = match line.end {
        LineEnd::Over => format!("the game is over: {}", line.result),
        LineEnd::Repetition => "this position occurred before, so play repeats".to_string(),
        LineEnd::Unknown => "the values of all moves from here on are unknown".to_string(),
    };
    text + &format!("{}\n{}\n{end}\n", line.last_board.trim_end(), line.last)
}
