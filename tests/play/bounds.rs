//! Ranges of values, compared with the full table and a naive search, for solutions with missing sectors and for
//! unfinished runs.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::common::{scratch, stopped_after};
use crate::withheld::{GO_ON, MANY_DRAWS, PLAIN, Withheld, chance, holds, search, search_within, state_of};
use nerode::{Error, Options, Position, Value};
use nerode_morris::tables::Sector;
use nerode_play::bounds::{Goal, Means, Search};
use nerode_solver::outcome::ValueRange;
use nerode_solver::solve::method::Chains;

/// All positions of three men's morris, with different missing sectors.
#[test]
fn no_range_contradicts_the_full_table() {
    let (mut proved, mut narrowed, mut all) = (0, 0, 0);
    for seed in 0..4 {
        let withheld = Withheld::new("morris:three", "0-0-3-3", |at, _| chance(seed, at));
        for (position, value) in withheld.positions(1) {
            let found = search(&withheld.part, &position, 2, Means::ALL);
            assert!(holds(found.range, value), "{position:?}: {} and {value}", found.range);
            assert!(found.plies <= 2);
            all += 1;
            narrowed += usize::from(found.range != ValueRange::UNKNOWN);
            proved += usize::from(found.range.value().is_some());
        }
    }
    println!("{all} positions of sectors withheld, {proved} proved, {narrowed} narrowed by two plies");
    assert!(all > 1000 && proved > all / 10 && narrowed >= proved, "{all} {proved} {narrowed}");
}

/// A search is often cut off at a draw. The bound that the table then stores must not be used as the value when the
/// position occurs again.
#[test]
fn a_cut_at_a_draw_is_not_taken_for_the_value() {
    let mut draws = 0;
    // All sectors with stones in hand are missing, so that several orders of placement lead to the same position.
    let with_hands = |_, sector: Sector| !sector.to_string().ends_with("-0-0");
    for root in ["2-2-2-2", "3-3-1-1"] {
        let withheld = Withheld::new("morris:six", root, with_hands);
        for (position, value) in withheld.positions(97) {
            let found = search(&withheld.part, &position, 4, Means::ALL);
            assert!(holds(found.range, value), "{position:?}: {} and {value}", found.range);
            for (reply, range) in withheld.part.query(&position).unwrap().moves().iter().zip(&found.moves) {
                let after = withheld.full.get(state_of(&withheld, reply.position())).unwrap().0;
                assert!(holds(*range, after.negated()), "{position:?} {}: {range}", reply.text());
            }
            draws += usize::from(found.range == ValueRange::exact(Value::Draw));
        }
    }
    println!("{draws} draws proved");
    assert!(draws > 50, "{draws}");
}

/// A search for a draw answers whether a full search of the same depth finds at least a draw, and visits fewer positions.
#[test]
fn a_search_for_a_draw_finds_every_draw() {
    let (mut draws, mut others, mut full_nodes, mut nodes) = (0, 0, 0, 0);
    for (spec, root, step) in
        [("morris:three", "0-0-3-3", 3), ("morris:six", "3-3-1-1", 997), (MANY_DRAWS, "4-4-0-0", 499)]
    {
        let withheld = Withheld::new(spec, root, |at, _| chance(7, at));
        for (position, value) in withheld.positions(step) {
            let full = search(&withheld.part, &position, 3, Means::ALL);
            let goal = Goal::Draw;
            let asked = Search {
                plies: 3,
                deadline: None,
                interrupt: &GO_ON,
                memory: u64::MAX,
                means: Means::ALL,
                goal,
            };
            let answer = withheld.part.query(&position).unwrap();
            let found = asked.run(&withheld.part, &answer, &mut |_| ()).unwrap();
            assert!(holds(found.range, value), "{position:?}: {} and {value}", found.range);
            assert_eq!(found.range.least() >= Value::Draw, full.range.least() >= Value::Draw, "{position:?}");
            assert_eq!(
                found.range.value() == Some(Value::Loss),
                full.range.value() == Some(Value::Loss),
                "{position:?}"
            );
            draws += usize::from(found.range.least() >= Value::Draw);
            others += usize::from(found.range.least() < Value::Draw);
            full_nodes += full.nodes;
            nodes += found.nodes;
        }
    }
    println!("{draws} at least a draw, {others} not, {nodes} positions visited instead of {full_nodes}");
    assert!(draws > 100 && others > 100 && nodes < full_nodes, "{draws} {others} {nodes} {full_nodes}");
}

