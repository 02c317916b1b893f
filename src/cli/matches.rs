//! The command `nerode match A B`, which plays many games between two players.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{number, plies, threads};
use super::hints::advised;
use super::interrupt::interrupt_flag;
use super::output::{Outcome, Output, counted, grouped, table};
use super::players::{PLAYERS, Solutions, must_be_of};
use super::resources::threads_or_all;
use super::words::shell;
use crate::registry;
use nerode_dfa::thread_pool;
use nerode_play::contest::{Contest, Played, Results, Share, Tally, Terms};
use nerode_play::players::PlayerKind;

/// Arguments of `match`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The first player
    #[arg(value_name = "PLAYER", long_help = PLAYERS)]
    first: String,
    /// The second player
    #[arg(value_name = "PLAYER")]
    second: String,
    /// The game [default: that of the players' solutions]
    #[arg(long)]
    game: Option<String>,
    /// The maximum number of openings, chosen at random from all; each is played twice, with both colours
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number(1..=1_000_000u32))]
    openings: u32,
    /// The number of plies of an opening; all positions after this many plies are openings, where symmetric ones count once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = plies)]
    opening_plies: u32,
    /// The seed for choosing openings and among equally good moves
    #[arg(long, default_value_t = 0, value_parser = number(0..=u64::MAX))]
    seed: u64,
    /// Declare a draw after this many plies without a placement or capture, in games that can go on for ever
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number(1..=u32::MAX))]
    quiet_plies: u32,
    /// Declare a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number(1..=u32::MAX))]
    plies: u32,
    /// Append every game to this file as a JSON line; the same command resumes an interrupted match
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The number of games played at the same time, which does not affect the games [default: all cores]
    #[arg(long, value_parser = threads)]
    threads: Option<u16>,
}

/// A fraction of all games, and an interval that contains the true value in 95 of 100 matches.
#[derive(JsonSchema, Serialize)]
struct Part {
    /// The number of games.
    games: usize,
    /// The fraction of all games.
    #[schemars(range(min = 0, max = 1))]
    share: f64,
    /// The low end of the interval.
    #[schemars(range(min = 0, max = 1))]
    low: f64,
    /// The high end of the interval.
    #[schemars(range(min = 0, max = 1))]
    high: f64,
}

/// Points per game: one for a win and a half for a draw. The two games from an opening are one observation.
#[derive(JsonSchema, Serialize)]
struct Points {
    /// The points per game.
    #[schemars(range(min = 0, max = 1))]
    share: f64,
    /// The low end of the interval that contains the true value in 95 of 100 matches.
    #[schemars(range(min = 0, max = 1))]
    low: f64,
    /// The high end of the interval.
    #[schemars(range(min = 0, max = 1))]
    high: f64,
}

/// A match from the point of view of the first player.
#[derive(JsonSchema, Serialize)]
pub(super) struct Match {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The players, as given.
    players: [String; 2],
    /// The seed that chose the openings and the moves.
    seed: u64,
    /// The number of plies of an opening.
    opening_plies: u32,
    /// The number of openings played, each with both colours.
    #[schemars(range(min = 1))]
    openings: usize,
    /// The number of openings that exist, where symmetric ones count once.
    #[schemars(range(min = 1))]
    openings_known: usize,
    /// The number of games.
    games: usize,
    /// The games won by the first player.
    win: Part,
    /// The drawn games.
    draw: Part,
    /// The games lost by the first player.
    loss: Part,
    /// The points of the first player.
    points: Points,
    /// The numbers of games that the first and the second player lost because they failed to move.
    failed: [usize; 2],
    /// The reason of the first such failure of the first and of the second player, or null if there was none.
    why_failed: [Option<String>; 2],
    /// The number of plies of all games, without the openings.
    plies: usize,
    /// The mean time in seconds for a move of the first and of the second player, or null for a player who made none.
    seconds_per_move: [Option<f64>; 2],
    /// The file that contains every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let mut solutions = Solutions::new(out);
    let players = [solutions.player(&args.first, None)?, solutions.player(&args.second, None)?];
    let game = game_of(args, &players)?;
    let terms = Terms {
        game: game.spec(),
        players: [args.first.clone(), args.second.clone()],
        opening_plies: args.opening_plies,
        openings: args.openings as usize,
        seed: args.seed,
        quiet_plies: args.quiet_plies,
        plies: args.plies,
    };
    if let Some(path) = &args.log {
        out.continue_in(again(args, path), path);
    }
    let pool = thread_pool(threads_or_all(args.threads))?;
    let progress = out.progress("match");
    let over = AtomicUsize::new(0);
    let watch = |_: &Played, all: usize| {
        let over = over.fetch_add(1, Ordering::Relaxed) + 1;
        progress.steps(over as u64, all as u64);
    };
    let contest = Contest::new(game.as_ref(), players, terms.clone());
    let results = pool.install(|| contest.play(args.log.as_deref(), &interrupt_flag(), &watch))?;
    progress.finish();
    if results.found > 0 {
        out.note(&format!("{} already in the log", counted(results.found as u128, "game is", "games are")));
    }
    out.result(&Match::new(game.as_ref(), &terms, &results, args.log.clone()), text)?;
    Ok(Outcome::Done)
}

