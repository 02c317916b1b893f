//! Compares the counts of positions and orbits, and the longest lines, with an enumeration that uses the oracle's values.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Plan, boards, oracle, solved};
use nerode_dfa::Store;
use nerode_games::{Game, PositionClass, Side, Value};
use nerode_report::census::{Counted, Longest, Row, census};
use nerode_solver::error::Error;
use nerode_solver::solve::resources::Resources;

/// Counts the members of a class and their orbits.
fn counted(game: &dyn Game, members: &BTreeSet<Vec<u8>>) -> Counted {
    let mut maps = game.relabellings();
    maps.retain(|map| game.keeps_admissible(map));
    let mut left = members.clone();
    let mut orbits = 0;
    while let Some(board) = left.pop_first() {
        let mut waiting = vec![board];
        while let Some(board) = waiting.pop() {
            let images = maps.iter().map(|map| map.apply(&board));
            waiting.extend(images.filter(|image| left.remove(image)));
        }
        orbits += 1;
    }
    Counted { positions: members.len().to_string(), orbits: orbits.to_string() }
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

#[test]
fn runs_that_do_not_know_all_are_refused() {
    for plan in [Plan::retrograde(1), Plan::meet(Some(0), None)] {
        let (_dir, solution) = solved("tictactoe:3x3", None, plan);
        let error = census(&solution, &Resources::default()).unwrap_err();
        assert!(matches!(error, Error::WrongRun { .. }), "{error}");
    }
}
