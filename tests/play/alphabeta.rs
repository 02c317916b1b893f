//! The search player finds exactly the wins and losses that lie within its depth.

use crate::common::program::refused;
use crate::common::scratch;
use nerode::games::morris::rules_of;
use nerode::{Options, Position, Side, Solution, Value};
use nerode_play::alphabeta::{Budget, Field, MorrisField, PlainField, Search};

/// The evaluation of an immediate win.
const WIN: i32 = 1_000_000;

/// A value and the plies to the end, if the search has seen that far.
type Seen = Option<(Value, u32)>;

/// Returns the result of a search of `plies` plies.
fn found<F: Field>(field: F, at: &Position, plies: u8) -> Seen {
    let mut search = Search::new(field, Budget { nodes: 50_000, plies, time: None });
    let node = search.field().node(at);
    let worth = search.best(&node, &[], 1)?.worth;
    match worth {
        worth if worth > WIN / 2 => Some((Value::Win, (WIN - worth) as u32)),
        worth if worth < -WIN / 2 => Some((Value::Loss, (WIN + worth) as u32)),
        _ => None,
    }
}

fn compare(
    solution: &Solution,
    find: &dyn Fn(&Position, u8) -> Seen,
    positions: &[Position],
    plies: u8,
) -> usize {
    let mut decided = 0;
    for at in positions {
        let answer = solution.query(at).unwrap();
        // A single move is played without evaluating it.
        if answer.moves().len() < 2 {
            continue;
        }
        let within = answer.value().zip(answer.depth()).filter(|(_, depth)| *depth <= u32::from(plies));
        let text = solution.game().format_position(at);
        assert_eq!(find(at, plies), within, "{text}: {:?} in {:?}", answer.value(), answer.depth());
        decided += usize::from(within.is_some());
    }
    decided
}

#[test]
fn wins_and_losses_within_reach_are_found() {
    for (spec, plies, count) in
        [("breakthrough:3x4", 4, 1500), ("tictactoe:3x3", 5, 400), ("othello:4x3", 3, 200)]
    {
        let solution =
            nerode::open(spec).unwrap().solve(Options::default().method(nerode::Method::Retrograde)).unwrap();
        let positions = solution.sample(count, 5).unwrap();
        let find = |at: &Position, plies| found(PlainField::new(solution.game()), at, plies);
        assert!(compare(&solution, &find, &positions, plies) > 10, "{spec}");
    }
}

#[test]
fn morris_is_looked_ahead_by_the_rules() {
    let spec = "morris:three";
    let solution =
        nerode::open(spec).unwrap().solve(Options::default().method(nerode::Method::Retrograde)).unwrap();
    let (_, rules) = rules_of(spec).unwrap();
    let legal = |at: &Position| solution.game().check_legal(at).is_ok();
    let positions: Vec<Position> = solution.sample(8_000, 7).unwrap().into_iter().filter(legal).collect();
    for plies in [1, 2, 3] {
        let find = |at: &Position, plies| found(MorrisField::new(rules.clone()), at, plies);
        assert!(compare(&solution, &find, &positions, plies) > 10);
    }
}

/// The first ply is searched completely for every budget, and a larger budget searches deeper.
#[test]
fn budgets_are_kept() {
    let (game, rules) = rules_of("morris:nine").unwrap();
    let of = |nodes| {
        let mut search = Search::new(MorrisField::new(rules.clone()), Budget::of_nodes(nodes));
        let node = search.field().node(&game.start_position());
        search.best(&node, &[], 1).unwrap()
    };
    assert_eq!((of(1).plies, of(1).nodes), (1, 25));
    assert!(of(5_000).nodes <= 5_001 && of(5_000).plies > 2);
    assert_eq!(of(5_000), of(5_000));
}

/// A search of all plies would never end.
#[test]
fn time_ends_a_search() {
    let rules = rules_of("morris:nine").unwrap().1;
    let time = Some(std::time::Duration::from_millis(1));
    let (field, start) = (MorrisField::new(rules.clone()), rules.board_of(rules.start(), Side::P1));
    let mut search = Search::new(field, Budget { time, ..Budget::of_nodes(u64::MAX) });
    let node = search.field().node(&Position { board: start, side: Side::P1 });
    assert!(search.best(&node, &[], 1).is_some());
    let dir = scratch();
    let said = refused(dir.path(), &["match", "random", "alphabeta,seconds=0", "--game", "nim:2x3"]);
    assert!(said.contains("not a valid number of seconds for a move"), "{said}");
}