/// All optimisations together, each of them alone, and none of them give the result of a search of all moves. For
/// each move, the range contains the value.
#[test]
fn a_search_finds_what_a_search_of_all_moves_finds() {
    let one = |table, windows, order| Means { table, windows, order };
    let mut between = 0;
    let ways = [Means::ALL, PLAIN, one(true, false, false), one(false, true, false), one(false, false, true)];
    for (spec, root, plies, step) in [
        ("morris:three", "0-0-3-3", 3, 5),
        ("morris:six", "4-4-0-0", 3, 977),
        ("morris:six", "3-3-1-1", 2, 1999),
        (MANY_DRAWS, "4-4-0-0", 3, 499),
    ] {
        let withheld = Withheld::new(spec, root, |at, _| chance(7, at));
        for (position, value) in withheld.positions(step) {
            let expected = withheld.naive(&position, plies);
            assert!(holds(expected, value));
            between += usize::from(expected.value().is_none() && expected != ValueRange::UNKNOWN);
            for means in ways {
                let found = search(&withheld.part, &position, plies, means);
                if means.table || found.range.value().is_some() {
                    // The table may contain a deeper result for a position, and deepening stops once the value is
                    // proved.
                    assert_eq!(found.range.both(expected), Some(found.range), "{means:?} {position:?}");
                } else {
                    assert_eq!(found.range, expected, "{means:?} {position:?}");
                }
                assert!(holds(found.range, value), "{means:?} {position:?}");
                for (reply, range) in withheld.part.query(&position).unwrap().moves().iter().zip(&found.moves)
                {
                    let after = withheld.full.get(state_of(&withheld, reply.position())).unwrap().0;
                    assert!(holds(*range, after.negated()), "{means:?} {position:?} {}", reply.text());
                }
            }
        }
    }
    println!("{between} ranges of two values");
    assert!(between > 10, "{between}");
}

/// A range with two values proves nothing, because the greater one may be the right one.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_range_of_two_values_is_no_proof() {
    let withheld = Withheld::new(MANY_DRAWS, "4-4-1-1", |at, _| chance(9, at));
    let mut greater = 0;
    for (position, value) in withheld.positions(61) {
        let found = search(&withheld.part, &position, 1, Means::ALL).range;
        assert!(holds(found, value), "{position:?}: {found} and {value}");
        assert_eq!(found.both(withheld.naive(&position, 1)), Some(found), "{position:?}");
        greater += usize::from(found != ValueRange::UNKNOWN && found.least() < value);
    }
    println!("{greater} ranges of two values, of which the greater is right");
    assert!(greater > 10, "{greater}");
}

