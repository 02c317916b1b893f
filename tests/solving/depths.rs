//! Depths by search in runs by meet in the middle equal those of retrograde analysis, for every position and every move.

use std::time::Duration;

use crate::common::{Plan, solved, stride};
use nerode_games::Position;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::stored::{SolvedRun, Stored};
use rayon::prelude::*;

/// Compares the depths of every `stride`-th reached position and of its moves. Returns the number of positions compared.
fn compared(spec: &str, plan: Plan, stride: usize) -> usize {
    let ((_meet_dir, meet), (_dir, reference)) =
        (solved(spec, None, plan), solved(spec, None, Plan::RETROGRADE));
    let mut solution = SolvedRun::new(meet);
    solution.limit_search(Duration::from_secs(600));
    let solution: &dyn Stored = &solution;
    let game = solution.game();
    let mut positions = Vec::new();
    let mut at = 0;
    for ply in 0.. {
        let side = reference.side_at(ply);
        let Ok(reached) = solution.run().unwrap().read(Kind::R, side, ply) else { break };
        for word in reached.words() {
            at += 1;
            if at % stride == 0 {
                positions.push(Position { board: game.board_of(&word), side });
            }
        }
    }
    let expected = |position: &Position| reference.get(&position.board, position.side).unwrap();
    positions.par_iter().for_each(|position| {
        let answer = solution.query(position).unwrap();
        let text = || format!("{spec}: {}", game.format_position(position));
        // A run that is limited to some plies leaves values unknown.
        if answer.value().is_none() {
            return;
        }
        assert_eq!(answer.evaluation().outcome(), Some(expected(position)), "{}", text());
        for reply in answer.moves().iter().filter(|reply| reply.value().is_some()) {
            let after = expected(reply.position());
            let found = (reply.value().map(nerode_games::Value::negated), reply.depth());
            assert_eq!(
                found,
                (after.value(), after.depth().map(|depth| depth + 1)),
                "{} {}",
                text(),
                reply.text()
            );
        }
        let first = answer.moves().first().map(|best| (best.value(), best.depth()));
        assert!(first.is_none_or(|best| best == (answer.value(), answer.depth())), "{}", text());
    });
    positions.len()
}

#[test]
fn depths_by_search_are_those_of_retrograde_analysis() {
    for (spec, plan, every) in [
        ("tictactoe:3x3", Plan::meet(Some(0), None), 1),
        ("tictactoe:4x3,k=3", Plan::meet(Some(3), None), 300),
        ("connect:3x3,row=3", Plan::meet(Some(0), None), 1),
        ("connect:4x4", Plan::meet(Some(0), None), 300),
        ("connect:4x3,row=3", Plan::meet(Some(4), Some(8)), 3),
        ("breakthrough:3x4", Plan::meet(Some(0), None), 200),
        ("amazons:3x3,start=1b1/3/1w1", Plan::meet(Some(2), None), 2),
        ("othello:4x3", Plan::meet(Some(0), None), 1),
    ] {
        let positions = compared(spec, plan, stride(every));
        assert!(positions > 50, "{spec}: {positions}");
    }
}

#[test]
#[ignore = "minutes: cargo test --release --test solving -- --ignored depths"]
fn depths_by_search_of_every_position_are_those_of_retrograde_analysis() {
    for (spec, every) in [
        ("connect:4x4", 1),
        ("connect:5x4", 1),
        ("tictactoe:4x3,k=3", 1),
        ("tictactoe:4x4,k=3", 1),
        ("tictactoe:4x4,k=4", 1),
        ("othello:4x4", 1),
        ("connect:5x5", 50_000),
        ("connect:6x4", 50_000),
    ] {
        let positions = compared(spec, Plan::meet(Some(0), None), every);
        println!("{spec}: {positions} positions compared, all equal");
    }
}
