use super::*;
use crate::morris::rules::Preset;

fn rules(name: &str) -> Rules {
    Preset::named(name).unwrap().rules()
}

fn set(rules: &Rules, labels: &str) -> u32 {
    labels.split_whitespace().fold(0, |mask, label| mask | 1 << rules.board.point(label).unwrap())
}

fn turns(rules: &Rules, state: State) -> Vec<Turn> {
    let mut all = Vec::new();
    rules.turns(state, |turn| all.push(turn));
    all
}

#[test]
fn the_first_stone_goes_anywhere() {
    for (name, points) in [("nine", 24), ("morabaraba", 24), ("six", 16), ("seven", 17), ("three", 9)] {
        let rules = rules(name);
        assert_eq!(turns(&rules, rules.start()).len(), points, "{name}");
    }
}

#[test]
fn a_mill_takes_a_stone_outside_mills_first() {
    let rules = rules("nine");
    let own = set(&rules, "a7 d7 b4 c4");
    let loose = State { own, other: set(&rules, "a1 d1 g1 e3 f4"), own_hand: 1, other_hand: 0 };
    let taken: Vec<u32> =
        turns(&rules, loose).iter().filter(|t| t.to == set(&rules, "g7")).map(|t| t.taken).collect();
    assert_eq!(taken, [set(&rules, "f4"), set(&rules, "e3")]);
    let all_in_mills = State { other: set(&rules, "a1 d1 g1"), ..loose };
    let closing = |r: &Rules| turns(r, all_in_mills).iter().filter(|t| t.taken != 0).count();
    // g7 and a4 each close a mill, and each may capture one of three stones.
    assert_eq!(closing(&rules), 6);
    let protected = Rules { capture: Capture::Protected, ..rules };
    assert_eq!(closing(&protected), 0);
    assert_eq!(turns(&protected, all_in_mills).len(), 24 - 7);
}

#[test]
fn two_mills_take_two_stones_where_the_rules_say_so() {
    let one = rules("nine");
    // d6 closes b6-d6-f6 and d7-d6-d5.
    let state =
        State { own: set(&one, "b6 f6 d7 d5"), other: set(&one, "a1 g1 e4 c3"), own_hand: 2, other_hand: 0 };
    let double = |r: &Rules| -> Vec<u32> {
        turns(r, state).iter().filter(|t| t.to == set(r, "d6")).map(|t| t.taken.count_ones()).collect()
    };
    assert_eq!(double(&one), [1; 4]);
    let two = Rules { take: 2, ..one };
    assert_eq!(double(&two), [2; 6]);
}

#[test]
fn three_stones_fly_and_more_slide() {
    let rules = rules("nine");
    let state =
        State { own: set(&rules, "a7 g4 d1"), other: set(&rules, "a4 d7 b4 f6"), own_hand: 0, other_hand: 0 };
    assert_eq!(turns(&rules, state).len(), 3 * 17);
    assert_eq!(turns(&Rules { fly: false, ..rules.clone() }, state).len(), 6);
    let four = State { own: state.other, other: state.own, ..state };
    // a4-a1, d7-g7, d7-d6, b4-b6, b4-b2, b4-c4, f6-d6, f6-f4
    assert_eq!(turns(&rules, four).len(), 8);
}

#[test]
fn lasker_moves_while_stones_are_in_hand() {
    let rules = rules("lasker");
    let state = State { own: set(&rules, "a7"), other: set(&rules, "g7"), own_hand: 9, other_hand: 9 };
    assert_eq!(turns(&rules, state).len(), 22 + 2);
    assert_eq!(turns(&rules, State { own_hand: 2, ..state }).len(), 22 + 22);
}