/// The line begins with a move of the claimed range, and ends in a position that the solution covers.
#[test]
fn the_line_leads_to_what_is_known() {
    let withheld = Withheld::new("morris:three", "0-0-3-3", |at, _| chance(3, at));
    let mut seen = 0;
    for (position, _) in withheld.positions(3) {
        let found = search(&withheld.part, &position, 3, Means::ALL);
        let answer = withheld.part.query(&position).unwrap();
        let Some(first) = found.line.first() else {
            assert!(found.range == ValueRange::UNKNOWN || answer.moves().is_empty(), "{position:?}");
            continue;
        };
        let at = answer.moves().iter().position(|reply| reply == first).unwrap();
        assert_eq!(found.moves[at].least(), found.range.least(), "{position:?}");
        if let Some(value) = found.range.value() {
            let last = found.line.last().unwrap().position();
            let mut end = withheld.full.get(state_of(&withheld, last)).unwrap().0;
            // Converted to the point of view of the side at the root.
            end = if found.line.len() % 2 == 1 { end.negated() } else { end };
            seen += usize::from(end == value);
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn time_and_interruption_stop_a_search() {
    let withheld = Withheld::new("morris:six", "4-4-0-0", |at, _| at > 0);
    let is_wide = |position: &Position| search(&withheld.part, position, 4, Means::ALL).nodes > 300;
    let position = withheld.positions(997).into_iter().map(|(position, _)| position).find(is_wide).unwrap();
    let answer = withheld.part.query(&position).unwrap();
    let (past, stop) = (Some(Instant::now()), AtomicBool::new(true));
    let ended = Search {
        plies: 9,
        deadline: past,
        interrupt: &GO_ON,
        memory: u64::MAX,
        means: Means::ALL,
        goal: Goal::Value,
    };
    let ended = ended.run(&withheld.part, &answer, &mut |_| ()).unwrap();
    assert!(ended.plies < 9 && ended.nodes <= 256, "{ended:?}");
    let stopped = Search {
        plies: 9,
        deadline: None,
        interrupt: &stop,
        memory: u64::MAX,
        means: Means::ALL,
        goal: Goal::Value,
    };
    assert!(matches!(stopped.run(&withheld.part, &answer, &mut |_| ()), Err(Error::Interrupted)));
}

/// A full table stores no further entries: more positions are visited, but the results are correct.
#[test]
fn a_small_table_costs_positions_and_no_answers() {
    let withheld = Withheld::new("morris:six", "4-4-0-0", |at, _| at > 0);
    let positions = withheld.positions(1999);
    let of = |memory, means| {
        let found = positions.iter().map(|(at, value)| {
            let found = search_within(&withheld.part, at, 4, means, memory);
            assert!(holds(found.range, *value), "{memory} {at:?}");
            found.nodes
        });
        found.sum::<u64>()
    };
    let without = of(u64::MAX, Means { table: false, ..Means::ALL });
    let (none, some, all) = (of(0, Means::ALL), of(20_000, Means::ALL), of(u64::MAX, Means::ALL));
    assert_eq!(none, without);
    assert!(all < some && some < none, "{all} {some} {none}");
}

/// For positions that an unfinished run has not decided, a search into its sets agrees with the complete solution.
#[test]
fn an_unfinished_run_is_searched_into() {
    let spec = "breakthrough:3x4";
    let whole = nerode::open(spec).unwrap().solve(Options::default()).unwrap();
    let dir = scratch();
    assert!(stopped_after(dir.path(), spec, Chains::Both, 2));
    let part = nerode::open_solution(dir.path()).unwrap().so_far().unwrap();
    let (mut open, mut proved) = (HashMap::new(), [0; 4]);
    for position in whole.sample(2000, 5).unwrap() {
        if part.look_up(&position).unwrap().value().is_none() {
            open.insert(position.clone(), whole.query(&position).unwrap().value().unwrap());
        }
    }
    assert!(open.len() > 20, "{}", open.len());
    for (position, value) in &open {
        for plies in 1..4 {
            let found = search(&part, position, plies, Means::ALL);
            assert!(holds(found.range, *value), "{position:?}");
            proved[plies as usize] += usize::from(found.range.value().is_some());
        }
    }
    println!("{} open, proved by plies {proved:?}", open.len());
    // One ply of search decides the positions that the next ply of the run would decide.
    assert!(0 < proved[1] && proved[1] <= proved[2] && proved[2] <= proved[3], "{proved:?}");
}

/// Measures the savings of each optimisation and the cost of little memory, on twenty positions, with every other
/// sector withheld.
#[test]
#[ignore = "a measurement: cargo test --release --test play -- --ignored --nocapture twenty"]
fn twenty_positions_are_measured() {
    let withheld = Withheld::new("morris:six", "5-5-0-0", |at, _| at % 2 == 1);
    let all = withheld.positions(1);
    let twenty: Vec<&Position> = all.iter().step_by(all.len() / 20).take(20).map(|(at, _)| at).collect();
    let without = [
        ("all", Means::ALL),
        ("no table", Means { table: false, ..Means::ALL }),
        ("no windows", Means { windows: false, ..Means::ALL }),
        ("no order", Means { order: false, ..Means::ALL }),
        ("none", PLAIN),
    ];
    let least = withheld
        .full
        .dir
        .sectors()
        .unwrap()
        .iter()
        .map(|file| withheld.full.table(file.sector).unwrap().bytes())
        .max();
    for (name, means) in without {
        let began = Instant::now();
        let (mut nodes, mut looked_up, mut proved) = (0, 0, 0);
        for position in &twenty {
            let found = search(&withheld.part, position, 4, means);
            nodes += found.nodes;
            looked_up += found.looked_up;
            proved += usize::from(found.range.value().is_some());
        }
        println!(
            "{name:>10}: {nodes} positions, {looked_up} look-ups, {proved} proved, {:?}",
            began.elapsed()
        );
    }
    for (name, memory) in [("much", u64::MAX), ("two", least.unwrap() * 2), ("one", least.unwrap())] {
        for order in [true, false] {
            let part = nerode::open_solution(withheld.dirs[1].path()).unwrap().with_memory(memory);
            let means = Means { order, ..Means::ALL };
            let loads: u64 = twenty.iter().map(|at| search(&part, at, 3, means).loads).sum();
            println!("memory for {name}, order {order}: {loads} sectors read");
        }
    }
}

/// Measures the fraction of positions that a search proves with half of the sectors withheld.
#[test]
#[ignore = "a measurement: cargo test --release --test play -- --ignored --nocapture half"]
fn half_of_the_sectors_withheld() {
    for seed in 0..3 {
        let withheld = Withheld::new("morris:six", "0-0-4-4", |at, _| chance(seed, at));
        let positions = withheld.positions(997);
        for plies in 1..5 {
            let began = Instant::now();
            let found: Vec<_> =
                positions.iter().map(|(at, _)| search(&withheld.part, at, plies, Means::ALL).range).collect();
            assert!(positions.iter().zip(&found).all(|((_, value), range)| holds(*range, *value)));
            let proved = found.iter().filter(|range| range.value().is_some()).count();
            let open = found.iter().filter(|range| **range == ValueRange::UNKNOWN).count();
            println!(
                "seed {seed}, {} sectors withheld, {} positions, {plies} plies: {proved} proved, {open} unknown, {:?}",
                withheld.missing.len(),
                positions.len(),
                began.elapsed()
            );
        }
    }
}
