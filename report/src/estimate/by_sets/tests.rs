//! Tests of the estimates that follow from the observed part of a solve.

use super::super::course::PlyGrowth;
use super::super::growth::SETS_OF_VALUES;
use super::*;

fn course(states: &[u64]) -> Course {
    let line = |(ply, &states): (usize, &u64)| PlyGrowth {
        phase: "retrograde",
        ply: ply as u32,
        states,
        positions: 0,
        bytes: states * 5,
    };
    let all = states.iter().sum();
    Course {
        plies: states.iter().enumerate().map(line).collect(),
        largest: states.iter().copied().max().unwrap_or(0),
        all,
        bytes: all * 5,
        held_bytes: 1 << 30,
        seconds: 1.0,
        spent_seconds: 500.0,
        ..Course::default()
    }
}

fn bounds(states: f64) -> Bounds {
    Bounds { states, positions: 1e12 }
}

/// Returns boards of three rows whose numbers of states are a power of their columns.
fn boards(widths: std::ops::RangeInclusive<usize>, states: fn(usize) -> u64) -> Vec<Smaller> {
    widths.map(|width| Smaller::of("nim", [width, 3], states(width), 1.0)).collect()
}

/// Checks that the number of states of reached sets stays below the power of their positions.
#[test]
fn forward_growth_ends_at_the_admissible_positions() {
    let mut forward = course(&[1, 30, 400, 5_000]);
    for line in &mut forward.plies {
        (line.phase, line.positions) = ("forward", 1_000_000);
    }
    let bounds = Bounds { states: f64::MAX, positions: 1e9 };
    let expected = of_sets("x", &forward, &[], bounds).unwrap().states.unwrap();
    let most = (1.0 + SETS_OF_VALUES) * 1e9_f64.powf(5_000_f64.ln() / 1e6_f64.ln());
    assert!(expected.high as f64 <= most && expected.high > 5_000, "{expected:?}");
}

#[test]
fn growth_is_carried_on_and_its_end_is_between() {
    let expected = of_sets("chess:KRvK", &course(&[10, 100, 300, 700]), &[], bounds(f64::MAX)).unwrap();
    let states = expected.states.unwrap();
    assert_eq!((expected.basis, states.low), (Basis::Growth, 700));
    assert!(states.contains(3000) && states.high > 10_000);
    // Sets that stop growing for a while may grow again, as those of morris do.
    let resting = of_sets("chess:KRvK", &course(&[10, 1000, 900, 800]), &[], bounds(f64::MAX)).unwrap();
    assert!(resting.states.is_some_and(|states| states.low == 1000 && states.high > 10_000));
    // No set has more states than its words allow.
    let bounded = of_sets("chess:KRvK", &course(&[10, 100, 300, 700]), &[], bounds(1500.0)).unwrap();
    assert_eq!(bounded.states, Some(Range { low: 700, high: 1500 }));
    assert!(bounded.memory_bytes.high < expected.memory_bytes.high);
}

#[test]
fn no_low_end_is_below_what_was_taken_already() {
    for smaller in [Vec::new(), boards(3..=7, |width| 10 << width)] {
        let spec = if smaller.is_empty() { "chess:KRvK" } else { "nim:8x3" };
        let seen = course(&[10, 100, 300, 700]);
        let expected = of_sets(spec, &seen, &smaller, bounds(f64::MAX)).unwrap();
        assert!(expected.states.is_some_and(|states| states.low >= 700), "{spec}: {expected:?}");
        assert!(expected.bytes.low >= seen.bytes && expected.bytes.high >= expected.bytes.low);
        assert!(expected.memory_bytes.low >= seen.held_bytes);
        assert!(expected.seconds.low >= 500.0 && expected.seconds.high >= expected.seconds.low);
    }
}

#[test]
fn where_too_little_was_seen_nothing_is_said() {
    let said = |spec, states: &[u64], smaller: &[Smaller]| {
        of_sets(spec, &course(states), smaller, bounds(1e30)).map(|expected| expected.basis)
    };
    let five = [10, 100, 400, 1000, 2000];
    assert_eq!(said("othello:8x8", &[], &[]), Err(NoEstimate::NoPly));
    // Terminal positions alone do not count as a ply.
    assert_eq!(said("othello:8x8", &[3], &[]), Err(NoEstimate::NoPly));
    assert_eq!(said("chess:KRvK", &five[..3], &[]), Err(NoEstimate::FewPlies { plies: 2 }));
    assert_eq!(said("nim:8x3", &five, &[]), Err(NoEstimate::NoSmallerBoard));
    let far = said("nim:8x4", &five, &boards(2..=5, |width| 10 << width));
    assert_eq!(far, Err(NoEstimate::TooFar { solved: "nim:5x3".into(), solved_cells: 15, cells: 32 }));
    assert!(matches!(said("x", &[1, 100, 10_000, 1_000_000], &[]), Err(NoEstimate::TooWide { .. })));
    assert_eq!(said("nim:8x3", &five, &boards(3..=7, |width| 10 << width)), Ok(Basis::SmallerBoards));
}

#[test]
fn a_game_that_is_nearly_solved_needs_no_smaller_boards() {
    let mut backing = course(&[700, 600, 650, 500, 400]);
    backing.plies.iter_mut().for_each(|line| line.phase = "back up");
    let expected = of_sets("nim:8x3", &backing, &[], bounds(1e30)).unwrap();
    assert_eq!(expected.basis, Basis::Growth);
    assert_eq!(expected.states, Some(Range { low: 700, high: 1400 }));
}

/// Checks that estimates from a busy machine and from an idle one do not contradict each other: their ranges must overlap.
#[test]
fn estimates_from_few_boards_and_from_many_agree() {
    let growing = |width: usize| 20 * 3_u64.pow(width as u32) * width as u64;
    let of = |most| {
        let seen = course(&[10, 20, 40, 80, 120]);
        of_sets("nim:9x3", &seen, &boards(2..=most, growing), bounds(1e30)).unwrap()
    };
    let (busy, quiet) = (of(6), of(8));
    let [few, many] = [&busy, &quiet].map(|expected| expected.states.unwrap());
    assert!(few.low <= many.high && many.low <= few.high, "{few:?} {many:?}");
    assert!(few.contains(growing(9)) && many.contains(growing(9)), "{few:?} {many:?}");
    assert!(busy.seconds.low <= quiet.seconds.high && quiet.seconds.low <= busy.seconds.high);
}

#[test]
fn a_game_that_was_solved_has_the_numbers_that_were_measured() {
    let finished = Course { finished: true, ..course(&[10, 100, 20]) };
    let expected = of_sets("nim:8x3", &finished, &[], bounds(f64::MAX)).unwrap();
    assert_eq!((expected.basis, expected.seconds), (Basis::Solved, Range::known(500.0)));
    assert_eq!((expected.states, expected.bytes), (Some(Range::known(100)), Range::known(650)));
}