#[test]
fn sides_without_a_move_or_with_two_stones_have_lost() {
    let rules = rules("nine");
    let no_move = State {
        own: set(&rules, "a7 a1 g7 g1"),
        other: set(&rules, "a4 d7 g4 d1"),
        own_hand: 0,
        other_hand: 0,
    };
    assert_eq!(rules.outcome(no_move), Some(Value::Loss));
    assert_eq!(rules.outcome(State { own: set(&rules, "a7 a1"), ..no_move }), Some(Value::Loss));
    assert_eq!(rules.outcome(State { other: set(&rules, "a4 d7"), ..no_move }), Some(Value::Win));
    assert_eq!(rules.outcome(State { own_hand: 1, ..no_move }), None);
    let full = State { own: 0xfff, other: 0xfff_000, own_hand: 0, other_hand: 0 };
    assert_eq!(rules.outcome(full), Some(Value::Loss));
    let drawn = Rules { full_board: FullBoard::Draw, ..rules };
    assert_eq!(drawn.outcome(full), Some(Value::Draw));
    assert_eq!(drawn.outcome(no_move), Some(Value::Loss));
}

#[test]
fn moves_that_close_mills_are_those_among_all_turns() {
    for (rules, state) in samples() {
        let mut expected = Vec::new();
        let mut others = false;
        rules.turns(state, |turn| {
            let closes = rules.board.closes_mill(state.own & !turn.from, turn.to.trailing_zeros() as usize);
            match (turn.from != 0, closes) {
                (true, true) => expected.push(turn),
                (true, false) => others = true,
                (false, _) => (),
            }
        });
        let mut found = Vec::new();
        let rest = rules.try_mill_moves(state, |turn| {
            found.push(turn);
            ControlFlow::<()>::Continue(())
        });
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{state:?}");
        assert_eq!(rest, ControlFlow::Continue(others), "{state:?}");
    }
}

/// Checks that the turns that move a stone without a capture and the origins of such turns are the same relation.
#[test]
fn quiet_origins_turn_quiet_turns_around() {
    use std::collections::BTreeSet;
    for (rules, state) in samples() {
        let quiet = |state: State| {
            let mut next = BTreeSet::new();
            rules.turns(state, |t| next.extend((t.from != 0 && t.taken == 0).then(|| state.after(t))));
            next
        };
        for next in quiet(state) {
            let mut origins = Vec::new();
            rules.quiet_origins(next, |origin| origins.push(origin));
            assert!(origins.contains(&state), "{state:?} {next:?}");
        }
        let mut origins = Vec::new();
        rules.quiet_origins(state, |origin| origins.push(origin));
        assert!(origins.iter().all(|&origin| quiet(origin).contains(&state)), "{state:?}");
    }
}

/// Returns random positions of several games and sectors.
fn samples() -> Vec<(Rules, State)> {
    let nine = rules("nine");
    let protected = Rules { capture: Capture::Protected, ..nine.clone() };
    let cases: [(Rules, [u8; 4]); 7] = [
        (nine.clone(), [4, 3, 0, 0]),
        (nine.clone(), [3, 4, 0, 0]),
        (nine, [9, 9, 0, 0]),
        (protected, [3, 3, 0, 0]),
        (rules("lasker"), [2, 4, 1, 3]),
        (rules("seven"), [4, 5, 0, 0]),
        (rules("morabaraba"), [2, 3, 1, 0]),
    ];
    let mut seed = 7u64;
    let mut samples = Vec::new();
    for (rules, [own, other, own_hand, other_hand]) in cases {
        for _ in 0..1000 {
            let (mut mine, mut theirs) = (0u32, 0u32);
            let too_few = |set: u32, stones: u8| set.count_ones() < u32::from(stones);
            while too_few(mine, own) || too_few(theirs, other) {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let point = (seed >> 33) % rules.board.num_points() as u64;
                let free = 1u32 << point & !(mine | theirs);
                if too_few(mine, own) { mine |= free } else { theirs |= free }
            }
            samples.push((rules.clone(), State { own: mine, other: theirs, own_hand, other_hand }));
        }
    }
    samples
}

#[test]
fn no_mill_is_closed_against_an_empty_board() {
    let rules = rules("nine");
    let state = State { own: set(&rules, "a7 d7"), other: 0, own_hand: 7, other_hand: 9 };
    assert_eq!(turns(&rules, state).len(), 21);
    assert_eq!(turns(&Rules { capture: Capture::Protected, ..rules }, state).len(), 22);
}
