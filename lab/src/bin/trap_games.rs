//! Measures traps against the alpha-beta player in drawn positions: `trap_games games|errors DIR N PLIES SEED SECTOR...`.
//!
//! `games` repeats the experiment of paper 001, section 12: from `N` drawn positions of each sector, four plies are played, of which
//! the solution makes the first and the third, without traps or with traps by one of the two models. It prints how many of the games
//! are won then. `errors` measures what the paper proposes instead: for `N` drawn positions of each sector in which some moves lose,
//! it prints the probability of an error by each model, and whether the alpha-beta player makes one. `PLIES` is the depth of its search.
//! Sectors are seen from the side to move. The output is CSV.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use nerode_games::explicit::apply;
use nerode_games::{Position, Value};
use nerode_play::alphabeta::Budget;
use nerode_play::course::Course;
use nerode_play::players::{Chosen, PlayerKind};
use nerode_play::traps::{Horizon, TrapModel, Traps};
use nerode_solver::stored::{SampleFilter, Solution};
use rayon::prelude::*;

/// The plies of a game of the experiment.
const PLIES: usize = 4;

/// The maximum number of positions that the alpha-beta player searches for a move.
const POSITIONS: u64 = 100_000;

/// The horizon of the examples in section 11.2.
const LOWER: u32 = 2;
const UPPER: u32 = 12;

const USAGE: &str = "usage: trap_games games|errors DIR N PLIES SEED SECTOR...";

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, dir, number, plies, seed, sectors @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let solution = Arc::new(nerode::open_solution(Path::new(dir))?);
    let (number, plies, seed) = (number.parse()?, plies.parse()?, seed.parse()?);
    let opponent = PlayerKind::AlphaBeta(Budget { plies, ..Budget::of_nodes(POSITIONS) });
    let distance = TrapModel::Distance(Horizon::new(LOWER, UPPER)?);
    match what.as_str() {
        "games" => println!("sector,plies,traps,games,won,drawn"),
        "errors" => println!("sector,plies,moves,losing,random,distance,error"),
        _ => return Err(USAGE.into()),
    }
    for sector in sectors {
        if what == "games" {
            let starts = drawn(&solution, sector, number, seed, &|_| true)?;
            let players = [
                ("none", PlayerKind::Perfect(Arc::clone(&solution))),
                (
                    "random",
                    PlayerKind::Trapping(Arc::clone(&solution), Traps { model: TrapModel::Random, plies: 2 }),
                ),
                (
                    "distance",
                    PlayerKind::Trapping(Arc::clone(&solution), Traps { model: distance, plies: 2 }),
                ),
            ];
            for (name, player) in players {
                let values: Vec<Option<Value>> = starts
                    .par_iter()
                    .enumerate()
                    .map(|(at, start)| value_after(&solution, start, [&player, &opponent], seed + at as u64))
                    .collect::<Result<_>>()?;
                let of = |value| values.iter().filter(|found| **found == Some(value)).count();
                println!("{sector},{plies},{name},{},{},{}", values.len(), of(Value::Win), of(Value::Draw));
            }
        } else {
            let can_err = |at: &Position| {
                solution
                    .query(at)
                    .is_ok_and(|answer| answer.moves().iter().any(|mv| mv.value() == Some(Value::Loss)))
            };
            let starts = drawn(&solution, sector, number, seed, &can_err)?;
            let rows: Vec<String> = starts
                .par_iter()
                .enumerate()
                .map(|(at, start)| error_of(&solution, start, &opponent, distance, seed + at as u64))
                .collect::<Result<_>>()?;
            for row in rows {
                println!("{sector},{plies},{row}");
            }
        }
    }
    Ok(())
}

/// Returns drawn positions of a sector.
fn drawn(
    solution: &Solution,
    sector: &str,
    number: usize,
    seed: u64,
    accepts: &(dyn Fn(&Position) -> bool + Sync),
) -> Result<Vec<Position>> {
    let filter =
        SampleFilter { sector: Some(sector), value: Some(Some(Value::Draw)), accepts: Some(accepts) };
    let found = solution.sample_where(number, seed, &filter)?;
    Ok(found.ok_or_else(|| format!("the solution has no sector {sector}"))?)
}

/// Plays four plies from `start`, the first of them by the first player, and returns the value for that player afterwards.
fn value_after(
    solution: &Solution,
    start: &Position,
    players: [&PlayerKind; 2],
    seed: u64,
) -> Result<Option<Value>> {
    let game = solution.game();
    let mut players = [players[0].start(game, seed)?, players[1].start(game, seed)?];
    let mut course = Course::new(game, start.clone());
    for ply in 0..PLIES {
        let answer = solution.query(course.position())?;
        if answer.moves().is_empty() {
            break;
        }
        let Chosen::Move(mv) = players[ply % 2].choose(&course)? else {
            return Err("a player failed".into());
        };
        course.play(&mv);
    }
    let value = solution.query(course.position())?.value();
    Ok(if course.position().side == start.side { value } else { value.map(opposite) })
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Win => Value::Loss,
        Value::Draw => Value::Draw,
        Value::Loss => Value::Win,
    }
}

/// Returns the probabilities of an error in `start` by the two models, and whether `player` makes one.
fn error_of(
    solution: &Solution,
    start: &Position,
    player: &PlayerKind,
    distance: TrapModel,
    seed: u64,
) -> Result<String> {
    let answer = solution.query(start)?;
    let losing = answer.moves().iter().filter(|mv| mv.value() == Some(Value::Loss)).count();
    let chance = |model| -> Result<f64> {
        let traps = Traps { model, plies: 1 }.of(solution, &answer)?;
        Ok(traps.goes_wrong.ok_or("an unknown value")?.as_f64())
    };
    let (random, distance) = (chance(TrapModel::Random)?, chance(distance)?);
    let game = solution.game();
    let course = Course::new(game, start.clone());
    let Chosen::Move(mv) = player.start(game, seed)?.choose(&course)? else {
        return Err("a player failed".into());
    };
    let after = Position { board: apply(&start.board, &mv), side: start.side.other() };
    let error = solution.query(&after)?.value() == Some(Value::Win);
    Ok(format!("{},{losing},{random:.6},{distance:.6},{}", answer.moves().len(), u8::from(error)))
}
