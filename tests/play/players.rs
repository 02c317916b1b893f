//! Players that query a solution keep the value; players that do not are beaten.

use std::sync::Arc;

use nerode::{Options, Solution};
use nerode_play::alphabeta::Budget;
use nerode_play::course::{Course, Limits};
use nerode_play::players::{Chosen, PlayerKind};
use nerode_play::traps::{Horizon, TrapModel, Traps};

fn solved(spec: &str) -> Arc<Solution> {
    let options = Options::default().method(nerode::Method::Retrograde);
    Arc::new(nerode::open(spec).unwrap().solve(options).unwrap())
}

const TRAPS: Traps = Traps { model: TrapModel::Random, plies: 2 };

/// Plays a game. Every move of the sides in `keeps` must keep the value and win as quickly as possible.
fn play(solution: &Solution, kinds: [&PlayerKind; 2], keeps: [bool; 2], seed: u64) -> Vec<String> {
    let game = solution.game();
    let mut players = kinds.map(|kind| kind.start(game, seed).unwrap());
    let mut course = Course::new(game, game.start_position());
    while course.end(Limits::default()).is_none() {
        let side = course.position().side.index();
        let answer = solution.query(course.position()).unwrap();
        let Chosen::Move(mv) = players[side].choose(&course).unwrap() else { panic!("no move") };
        if keeps[side] {
            let reply = answer.moves().iter().find(|reply| *reply.mv() == mv).unwrap();
            assert_eq!(reply.value(), answer.value(), "{}", reply.text());
            if reply.value() == Some(nerode::Value::Win) {
                assert_eq!(reply.depth(), answer.depth(), "{}", reply.text());
            }
        }
        course.play(&mv);
    }
    course.plies().iter().map(|ply| ply.text.clone()).collect()
}

#[test]
fn who_asks_a_solution_gives_nothing_away() {
    for spec in ["tictactoe:3x3", "breakthrough:3x4", "morris:three", "connect:4x3,row=3"] {
        let solution = solved(spec);
        let perfect = PlayerKind::Perfect(Arc::clone(&solution));
        let trapping = PlayerKind::Trapping(Arc::clone(&solution), TRAPS);
        let far = TrapModel::Distance(Horizon::new(2, 6).unwrap());
        let fallible = PlayerKind::Fallible(Arc::clone(&solution), far);
        let ahead = PlayerKind::AlphaBeta(Budget::of_nodes(200));
        for other in [&PlayerKind::Random, &ahead, &fallible, &perfect] {
            for keeper in [&perfect, &trapping] {
                for seed in 0..5 {
                    play(&solution, [keeper, other], [true, false], seed);
                    let game = play(&solution, [other, keeper], [false, true], seed);
                    assert_eq!(play(&solution, [other, keeper], [false, true], seed), game, "{spec}");
                }
            }
        }
    }
}

/// Of the moves that keep a draw, the most demanding one is made: in Tic-Tac-Toe a corner, after which seven of eight
/// replies lose.
#[test]
fn a_trapping_player_asks_most() {
    let solution = solved("tictactoe:3x3");
    let game = solution.game();
    let course = Course::new(game, game.start_position());
    let first = |kind: &PlayerKind, seed| match kind.start(game, seed).unwrap().choose(&course).unwrap() {
        Chosen::Move(mv) => game.format_move(course.position(), &mv),
        Chosen::Fails(failure) => panic!("{failure}"),
    };
    let seen = |kind: PlayerKind| -> std::collections::BTreeSet<String> {
        (0..100).map(|seed| first(&kind, seed)).collect()
    };
    let corners = ["a1", "a3", "c1", "c3"].map(String::from).into();
    assert_eq!(seen(PlayerKind::Trapping(Arc::clone(&solution), TRAPS)), corners);
    assert_eq!(seen(PlayerKind::Perfect(Arc::clone(&solution))).len(), 9);
}
