//! Differences between solutions: the automata of all outcomes with look-ups of every board, and the comparison of two solutions
//! with a comparison by look-ups.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::common::{Plan, boards, game, scratch, solve_in, stopped_after};
use nerode::{Position, open_solution};
use nerode_games::Side;
use nerode_report::differences::{Said, Step, differences};
use nerode_solver::archive::compact::write_maps;
use nerode_solver::archive::run_dir::{Kind, Request};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::keyed::write_keyed;
use nerode_solver::outcome::Outcome;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::reached::at_most;
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::Solution;

/// Solves `spec` in every way that leaves other sets behind, and returns the solutions by name.
fn solutions(spec: &str, at: &Path) -> Vec<(String, Solution)> {
    let mut names = vec!["whole", "short", "meet", "part", "last", "values", "plain", "stopped"];
    let retrograde = |name: &str, keep, chains| {
        let game = game(spec);
        let mut request = Request::new(game.as_ref(), Method::Retrograde, None, None);
        (request.keep, request.chains) = (keep, chains);
        solve(game, request, &at.join(name), Existing::Refuse, &Resources::default(), &mut |_| ()).unwrap();
    };
    for (name, plan) in [
        ("whole", Plan::RETROGRADE),
        ("short", Plan::retrograde(2)),
        ("meet", Plan::meet(Some(0), None)),
        ("part", Plan::meet(Some(1), Some(3))),
    ] {
        solve_in(&at.join(name), &game(spec), plan).unwrap();
    }
    retrograde("last", Keep::Last, Chains::Both);
    let run = StoredRun::open_with(&at.join("whole"), nerode::registry()).unwrap();
    write_maps(&run, &at.join("values"), true, false, &Resources::default(), &mut |_, _| ()).unwrap();
    write_maps(&run, &at.join("plain"), false, false, &Resources::default(), &mut |_, _| ()).unwrap();
    assert!(stopped_after(&at.join("stopped"), spec, Chains::Both, 3));
    let (same, resources) = (game(spec), Resources::default());
    let table = at_most(same.as_ref(), 1 << 20, &resources).unwrap().unwrap();
    write_keyed(&at.join("keyed"), same.as_ref(), table.into_rows(), false, &resources, &mut |_, _| ())
        .unwrap();
    names.push("keyed");
    if game(spec).side_swap().is_some() {
        retrograde("one", Keep::All, Chains::One);
        names.push("one");
    }
    let open = |name: &str| {
        let solution = open_solution(at.join(name)).unwrap();
        (name.to_string(), solution.so_far().unwrap())
    };
    names.into_iter().map(open).collect()
}

/// Returns what a solution says about every position, without bounds of depths, by look-ups.
fn looked_up(solution: &Solution) -> BTreeMap<(Vec<u8>, Side), Option<Outcome>> {
    let mut said = BTreeMap::new();
    for board in boards(solution.game()) {
        for side in Side::BOTH {
            let found = solution.look_up(&Position { board: board.clone(), side }).unwrap().outcome();
            let exact = found.map(|found| found.with_depth(nerode_solver::outcome::Depth::of(found.depth())));
            said.insert((board.clone(), side), exact);
        }
    }
    said
}

/// Returns the positions that a run from the start reaches, or `None` for a solution that contains all that it answers for.
fn reached(solution: &Solution) -> Option<HashSet<(Vec<u8>, Side)>> {
    let run = solution.run().ok().filter(|run| run.method() == Method::Meet)?;
    let of_ply = |ply| {
        let side = run.side_at(ply);
        let words: Vec<_> = run.read(Kind::R, side, ply).unwrap().words().collect();
        words.into_iter().map(move |word| (run.game.board_of(&word), side))
    };
    Some((0..=run.run.progress().forward.unwrap()).flat_map(of_ply).collect())
}

/// Rejects a comparison board by board, which takes a time proportional to their number.
fn no_boards(step: Step) {
    assert!(!matches!(step, Step::Boards(..)), "{step:?}");
}

fn said(outcome: Option<Outcome>) -> Said {
    match outcome {
        None => Said::NotCovered,
        Some(outcome) => outcome.value().map_or(Said::Unknown, Said::Known),
    }
}

