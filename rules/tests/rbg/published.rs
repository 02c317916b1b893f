//! Bundled games whose values are published or were found by separate searches, solved by plain rules over all positions that play reaches.

use std::collections::HashMap;

use nerode_games::registry::BUILT_IN;
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

/// Tapatan is three men's morris: a mill captures one of three stones, which wins.
#[test]
fn tapatan_is_three_mens_morris() {
    let tapatan = solved(&*open("rbg:tapatan").unwrap());
    assert_eq!(tapatan.start, solved(&*BUILT_IN.open("morris:three").unwrap()).start);
    assert_eq!(tapatan.start, Some((Value::Win, 9)));
}

/// A separate search, written from the rules of Kalah in another language, finds that the first player loses by two seeds with two
/// pits of two seeds. It also finds a draw, a loss, a win, a loss, a win and a draw with one pit of one to six seeds, and a win, three
/// losses and two wins with two pits.
#[test]
fn kalah_has_the_value_of_a_separate_search() {
    let start = solved(&*open("rbg:kalah").unwrap()).start;
    assert!(start.is_some_and(|(value, _)| value == Value::Loss), "{start:?}");
}

/// A position of konane on 4x4: the stones of both sides as sets of squares, and the number of plies played, up to 2.
type Konane = (u16, u16, u32);

/// Returns the positions after the moves of the side to move, whose stones come first.
fn after_konane((own, theirs, plies): Konane) -> Vec<Konane> {
    let step = |square: i32, way: (i32, i32)| {
        let (file, rank) = (square % 4 + way.0, square / 4 + way.1);
        ((0..4).contains(&file) && (0..4).contains(&rank)).then_some(4 * rank + file)
    };
    let ways = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let mut found = Vec::new();
    for square in (0..16).filter(|square| own >> square & 1 == 1) {
        let rest = own & !(1 << square);
        let is_empty = |at: i32| (own | theirs) >> at & 1 == 0;
        if plies < 2 {
            if plies == 0 || ways.iter().any(|&way| step(square, way).is_some_and(is_empty)) {
                found.push((theirs, rest, plies + 1));
            }
            continue;
        }
        for way in ways {
            let (mut at, mut captured) = (square, 0);
            while let Some(over) = step(at, way).filter(|&over| theirs >> over & 1 == 1) {
                let Some(to) = step(over, way).filter(|&to| is_empty(to)) else { break };
                captured |= 1 << over;
                found.push((theirs & !captured, rest | 1 << to, 2));
                at = to;
            }
        }
    }
    found
}

/// Compares konane with another program for its rules: the numbers of reached positions by value, and the winner.
#[test]
fn konane_is_played_by_its_rules() {
    fn wins(at: Konane, known: &mut HashMap<Konane, bool>) -> bool {
        if let Some(&value) = known.get(&at) {
            return value;
        }
        // Every successor is visited, so that all reached positions are counted.
        let values: Vec<bool> = after_konane(at).into_iter().map(|next| wins(next, known)).collect();
        let value = values.contains(&false);
        known.insert(at, value);
        value
    }
    // The stones of black are on the squares with an even sum of file and rank, counted from the top left. Stones jump over two
    // squares, so that those of a side stay on squares of one colour and show whose they are.
    let black = 0b1010_0101_1010_0101_u16;
    let mut known = HashMap::new();
    let first = wins((black, !black, 0), &mut known);
    let konane = solved(&*open("rbg:konane").unwrap());
    let value = if first { Value::Win } else { Value::Loss };
    assert!(konane.start.is_some_and(|(found, _)| found == value), "{:?}", konane.start);
    let won = known.values().filter(|won| **won).count();
    assert_eq!((konane.won, konane.lost, konane.drawn), (won, known.len() - won, 0));
}

#[test]
#[ignore = "minutes in a debug build"]
fn domineering_on_5x5_is_won_by_the_second_player() {
    let start = solved(&*open("rbg:domineering:board=5x5").unwrap()).start;
    assert!(start.is_some_and(|(value, _)| value == Value::Loss), "{start:?}");
}