/// Returns the command that continues the match.
fn again(args: &Args, log: &std::path::Path) -> String {
    let named = [&args.first, &args.second].map(|name| shell(name.as_ref()));
    let game =
        args.game.as_ref().map_or_else(String::new, |game| format!(" --game {}", shell(game.as_ref())));
    format!(
        "nerode match {} {}{game} --openings {} --opening-plies {} --seed {} --quiet-plies {} --plies {} --log {}",
        named[0],
        named[1],
        args.openings,
        args.opening_plies,
        args.seed,
        args.quiet_plies,
        args.plies,
        shell(log)
    )
}

/// Returns the game that both players play.
fn game_of(args: &Args, players: &[PlayerKind; 2]) -> Result<Arc<dyn Game>> {
    let of_player = || players.iter().find_map(PlayerKind::solution).map(|solution| solution.game().spec());
    let Some(spec) = args.game.clone().or_else(of_player) else {
        return Err(advised(
            "neither player has a solution that determines the game",
            "name it with --game GAME",
        ));
    };
    let game = registry().open(&spec)?;
    for (name, player) in [&args.first, &args.second].into_iter().zip(players) {
        player.solution().map_or(Ok(()), |solution| must_be_of(name, solution, game.as_ref()))?;
    }
    Ok(game)
}

impl Match {
    fn new(game: &dyn Game, terms: &Terms, results: &Results, log: Option<PathBuf>) -> Self {
        let tally = results.tally();
        let [win, draw, loss] = tally.shares();
        let part = |games: usize, share: Share| {
            let (low, high) = share.interval;
            Part { games, share: share.of_all, low, high }
        };
        let score = tally.score();
        Self {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            players: terms.players.clone(),
            seed: terms.seed,
            opening_plies: terms.opening_plies,
            openings: results.openings,
            openings_known: results.openings_known,
            games: tally.num_games(),
            win: part(tally.counts[0], win),
            draw: part(tally.counts[1], draw),
            loss: part(tally.counts[2], loss),
            points: Points { share: score.of_all, low: score.interval.0, high: score.interval.1 },
            failed: tally.failed,
            why_failed: tally.why_failed.clone(),
            plies: tally.plies,
            seconds_per_move: seconds_per_move(&tally),
            log,
        }
    }
}

fn seconds_per_move(tally: &Tally) -> [Option<f64>; 2] {
    [0, 1].map(|player| {
        let moves = tally.moves[player];
        (moves > 0).then(|| tally.seconds[player] / moves as f64)
    })
}

fn text(found: &Match) -> String {
    let [first, second] = &found.players;
    let openings = counted(found.openings as u128, "opening", "openings");
    let mut text = format!(
        "{}: {first} against {second}\n{} from {openings} of {} after {}, seed {}\n\n",
        found.game,
        counted(found.games as u128, "game", "games"),
        grouped(found.openings_known as u128),
        counted(found.opening_plies.into(), "ply", "plies"),
        found.seed,
    );
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let interval = |low: f64, high: f64| format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high);
    let row = |name: &str, part: &Part| {
        vec![
            name.to_string(),
            grouped(part.games as u128),
            percent(part.share),
            interval(part.low, part.high),
        ]
    };
    let points = &found.points;
    let rows = [
        row("won", &found.win),
        row("drawn", &found.draw),
        row("lost", &found.loss),
        vec!["points".into(), String::new(), percent(points.share), interval(points.low, points.high)],
    ];
    text += &table(&[first, "games", "share", "95 % interval"], &rows);
    for ((player, failed), why) in found.players.iter().zip(found.failed).zip(&found.why_failed) {
        if failed > 0 {
            let why = why.as_ref().map_or_else(String::new, |why| format!("; the first time: {why}"));
            text +=
                &format!("{player} failed to move in {}{why}\n", counted(failed as u128, "game", "games"));
        }
    }
    let mean = found.plies as f64 / (found.games as f64).max(1.0);
    text += &format!("\nplies per game  {mean:.1}\n");
    for (player, seconds) in found.players.iter().zip(found.seconds_per_move) {
        text += &seconds
            .map_or_else(String::new, |s| format!("time per move   {:.3} ms  {player}\n", 1000.0 * s));
    }
    text
}
