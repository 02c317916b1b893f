//! Bundled games whose values are published, solved by plain rules over all positions that play reaches.

use std::collections::HashMap;

use nerode_games::{Game, Side, Value, explicit};

use crate::open;

/// The values of the reached positions.
#[derive(Debug, Default)]
struct Solved {
    won: usize,
    lost: usize,
    drawn: usize,
    /// The value of the start with its depth in plies, or `None` for a draw.
    start: Option<(Value, usize)>,
}

type Node = (Vec<u8>, Side);

/// Solves a game by repeated passes over the reached positions.
fn solved(game: &dyn Game) -> Solved {
    let mut index: HashMap<Node, usize> = HashMap::from([(game.start(), 0)]);
    let mut nodes = vec![game.start()];
    let mut next: Vec<Vec<usize>> = Vec::new();
    let mut known: Vec<Option<(Value, usize)>> = Vec::new();
    while let Some((board, side)) = nodes.get(next.len()).cloned() {
        let over = game.outcome(&board, side);
        let mut moves = Vec::new();
        if over.is_none() {
            game.legal_moves(&board, side, &mut moves);
        }
        let after = moves.iter().map(|mv| (explicit::apply(&board, mv), side.other()));
        let number = |node: Node| {
            *index.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        next.push(after.map(number).collect());
        known.push(over.map(|value| (value, 0)));
    }
    for depth in 1.. {
        let value = |at: usize| {
            let of = |&to: &usize| known[to].map(|(value, _)| value);
            if next[at].iter().any(|to| of(to) == Some(Value::Loss)) {
                Some(Value::Win)
            } else {
                next[at].iter().all(|to| of(to) == Some(Value::Win)).then_some(Value::Loss)
            }
        };
        let found: Vec<(usize, Value)> = (0..nodes.len())
            .filter(|&at| known[at].is_none())
            .filter_map(|at| Some((at, value(at)?)))
            .collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|(at, value)| known[at] = Some((value, depth)));
    }
    let count =
        |wanted: Value| known.iter().filter(|known| known.is_some_and(|(value, _)| value == wanted)).count();
    let (won, lost) = (count(Value::Win), count(Value::Loss));
    Solved {
        won,
        lost,
        drawn: nodes.len() - won - lost,
        start: known[0].filter(|(value, _)| *value != Value::Draw),
    }
}

#[test]
fn published_values_are_found() {
    let of = |spec: &str| solved(&*open(spec).unwrap_or_else(|why| panic!("{spec}: {why}")));
    assert_eq!(of("rbg:hexapawn").start, Some((Value::Loss, 6)));
    for (board, value) in [("2x2", Value::Win), ("3x3", Value::Win), ("4x4", Value::Win)] {
        let start = of(&format!("rbg:domineering:board={board}")).start;
        assert!(start.is_some_and(|(found, _)| found == value), "{board}: {start:?}");
    }
    let mutorere = of("rbg:mutorere");
    assert_eq!((mutorere.won, mutorere.lost, mutorere.drawn), (208, 128, 844));
    assert_eq!(mutorere.start, None);
}
