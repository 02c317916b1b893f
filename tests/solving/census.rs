//! Compares the counts of positions and orbits, and the longest lines, with an enumeration that uses the oracle's values.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Plan, boards, game, oracle, solved};
use nerode_dfa::Store;
use nerode_games::explicit::apply;
use nerode_games::{Game, PositionClass, Relabelling, Side, Value};
use nerode_report::census::{Counted, Longest, Row, census, reached_census};
use nerode_solver::error::Error;
use nerode_solver::solve::resources::{Backend, Resources};

/// Counts the members of a class and their orbits.
fn counted(game: &dyn Game, members: &BTreeSet<Vec<u8>>) -> Counted {
    let mut maps = game.relabellings();
    maps.retain(|map| game.keeps_admissible(map));
    orbits(&maps, members.clone())
}

/// Counts positions and their orbits under the group that `maps` generate.
fn orbits(maps: &[Relabelling], members: BTreeSet<Vec<u8>>) -> Counted {
    let positions = members.len().to_string();
    let mut left = members;
    let mut orbits = 0;
    while let Some(board) = left.pop_first() {
        let mut waiting = vec![board];
        while let Some(board) = waiting.pop() {
            let images = maps.iter().map(|map| map.apply(&board));
            waiting.extend(images.filter(|image| left.remove(image)));
        }
        orbits += 1;
    }
    Counted { positions, orbits: orbits.to_string() }
}

/// Computes the rows of a game by enumerating its positions.
fn enumerated(game: &dyn Game) -> Vec<Row> {
    let table = oracle(game);
    let mut classes = game.classes();
    if classes.is_empty() {
        classes.push(PositionClass { name: "all".into(), products: vec![Vec::new()] });
    }
    let mut rows = Vec::new();
    for PositionClass { name, products } in classes {
        for side in Side::BOTH {
            let mut store = Store::unbounded(game.shape().clone());
            let admissible = game.admissible(&mut store, side).unwrap();
            let mut found: BTreeMap<(Value, Option<u32>), BTreeSet<Vec<u8>>> = BTreeMap::new();
            for board in boards(game) {
                let in_class = products
                    .iter()
                    .any(|product| product.iter().all(|(cell, contents)| contents.contains(&board[*cell])));
                let counts = admissible.as_ref().is_none_or(|set| store.contains(set, &game.word_of(&board)));
                if in_class && counts {
                    let outcome = table.lookup(&board, side).unwrap();
                    found.entry((outcome.value().unwrap(), outcome.depth())).or_default().insert(board);
                }
            }
            let of = |value| {
                let members =
                    found.iter().filter(|entry| entry.0.0 == value).flat_map(|entry| entry.1.clone());
                counted(game, &members.collect())
            };
            let longest = |value| {
                let deepest =
                    found.iter().filter(|entry| entry.0.0 == value).max_by_key(|entry| entry.0.1)?;
                Some(Longest { dtw: deepest.0.1?, count: counted(game, deepest.1) })
            };
            rows.push(Row {
                class: name.clone(),
                side: side.to_string(),
                win: of(Value::Win),
                draw: of(Value::Draw),
                loss: of(Value::Loss),
                unknown: None,
                longest_win: longest(Value::Win),
                longest_loss: longest(Value::Loss),
            });
        }
    }
    rows
}

#[test]
fn counts_are_those_of_enumeration() {
    for (spec, order, symmetries, counted) in [
        ("nim:3x3", None, 6, "all"),
        ("tictactoe:3x2,k=2", Some("columns"), 4, "admissible"),
        ("tictactoe:3x3", None, 8, "admissible"),
        ("breakthrough:2x4", None, 2, "admissible"),
        ("chess:KRvK,board=4x4", None, 8, "admissible"),
        ("chess:KRvK,board=4x5", Some("kings-first"), 4, "admissible"),
        ("chess:KPvK,board=4x4", None, 2, "admissible"),
        // Symmetries that do not preserve admissibility are not counted.
        ("othello:3x3", None, 2, "admissible"),
        ("amazons:2x2,start=w1/bx", None, 2, "admissible"),
    ] {
        let (_dir, solution) = solved(spec, order, Plan::RETROGRADE);
        let census = census(&solution, &Resources::default()).unwrap();
        assert_eq!((census.symmetries, census.counted.as_str()), (symmetries, counted), "{spec}");
        assert_eq!(census.rows, enumerated(solution.game.as_ref()), "{spec}");
    }
}

