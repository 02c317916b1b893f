//! The option `nerode solve GAME --score`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use nerode_games::{Game, Side};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::left::Left;
use super::reached::tell;
use crate::cli::choices::EngineArg;
use crate::cli::hints::advised;
use crate::cli::output::{Count, Outcome, Output, bytes, duration, grouped, table};
use crate::cli::resources::peak_rss_bytes;
use crate::cli::rules::{VariantArgs, is_rules, rulebook};
use crate::cli::solutions::default_path;
use crate::facade::interpreted;
use crate::registry;
use nerode_solver::archive::scores::{self, ScoreDir};
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::solve::minimax;
use nerode_solver::solve::score::{self, Scores};

/// The start position and its score.
#[derive(JsonSchema, Serialize)]
struct Start {
    /// The side to move.
    #[schemars(extend("enum" = ["P1", "P2"]))]
    side: String,
    /// The score of P1 at the end under best play.
    score: Option<i32>,
}

/// Best play from the start.
#[derive(JsonSchema, Serialize)]
struct Line {
    /// The moves.
    moves: Vec<String>,
    /// The final position.
    end: String,
}

/// The positions of a ply.
#[derive(JsonSchema, Serialize)]
struct Ply {
    /// The number of the ply.
    ply: u32,
    /// The side to move.
    #[schemars(extend("enum" = ["P1", "P2"]))]
    side: String,
    /// The number of positions.
    positions: Count,
    /// The number of states of their set.
    num_states: u64,
    /// The number of states of the map from positions to scores.
    score_num_states: u64,
    /// The number of positions by score of P1.
    scores: BTreeMap<i32, Count>,
}

/// The scores of a game.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Scored {
    /// The game with its parameters, such as `othello:4x4`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The letter order.
    order: String,
    /// The start position.
    start: Start,
    /// The winner under best play, or null if it is unknown.
    #[schemars(extend("enum" = ["P1", "P2", "draw", null]))]
    winner: Option<String>,
    /// One principal variation from the start, of possibly several.
    line: Line,
    /// The plies.
    plies: Vec<Ply>,
    /// The sum over the plies. A position that occurs at several plies counts at each of them.
    positions: Count,
    /// The elapsed time in seconds.
    seconds: f64,
    /// The peak memory of the process in bytes, or null if the system does not report it.
    peak_rss_bytes: Option<u64>,
    /// The folder of the scores, or null if they were not stored.
    run_dir: Option<PathBuf>,
}

/// Opens rules from a file for the interpreter. Sets distinguish games that are over by the winner alone, not by scores.
///
/// # Errors
/// Returns an error for options that do not apply to scores, for rules that cannot be read, and for a game without two players.
pub(super) fn interpreted_rules(args: &Args) -> Result<Arc<dyn Game>> {
    args.must_compute_scores()?;
    if args.order.is_some() {
        return Err(advised("the scores of rules from a file are computed without sets", "omit --order"));
    }
    match interpreted(&args.game, &rulebook(&args.game, &VariantArgs::default())?)? {
        Some(game) => Ok(game),
        // Opening the rules reports which players there are.
        None => Ok(registry().open(&args.game)?),
    }
}

/// Computes the scores of a game, and stores them. The game of a rules file is solved by reached positions.
pub(super) fn find_scores(args: &Args, game: Arc<dyn Game>, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let folder = args.run_dir.clone().unwrap_or_else(|| default_path(game.as_ref(), ".scores"));
    if ScoreDir::exists(&folder) && !args.overwrite {
        return Err(advised(
            format!("{} already contains scores", folder.display()),
            "replace them with --overwrite",
        ));
    }
    if kind_of(&folder).is_some_and(|found| found != Contents::Scores) {
        return Err(advised(
            format!("{}: expected scores, found another solution", folder.display()),
            "name another directory for scores",
        ));
    }
    let progress = out.progress("score");
    let resources = args.resources.resolve()?;
    let scores = match args.engine == EngineArg::Reached || is_rules(&args.game) {
        true => {
            let mut steps = |step| tell(&progress, step);
            let pool = resources.pool()?;
            pool.install(|| minimax::solve(game, &resources, &mut steps, &mut |done| progress.ply(done)))
        }
        false => score::solve(game, &resources, &mut |done| progress.ply(done)),
    };
    progress.finish();
    let scores = scores.map_err(|error| match error.is_interruption() {
        true => Left::of(error, "scores cannot be resumed, and nothing was written"),
        false => error.into(),
    })?;
    scores::write(&scores, &folder, args.overwrite)?;
    let mut scored = describe(&scores);
    scored.seconds = began.elapsed().as_secs_f64();
    scored.run_dir = Some(folder);
    out.result(&scored, text)?;
    Ok(Outcome::Done)
}

fn describe(scores: &Scores) -> Scored {
    let game = &scores.game;
    let (board, side) = game.start();
    let score = scores.get(0, &board);
    let (line, end) = scores.line();
    let winner = |score: i32| match score {
        0 => "draw".to_string(),
        ahead if ahead > 0 => Side::P1.to_string(),
        _ => Side::P2.to_string(),
    };
    let ply = |(ply, p): (usize, &score::ScoredPly)| Ply {
        ply: ply as u32,
        side: p.side.to_string(),
        positions: Count(p.positions),
        num_states: p.states,
        score_num_states: p.map.num_states() as u64,
        scores: p.counts.iter().map(|(score, count)| (*score, Count(*count))).collect(),
    };
    Scored {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        order: game.order().to_string(),
        start: Start { side: side.to_string(), score },
        winner: score.map(winner),
        line: Line {
            moves: line.iter().map(|(position, mv)| game.format_move(position, mv)).collect(),
            end: game.format_position(&end),
        },
        plies: scores.plies.iter().enumerate().map(ply).collect(),
        positions: scores.plies.iter().map(|p| Count(p.positions)).sum(),
        seconds: 0.0,
        peak_rss_bytes: peak_rss_bytes(),
        run_dir: None,
    }
}

fn text(scored: &Scored) -> String {
    let unknown = || "unknown".to_string();
    let mut lines = format!(
        "{}\nscore               {} for P1\nwinner              {}\nbest play           {}\nends in             {}\n\n",
        scored.game,
        scored.start.score.map_or_else(unknown, |score| format!("{score:+}")),
        scored.winner.clone().unwrap_or_else(unknown),
        scored.line.moves.join(" "),
        scored.line.end
    );
    let rows: Vec<Vec<String>> = scored
        .plies
        .iter()
        .map(|p| {
            let range = p.scores.keys().next().zip(p.scores.keys().next_back());
            vec![
                p.ply.to_string(),
                p.side.clone(),
                grouped(p.positions.0),
                range.map_or_else(String::new, |(low, high)| format!("{low:+} to {high:+}")),
                grouped(u128::from(p.num_states)),
                grouped(u128::from(p.score_num_states)),
            ]
        })
        .collect();
    lines += &table(&["ply", "side", "positions", "scores", "states", "states with scores"], &rows);
    lines += &format!(
        "\npositions           {}\ntime                {}\n",
        grouped(scored.positions.0),
        duration(scored.seconds)
    );
    if let Some(peak) = scored.peak_rss_bytes {
        lines += &format!("peak memory         {}\n", bytes(peak));
    }
    match &scored.run_dir {
        Some(folder) => lines + &format!("scores in           {}\n", folder.display()),
        None => lines,
    }
}
