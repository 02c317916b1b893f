//! Estimates of games that the probe solves completely, and of games that are out of reach.

use nerode_games::registry::open;

use super::*;

fn asked(millis: u64) -> Asked {
    Asked { probe: Duration::from_millis(millis), ..Asked::default() }
}

#[test]
fn a_game_that_is_solved_at_once_has_no_range() {
    let game = open("breakthrough:2x4").unwrap();
    let found = estimate(&game, &asked(60_000), &Resources::default()).unwrap();
    let expected = found.expected.unwrap();
    assert_eq!((found.engine, found.method), (EngineName::Sets, Some(Method::Retrograde)));
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
    let stopped = estimate(&game, &asked(60_000), &resources);
    assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
}

#[test]
fn a_board_far_larger_than_any_solved_has_words_and_no_numbers() {
    let game = open("breakthrough:8x8").unwrap();
    let found = estimate(&game, &asked(400), &Resources::default()).unwrap();
    assert_eq!(found.words, Some(3_u128.pow(64)));
    assert!(found.expected.is_none() && found.taken.is_some());
    let why = found.no_estimate.unwrap();
    let few = matches!(why, NoEstimate::NoPly | NoEstimate::NoSmallerBoard);
    assert!(few || matches!(why, NoEstimate::TooFar { cells: 64, .. }), "{why:?}");
}

/// Checks that the estimate uses the engine that a solve would choose, and that a small game is solved by sectors.
#[test]
fn morris_games_are_tried_by_sectors_unless_they_are_tiny() {
    let engine = |spec: &str| usual_engine(open(spec).unwrap().as_ref());
    assert_eq!(engine("morris:three"), EngineName::Sets);
    for spec in ["morris:five", "morris:six", "morris:seven", "morris:nine"] {
        assert_eq!(engine(spec), EngineName::Sectors, "{spec}");
    }
    let by_sectors = Asked { engine: Some(EngineName::Sectors), ..asked(60_000) };
    let found = estimate(&open("morris:three").unwrap(), &by_sectors, &Resources::default()).unwrap();
    let expected = found.with_peak(Some(1 << 20)).expected.unwrap();
    assert_eq!((expected.basis, expected.memory_bytes.high), (Basis::Solved, 1 << 20));
    assert!((expected.seconds.low - expected.seconds.high).abs() < f64::EPSILON);
}

#[test]
fn the_whole_of_chess_is_counted_and_not_solved() {
    let game = open("chess:start").unwrap();
    let found = estimate(&game, &asked(2_000), &Resources::default()).unwrap();
    assert!(found.expected.is_none() && found.no_estimate == Some(NoEstimate::ForwardOnly));
    assert!(found.growth.iter().zip([1, 20, 400]).all(|(ply, positions)| ply.positions == positions));
}