/// Returns the boards that play reaches, for each side, by plain rules.
fn reached(game: &dyn Game) -> [BTreeSet<Vec<u8>>; 2] {
    let mut reached = [BTreeSet::new(), BTreeSet::new()];
    let mut waiting = vec![game.start()];
    while let Some((board, side)) = waiting.pop() {
        if !reached[side.index()].insert(board.clone()) {
            continue;
        }
        let mut moves = Vec::new();
        game.legal_moves(&board, side, &mut moves);
        waiting.extend(moves.iter().map(|mv| (apply(&board, mv), side.other())));
    }
    reached
}

/// Runs of both methods count the same reached positions and orbits as an enumeration.
#[test]
#[ignore = "slow: .ci/slow"]
fn counts_of_reached_positions_are_those_of_enumeration() {
    for (spec, plans, symmetries) in [
        ("tictactoe:3x3", &[Plan::RETROGRADE, Plan::meet(Some(0), None), Plan::meet(Some(3), None)][..], 8),
        ("connect:4x3,row=3", &[Plan::RETROGRADE, Plan::meet(Some(0), None)], 2),
        // Passes let a position occur at several plies. No symmetry keeps the start.
        ("othello:4x3", &[Plan::RETROGRADE, Plan::meet(Some(0), None)], 1),
        ("amazons:3x3,start=1b1/3/1w1", &[Plan::RETROGRADE, Plan::meet(Some(2), None)], 2),
        // Positions recur.
        ("chess:KRvK,board=4x4", &[Plan::RETROGRADE], 1),
    ] {
        let game = game(spec);
        let (table, reached) = (oracle(game.as_ref()), reached(game.as_ref()));
        let start = game.start().0;
        let mut maps = game.relabellings();
        maps.retain(|map| map.apply(&start) == start);
        for plan in plans {
            let (_dir, solution) = solved(spec, None, *plan);
            let in_passes = Resources { backend: Backend::Passes, ..Resources::default() };
            let census = reached_census(&solution, &Resources::default()).unwrap();
            assert_eq!(census.rows, reached_census(&solution, &in_passes).unwrap().rows, "{spec} {plan:?}");
            assert_eq!(census.counted, "reached");
            assert_eq!(census.symmetries, symmetries, "{spec}");
            for (side, row) in Side::BOTH.into_iter().zip(&census.rows) {
                let of = |value| {
                    let is_one = |board: &&Vec<u8>| table.lookup(board, side).unwrap().value() == Some(value);
                    orbits(&maps, reached[side.index()].iter().filter(is_one).cloned().collect())
                };
                let expected = [of(Value::Win), of(Value::Draw), of(Value::Loss)];
                assert_eq!([&row.win, &row.draw, &row.loss], expected.each_ref(), "{spec} {plan:?} {side}");
                assert_eq!(row.unknown, None);
            }
        }
    }
}

/// A run that was limited in plies says how many reached positions it leaves open.
#[test]
fn reached_positions_of_unknown_value_are_counted() {
    let (_dir, whole) = solved("tictactoe:3x3", None, Plan::meet(Some(0), None));
    let (_dir, part) = solved("tictactoe:3x3", None, Plan::meet(Some(1), Some(6)));
    let [whole, part] = [whole, part].map(|run| reached_census(&run, &Resources::default()).unwrap());
    let sum = |rows: &[Row], of: fn(&Row) -> Option<&Counted>| -> u64 {
        rows.iter().filter_map(of).map(|counted| counted.positions.parse::<u64>().unwrap()).sum()
    };
    let values: [fn(&Row) -> Option<&Counted>; 3] =
        [|row| Some(&row.win), |row| Some(&row.draw), |row| Some(&row.loss)];
    let decided = |census: &nerode_report::census::Census| -> u64 {
        values.iter().map(|&value| sum(&census.rows, value)).sum()
    };
    let open = sum(&part.rows, |row| row.unknown.as_ref());
    assert!(open > 0 && decided(&part) > 0);
    assert!(decided(&part) + open < decided(&whole));
}

#[test]
fn runs_that_do_not_know_all_are_refused() {
    for plan in [Plan::retrograde(1), Plan::meet(Some(0), None)] {
        let (_dir, solution) = solved("tictactoe:3x3", None, plan);
        let error = census(&solution, &Resources::default()).unwrap_err();
        assert!(matches!(error, Error::WrongRun { .. }), "{error}");
    }
}
