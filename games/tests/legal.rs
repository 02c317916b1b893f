//! The positions that games call legal hold every position of play, and are those that the rule in words says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::{boards, successors};
use nerode_dfa::{Set, Store};
use nerode_games::registry::{open_with_order, orders};
use nerode_games::{Game, Side};

fn legal(game: &dyn Game, side: Side) -> (Store, Option<Set>) {
    let mut store = Store::unbounded(game.shape().clone());
    let set = game.legal(&mut store, side).unwrap();
    (store, set)
}

/// Boards of play by side to move, from the start on.
fn reachable(game: &dyn Game) -> BTreeSet<(Vec<u8>, usize)> {
    let (board, side) = game.start();
    let mut seen = BTreeSet::from([(board.clone(), side.index())]);
    let mut waiting = vec![(board, side)];
    while let Some((board, side)) = waiting.pop() {
        for next in successors(game, &board, side) {
            if seen.insert((next.clone(), side.other().index())) {
                waiting.push((next, side.other()));
            }
        }
    }
    seen
}

fn compare(spec: &str, rule: impl Fn(&[u8], Side) -> bool) {
    for order in orders(spec).unwrap() {
        let game: Arc<dyn Game> = open_with_order(spec, Some(&order)).unwrap();
        let reached = reachable(game.as_ref());
        let mut outside = 0;
        for side in Side::BOTH {
            let (store, set) = legal(game.as_ref(), side);
            let set = set.unwrap();
            for board in boards(game.as_ref()) {
                let is_legal = store.contains(&set, &game.word_of(&board));
                assert_eq!(is_legal, rule(&board, side), "{board:?} {side} in {spec}, order {order}");
                assert!(is_legal || !reached.contains(&(board, side.index())), "reached, yet not legal");
                outside += usize::from(!is_legal);
            }
        }
        assert!(outside > 0 && reached.len() > 100, "{spec}");
    }
}

fn count(board: &[u8], letter: u8) -> usize {
    board.iter().filter(|&&l| l == letter).count()
}

#[test]
fn breakthrough_has_at_most_two_ranks_of_pawns() {
    compare("breakthrough:2x5", |board, _| count(board, 1) <= 4 && count(board, 2) <= 4);
}

#[test]
fn tictactoe_alternates() {
    let fair = |board: &[u8], side: Side| count(board, 1) == count(board, 2) + side.index();
    compare("tictactoe:3x3", fair);
    compare("tictactoe:3x2,k=2", fair);
}

#[test]
fn nim_states_nothing() {
    let game = open_with_order("nim:2x2", None).unwrap();
    assert!(Side::BOTH.iter().all(|&side| legal(game.as_ref(), side).1.is_none()));
}