#[test]
fn automata_and_comparisons_are_what_look_ups_say() {
    let mut kinds = 0;
    for spec in ["breakthrough:2x4", "tictactoe:3x3,k=3", "nim:2x4"] {
        let dir = scratch();
        let all = solutions(spec, dir.path());
        let truth: Vec<_> = all.iter().map(|(_, solution)| looked_up(solution)).collect();
        let inside: Vec<_> = all.iter().map(|(_, solution)| reached(solution)).collect();
        for ((name, solution), truth) in all.iter().zip(&truth) {
            for side in Side::BOTH {
                let mut word = Vec::new();
                let map = solution.outcome_map(side, &Resources::default()).unwrap().unwrap();
                let one = map.in_order_of(solution.game(), &Resources::default()).unwrap();
                for board in boards(solution.game()) {
                    let found = map.get(&board, &mut word);
                    let by_one = map.outcome(one.get(&solution.game().word_of(&board)));
                    let key = (board, side);
                    assert_eq!([found, by_one], [truth[&key]; 2], "{spec} {name} {key:?}");
                }
            }
        }
        for ((one, first), in_first) in all.iter().zip(&truth).zip(&inside) {
            for ((other, second), in_second) in all.iter().zip(&truth).zip(&inside) {
                let what = format!("{spec} {} {}", one.0, other.0);
                let found =
                    differences([&one.1, &other.1], 2, &Resources::default(), &mut no_boards).unwrap();
                let mut counts: BTreeMap<(Said, Said), Vec<_>> = BTreeMap::new();
                let (mut compared, mut other_depth) = (0, 0);
                for ((position, x), y) in first.iter().zip(second.values()) {
                    let contained = |inside: &Option<HashSet<_>>, said: &Option<Outcome>| {
                        said.filter(|_| inside.as_ref().is_none_or(|inside| inside.contains(position)))
                    };
                    let (x, y) = (contained(in_first, x), contained(in_second, y));
                    if x.is_none() && y.is_none() {
                        continue;
                    }
                    let depths = [x, y].map(|outcome| outcome.and_then(Outcome::depth));
                    compared += 1;
                    if said(x) != said(y) {
                        counts.entry((said(x), said(y))).or_default().push((position.clone(), depths));
                    } else if let [Some(x), Some(y)] = depths {
                        other_depth += u128::from(x != y);
                    }
                }
                assert_eq!((found.compared, found.other_depth.positions), (compared, other_depth), "{what}");
                for (from, to) in Said::ALL.iter().flat_map(|from| Said::ALL.map(|to| (*from, to))) {
                    let (pair, expected) = (found.pair(from, to), counts.get(&(from, to)));
                    assert_eq!(pair.positions, expected.map_or(0, |all| all.len() as u128), "{what}");
                    kinds += usize::from(pair.positions > 0);
                    // The examples are distinct, and as many as possible; each is one of the differences.
                    assert_eq!(pair.examples.len() as u128, pair.positions.min(2), "{what}");
                    for example in &pair.examples {
                        let Position { board, side } = &example.position;
                        let key = ((board.clone(), *side), example.depths);
                        assert!(expected.unwrap().contains(&key), "{what} {key:?}");
                    }
                    let mut positions: Vec<_> = pair.examples.iter().map(|found| &found.position).collect();
                    positions.dedup();
                    assert_eq!(positions.len(), pair.examples.len(), "{what}");
                }
            }
        }
    }
    assert!(kinds > 50, "{kinds}");
}

/// Runs in other letter orders, and of one chain, are compared by their sets, which finds the same as in the same order.
#[test]
fn another_letter_order_changes_nothing() {
    let dir = scratch();
    let open = |spec: &str, order: Option<&str>, chains, name: &str| {
        let game = nerode::registry().open_with_order(spec, order).unwrap();
        let mut request = Request::new(game.as_ref(), Method::Retrograde, None, None);
        request.chains = chains;
        let at = dir.path().join(name);
        solve(game, request, &at, Existing::Refuse, &Resources::default(), &mut |_| ()).unwrap();
        open_solution(at).unwrap()
    };
    let compare = |first: &Solution, second: &Solution| {
        let resources = Resources { threads: 2, ..Resources::default() };
        let found = differences([first, second], 2, &resources, &mut no_boards).unwrap();
        assert!(found.compared > 0);
        found
    };
    for (one, other, orders) in [
        ("connect:3x3,row=2", "connect:3x3,row=3", ["rows", "diagonals"]),
        ("breakthrough:2x4", "breakthrough:2x4,misere", ["columns", "cells:3,0,7,1,6,2,5,4"]),
    ] {
        // Values are in memory already, and cannot be rearranged in so little: they are compared board by board.
        let values = |spec: &str, order, name: &str| {
            drop(open(spec, order, Chains::Both, name));
            let run = StoredRun::open_with(&dir.path().join(name), nerode::registry()).unwrap();
            let at = dir.path().join(format!("{name} values"));
            write_maps(&run, &at, true, false, &Resources::default(), &mut |_, _| ()).unwrap();
            open_solution(at).unwrap()
        };
        let little = Resources { memory: 64, ..Resources::default() };
        let by_values =
            [values(one, None, &format!("{one} a")), values(other, Some(orders[0]), &format!("{one} b"))];
        let mut boards = 0;
        let mut count = |step| boards += usize::from(matches!(step, Step::Boards(..)));
        let by_boards = differences([&by_values[0], &by_values[1]], 0, &little, &mut count).unwrap();
        assert!(boards > 0);
        let first = open(one, None, Chains::Both, &format!("{one} first"));
        let second = open(other, None, Chains::Both, &format!("{one} second"));
        let expected = compare(&first, &second);
        assert_eq!(by_boards.compared, expected.compared);
        assert_eq!(by_boards.other_depth.positions, expected.other_depth.positions);
        for (from, to) in Said::ALL.iter().flat_map(|from| Said::ALL.map(|to| (*from, to))) {
            assert_eq!(by_boards.pair(from, to).positions, expected.pair(from, to).positions, "{one}");
        }
        assert!(
            Said::ALL
                .iter()
                .any(|&from| Said::ALL.iter().any(|&to| from != to && expected.pair(from, to).positions > 0))
        );
        for order in orders {
            for chains in [Chains::Both, Chains::One] {
                if chains == Chains::One && first.game().side_swap().is_none() {
                    continue;
                }
                let turned = open(other, Some(order), chains, &format!("{one} {order} {chains:?}"));
                assert_ne!(first.game().cell_of_layer(), turned.game().cell_of_layer());
                assert_eq!(compare(&first, &turned), expected, "{one} {order} {chains:?}");
                let same = compare(&turned, &second);
                for from in Said::ALL {
                    assert!(Said::ALL.iter().all(|&to| from == to || same.pair(from, to).positions == 0));
                }
                assert_eq!((same.compared, same.other_depth.positions), (expected.compared, 0));
            }
        }
    }
}
