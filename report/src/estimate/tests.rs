//! Estimates of games that the probe solves completely, and of games that are out of reach.

use nerode_games::registry::open;

use super::*;

fn within(millis: u64) -> Options {
    Options { probe: Duration::from_millis(millis), ..Options::default() }
}

#[test]
fn a_game_that_is_solved_at_once_has_no_range() {
    let game = open("breakthrough:2x4").unwrap();
    let found = estimate(&game, &within(60_000), &Resources::default()).unwrap();
    let expected = found.expected.unwrap();
    assert_eq!((found.engine, found.method), (EngineKind::Sets, Some(Method::Retrograde)));
    assert_eq!(expected.basis, Basis::Solved);
    assert_eq!(found.words, Some(3_u128.pow(8)));
    assert!(expected.states.is_some_and(|states| states.low == states.high && states.low > 0));
    assert!(found.growth.len() > 8 && found.smaller.is_empty());
}

#[test]
fn a_user_who_interrupts_is_obeyed() {
    let resources = Resources::default();
    resources.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let game = open("breakthrough:5x6").unwrap();
    let stopped = estimate(&game, &within(60_000), &resources);
    assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
}

#[test]
fn a_board_far_larger_than_any_solved_has_words_and_no_numbers() {
    let game = open("breakthrough:8x8").unwrap();
    let found = estimate(&game, &within(400), &Resources::default()).unwrap();
    assert_eq!(found.words, Some(3_u128.pow(64)));
    assert!(found.expected.is_none());
    let why = found.no_estimate.unwrap();
    let few = matches!(why, NoEstimate::NoPly | NoEstimate::NoSmallerBoard);
    assert!(few || matches!(why, NoEstimate::TooFar { cells: 64, .. }), "{why:?}");
}

/// Checks that the estimate uses the engine that a solve would choose, and that sectors are counted.
#[test]
fn morris_games_are_counted_by_sectors_unless_they_are_tiny() {
    let engine = |spec: &str| usual_engine(open(spec).unwrap().as_ref());
    assert_eq!(engine("morris:three"), EngineKind::Sets);
    for spec in ["morris:five", "morris:six", "morris:seven", "morris:nine"] {
        assert_eq!(engine(spec), EngineKind::Sectors, "{spec}");
    }
    let by_sectors = Options { engine: Some(EngineKind::Sectors), ..within(60_000) };
    let estimate = estimate(&open("morris:three").unwrap(), &by_sectors, &Resources::default()).unwrap();
    assert_eq!(estimate.expected.unwrap().basis, Basis::Exact);
    assert_eq!(estimate.sectors.unwrap().orbits, 564);
}

#[test]
fn the_whole_of_chess_is_counted_and_not_solved() {
    let game = open("chess:start").unwrap();
    let found = estimate(&game, &within(500), &Resources::default()).unwrap();
    assert!(found.expected.is_none() && found.no_estimate == Some(NoEstimate::ForwardOnly));
    assert!(found.growth.iter().zip([1, 20, 400]).all(|(ply, positions)| ply.positions == positions));
}
