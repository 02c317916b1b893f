//! Values of whole games by plain search with the explicit rules, compared with the literature. This detects outcomes
//! with the wrong sign.

use std::collections::HashMap;

use crate::common::{boards, successors};
use nerode_games::registry::open;
use nerode_games::{Game, Side, Value};

/// Returns the value of `board` for `side`, which is to move, by negamax.
fn value(game: &dyn Game, board: &[u8], side: Side, known: &mut HashMap<(Vec<u8>, Side), Value>) -> Value {
    if let Some(value) = game.outcome(board, side) {
        return value;
    }
    let key = (board.to_vec(), side);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut best = Value::Loss;
    for after in successors(game, board, side) {
        best = best.max(value(game, &after, side.other(), known).negated());
        if best == Value::Win {
            break;
        }
    }
    known.insert(key, best);
    best
}

fn start_value(spec: &str) -> Value {
    let game = open(spec).unwrap();
    let (board, side) = game.start();
    value(&*game, &board, side, &mut HashMap::new())
}

/// C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
#[test]
fn nim_is_lost_exactly_when_the_heaps_cancel() {
    for spec in ["nim:3x7", "nim:4x3", "nim:1x20"] {
        let game = open(spec).unwrap();
        let mut known = HashMap::new();
        for board in boards(&*game) {
            let cancel = board.iter().fold(0, |sum, height| sum ^ height) == 0;
            let expected = if cancel { Value::Loss } else { Value::Win };
            for side in Side::BOTH {
                assert_eq!(value(&*game, &board, side, &mut known), expected, "{spec} {board:?}");
            }
        }
    }
}

/// J. W. H. M. Uiterwijk and H. J. van den Herik, "The advantage of the initiative", Information Sciences 122 (2000):
/// three in a row is a draw on 3 x 3, and the first player wins on 4 x 3.
#[test]
fn tictactoe_has_the_known_values() {
    assert_eq!(start_value("tictactoe:3x3"), Value::Draw);
    assert_eq!(start_value("tictactoe:4x3"), Value::Win);
    assert_eq!(start_value("tictactoe:3x4"), Value::Win);
    assert_eq!(start_value("tictactoe:2x2,k=2"), Value::Win);
    assert_eq!(start_value("tictactoe:2x2,k=1"), Value::Win);
}

/// J. Tromp, "John's Connect Four Playground".
#[test]
fn connect_has_the_published_values() {
    for spec in ["connect:4x4", "connect:4x4,encoding=columns"] {
        assert_eq!(start_value(spec), Value::Draw, "{spec}");
    }
}

/// J. Considine, "Compressed Game Solving", table 3: the winner by board.
#[test]
fn breakthrough_has_the_published_winners() {
    let table =
        [("2x4", Side::P2), ("2x5", Side::P2), ("2x6", Side::P1), ("2x7", Side::P2), ("3x4", Side::P2)];
    for (board, winner) in table.into_iter().chain([("3x5", Side::P2), ("4x4", Side::P2)]) {
        let expected = if winner == Side::P1 { Value::Win } else { Value::Loss };
        assert_eq!(start_value(&format!("breakthrough:{board}")), expected, "{board}");
    }
}
