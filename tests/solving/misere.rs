//! Misère play: published winners, the closed form of nim, and the same value and depth by sets, by the oracle and over reached
//! positions.

use std::collections::HashSet;
use std::sync::Arc;

use nerode::rules::rbg::{bundled, open_text, read, varied};
use nerode_games::{Game, Position, Side, Value, explicit};
use nerode_oracle::ReachedSolution;
use nerode_solver::solve::reached::reached;
use nerode_solver::solve::resources::Resources;

use crate::common::{boards, game, oracle};

fn by_reached(game: &dyn Game) -> ReachedSolution {
    reached(game, &mut std::iter::empty(), None, &Resources::default(), &mut |_| ()).unwrap()
}

/// Returns every position that play reaches.
fn positions(game: &dyn Game) -> HashSet<Position> {
    let start = game.start_position();
    let (mut seen, mut left) = (HashSet::from([start.clone()]), vec![start]);
    while let Some(position) = left.pop() {
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        for mv in &moves {
            let next = Position { board: explicit::apply(&position.board, mv), side: position.side.other() };
            if seen.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    seen
}

/// Checks that sets, the oracle and the search of reached positions agree on every reached position, and that the usual game, if it
/// has the same words, ends in the same positions with the opposite result. Returns the value and the depth of the start.
fn agree(misere: &Arc<dyn Game>, usual: Option<&dyn Game>, name: &str) -> (Option<Value>, Option<u32>) {
    let sets = nerode::open_game(Arc::clone(misere)).solve(nerode::Options::default()).unwrap();
    let table = oracle(misere.as_ref());
    let by_reached = by_reached(misere.as_ref());
    let positions = positions(misere.as_ref());
    assert_eq!(by_reached.num_positions(), positions.len() as u64, "{name}");
    for position in &positions {
        let (board, side) = (&position.board, position.side);
        let expected = table.lookup(board, side).unwrap();
        let answer = sets.query(position).unwrap();
        assert_eq!(
            (answer.value(), answer.depth()),
            (expected.value(), expected.depth()),
            "{name}: {position:?}"
        );
        assert_eq!(by_reached.get(board, side), Some(expected), "{name}: {position:?}");
        if let Some(usual) = usual {
            let ended = usual.outcome(board, side).map(Value::negated);
            assert_eq!(misere.outcome(board, side), ended, "{name}: {position:?}");
        }
    }
    let (board, side) = misere.start();
    let start = table.lookup(&board, side).unwrap();
    (start.value(), start.depth())
}

/// The winner's number of turns on 3x3 with two in a row is 3, and on 3x4 with three in a row 5, as published; the loser then
/// completes a row. A loss in 7 plies is a win of the second player in 3 turns.
#[test]
#[ignore = "slow: .ci/slow"]
fn rows_of_tic_tac_toe_have_the_published_winners() {
    for (spec, expected) in [
        ("tictactoe:3x3", (Some(Value::Draw), None)),
        ("tictactoe:3x3,k=2", (Some(Value::Loss), Some(7))),
        ("tictactoe:3x4", (Some(Value::Loss), Some(11))),
    ] {
        let misere = game(&format!("{spec},misere"));
        assert_eq!(agree(&misere, Some(game(spec).as_ref()), spec), expected, "{spec}");
    }
}

#[test]
#[ignore = "minutes in a debug build"]
fn rows_of_three_on_4x4_lose_for_the_first_player() {
    let start = by_reached(game("tictactoe:4x4,misere").as_ref()).stats().start;
    assert_eq!((start.value(), start.depth()), (Some(Value::Loss), Some(15)));
}

#[test]
fn the_engines_agree_on_every_family() {
    for spec in [
        "breakthrough:2x5",
        "connect:4x3,row=3",
        "connect:3x3,row=3,encoding=columns",
        "othello:3x3",
        "othello:3x3,margin=-8,empties=winner",
        "amazons:2x3,start=1b/2/w1",
        "chess:KRvK,board=4x4",
        "morris:three",
    ] {
        agree(&game(&format!("{spec},misere")), Some(game(spec).as_ref()), spec);
    }
}

/// A position of misère nim is lost in exactly two cases: the exclusive or of the heaps is 0 and a heap has two or more objects,
/// or every heap has one object and the number of heaps is odd.
#[test]
fn nim_has_its_closed_form() {
    for spec in ["nim:1x9,misere", "nim:3x5,misere", "nim:5x2,misere"] {
        let nim = game(spec);
        let sets = nerode::open(spec).unwrap().solve(nerode::Options::default()).unwrap();
        let table = oracle(nim.as_ref());
        for board in boards(nim.as_ref()) {
            let is_lost = if board.iter().any(|&heap| heap > 1) {
                board.iter().fold(0, |sum, heap| sum ^ heap) == 0
            } else {
                board.iter().filter(|&&heap| heap == 1).count() % 2 == 1
            };
            let expected = Some(if is_lost { Value::Loss } else { Value::Win });
            for side in Side::BOTH {
                assert_eq!(table.lookup(&board, side).unwrap().value(), expected, "{spec} {board:?}");
                let position = Position { board: board.clone(), side };
                assert_eq!(sets.query(&position).unwrap().value(), expected, "{spec} {board:?}");
            }
        }
    }
}

/// Scores change their sign, so that the sets of a score agree with the plain rules.
#[test]
fn scores_are_negative() {
    let (usual, misere) = (game("othello:3x3"), game("othello:3x3,misere"));
    let mut store = nerode_dfa::Store::new(misere.shape().clone(), 1 << 24).unwrap();
    let scores = misere.scores().unwrap();
    for board in boards(misere.as_ref()).step_by(7) {
        assert_eq!(misere.score(&board), usual.score(&board).map(|score| -score));
    }
    for least in [*scores.start(), -3, 0, 1, 4, *scores.end()] {
        let set = misere.score_at_least(&mut store, least).unwrap();
        let set = store.freeze(&set);
        for board in boards(misere.as_ref()).step_by(7) {
            let word = misere.word_of(&board);
            assert_eq!(set.contains(&word), misere.score(&board).unwrap() >= least, "{least} {board:?}");
        }
    }
}

/// Checks games from files against the built-in misère game, and against the interpreter through their plain rules.
#[test]
fn games_from_files_agree() {
    let of = |name: &str, variant: &str| {
        let text = bundled().iter().find(|game| game.name == name).unwrap().text;
        let book = read(name, text).unwrap();
        let book = if variant.is_empty() { book } else { varied(&book, name, variant).unwrap() };
        open_text(name, &book.canonical(), None).unwrap()
    };
    let start = by_reached(of("tictactoe", "misere").as_ref()).stats().start;
    let built_in = by_reached(game("tictactoe:3x3,misere").as_ref()).stats().start;
    assert_eq!((start.value(), start.depth()), (built_in.value(), built_in.depth()));
    for (name, board) in [("hexapawn", ""), ("hex", "board=2x2"), ("breakthrough", "board=2x4")] {
        let variant = [board, "misere"].join(",");
        // The letters for results differ from those of the usual game.
        agree(&of(name, variant.trim_start_matches(',')), None, name);
    }
}
