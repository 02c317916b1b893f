//! Letter orders: `nerode order` measures exactly what solving stores, the search never makes an order worse, and runs in all
//! orders have the same values.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::program::{assert_fields, ends, json, list, refused};
use crate::common::{Plan, boards, scratch, solved};
use nerode_games::Side;
use nerode_games::registry::{BUILT_IN, open, order_of_cells, orders};
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::solve::order::{Measured, Orders, Sifted};
use nerode_solver::solve::resources::Resources;
use serde_json::Value;

/// Returns the measured named orders of `spec`, and the result of sifting the best one.
fn search(spec: &str, plies: Option<u32>, budget: u32, threads: usize) -> (Vec<Measured>, Sifted) {
    let resources = Resources { threads, ..Resources::default() };
    let mut ignore = |_: &Measured| ();
    let mut search = Orders::new(&BUILT_IN, spec, plies, &resources, &mut ignore);
    let named = search.compare(&[]).unwrap();
    let sifted = search.sift(&named[0], budget).unwrap();
    (named, sifted)
}

/// Measures a single order.
fn measure(spec: &str, order: &str) -> Measured {
    let resources = Resources::default();
    Orders::new(&BUILT_IN, spec, None, &resources, &mut |_| ()).measure(order).unwrap()
}

fn rank(one: &Measured) -> (u64, u64) {
    let states = one.num_states.unwrap();
    (states.total, states.largest)
}

/// Checks the numbers of states against the last W and L sets in the manifest of a run.
fn assert_states_of_run(spec: &str, plies: Option<u32>, one: &Measured) {
    let plan = plies.map_or(Plan::RETROGRADE, Plan::retrograde);
    let (_dir, solution) = solved(spec, Some(&one.order), plan);
    let last = solution.last_ply();
    let of = |kind, side| solution.entry(kind, side, last).unwrap().num_states();
    let [win, loss] = [Kind::W, Kind::L].map(|kind| Side::BOTH.map(|side| of(kind, side)));
    let states = one.num_states.unwrap();
    let text = format!("{spec} {} {plies:?}", one.order);
    assert_eq!([states.win.p1, states.win.p2], win, "{text}");
    assert_eq!([states.loss.p1, states.loss.p2], loss, "{text}");
    assert_eq!(states.total, win.iter().chain(&loss).sum::<u64>(), "{text}");
    assert_eq!(Some(&states.largest), win.iter().chain(&loss).max(), "{text}");
    assert_eq!((states.plies, states.complete), (last, solution.is_complete()), "{text}");
}

#[test]
fn what_is_measured_is_what_solving_stores() {
    for (spec, plies) in [
        ("breakthrough:2x5", None),
        ("breakthrough:2x5", Some(3)),
        ("tictactoe:3x3", None),
        ("nim:3x4", None),
    ] {
        let (named, sifted) = search(spec, plies, 20, 1);
        let names: BTreeSet<String> = named.iter().map(|one| one.order.clone()).collect();
        assert_eq!(names, orders(spec).unwrap().into_iter().collect(), "{spec}");
        assert!(named.is_sorted_by_key(rank), "{spec}: best first");
        for one in named.iter().chain([&sifted.best]) {
            assert_states_of_run(spec, plies, one);
        }
    }
}

/// Relabelling the board by a symmetry maps every set to itself, so the relabelled order needs the same number of states.
#[test]
fn symmetric_orders_need_the_same_states() {
    for (spec, cells) in [
        ("tictactoe:3x3", vec![4, 0, 2, 1, 8, 3, 7, 5, 6]),
        ("breakthrough:3x4", vec![0, 2, 1, 7, 6, 8, 5, 3, 4, 10, 9, 11]),
    ] {
        let states = measure(spec, &order_of_cells(&cells)).num_states;
        for symmetry in open(spec).unwrap().symmetries() {
            let moved: Vec<usize> = cells.iter().map(|&cell| symmetry.image[cell]).collect();
            assert_eq!(measure(spec, &order_of_cells(&moved)).num_states, states, "{spec} {}", symmetry.name);
        }
    }
}

#[test]
fn sifting_never_ends_worse_than_it_began() {
    for spec in
        ["breakthrough:2x4", "breakthrough:3x4", "tictactoe:2x2,k=2", "tictactoe:3x2", "nim:4x2", "nim:1x5"]
    {
        let mut before = None;
        for budget in [0, 1, 7, 40, 1000] {
            let (named, sifted) = search(spec, None, budget, 1);
            let text = format!("{spec} with {budget}: {sifted:?}");
            assert_eq!(sifted.start, named[0], "{text}");
            assert!(rank(&sifted.best) <= rank(&sifted.start) && sifted.solves <= budget, "{text}");
            assert_eq!(sifted.best.num_states, measure(spec, &sifted.best.order).num_states, "{text}");
            assert!(before.is_none_or(|before| rank(&sifted.best) <= before), "{text}: worse than before");
            assert!(sifted.settled || sifted.solves == budget, "{text}: stopped too early");
            before = Some(rank(&sifted.best));
        }
    }
    let (named, sifted) = search("breakthrough:3x4", None, 1000, 1);
    assert!(sifted.settled && rank(&sifted.best) < rank(&named[0]), "{sifted:?}");
}

/// When sifting settles, it has tried all other positions of every single layer, and none of them is better.
#[test]
fn a_settled_order_has_no_better_neighbour() {
    for spec in ["breakthrough:2x4", "tictactoe:3x2"] {
        let (resources, solves) = (Resources::default(), Cell::new(0));
        let mut count = |_: &Measured| solves.set(solves.get() + 1);
        let mut search = Orders::new(&BUILT_IN, spec, None, &resources, &mut count);
        let named = search.compare(&[]).unwrap();
        let sifted = search.sift(&named[0], 10_000).unwrap();
        assert!(sifted.settled);
        let (best, before) = (&sifted.best, solves.get());
        let n = best.cells.len();
        for (from, to) in (0..n).flat_map(|from| (0..n).map(move |to| (from, to))) {
            let mut cells = best.cells.clone();
            let cell = cells.remove(from);
            cells.insert(to, cell);
            let found = search.measure(&order_of_cells(&cells)).unwrap();
            assert!(rank(&found) >= rank(best), "{spec}: {found:?} is better than {best:?}");
            assert_eq!(solves.get(), before, "{spec}: {found:?} was not tried");
        }
    }
}

#[test]
fn no_order_is_solved_twice_and_threads_change_nothing() {
    let (resources, mut seen) = (Resources::default(), Vec::new());
    let mut watch = |one: &Measured| seen.push(one.cells.clone());
    let mut orders = Orders::new(&BUILT_IN, "breakthrough:2x5", None, &resources, &mut watch);
    let named = orders.compare(&[]).unwrap();
    let first = orders.sift(&named[0], 10_000).unwrap();
    let again = orders.sift(&named[0], 0).unwrap();
    assert_eq!(
        (again.best, again.solves, again.settled),
        (first.best.clone(), 0, true),
        "a repeated search must not solve anything"
    );
    let different: BTreeSet<&Vec<usize>> = seen.iter().collect();
    assert_eq!(different.len(), seen.len());
    let named_solves = named.iter().map(|one| &one.cells).collect::<BTreeSet<_>>().len();
    assert_eq!(seen.len(), named_solves + first.solves as usize);
    assert_eq!(search("breakthrough:2x5", None, 10_000, 3), (named, first));
}

/// An order whose sets do not fit is listed after all others and without numbers of states. The other numbers do not depend on
/// the cap.
#[test]
fn an_order_that_does_not_fit_is_listed_last() {
    let spec = "breakthrough:4x4";
    let mut mixed = 0;
    for kilobytes in (300..1200).step_by(100) {
        let resources = Resources { memory: kilobytes << 10, ..Resources::default() };
        let Ok(named) = Orders::new(&BUILT_IN, spec, None, &resources, &mut |_| ()).compare(&[]) else {
            continue;
        };
        let fit = named.iter().take_while(|one| one.num_states.is_some()).count();
        assert!(named[fit..].iter().all(|one| one.num_states.is_none()), "{named:?}");
        if fit < named.len() {
            mixed += 1;
            assert_eq!(named[0].num_states, measure(spec, &named[0].order).num_states);
        }
    }
    assert!(mixed > 0, "no cap admits only some of the orders");
}

#[test]
fn failures_are_told() {
    let mut ignore = |_: &Measured| ();
    let small = Resources { memory: 1 << 10, ..Resources::default() };
    let error = Orders::new(&BUILT_IN, "nim:2x2", None, &small, &mut ignore).compare(&[]).unwrap_err();
    assert!(matches!(error, nerode_solver::error::Error::NoOrderFits { limit_bytes: 1024, .. }), "{error}");
    let stopped = Resources { interrupt: Arc::new(AtomicBool::new(true)), ..Resources::default() };
    let error = Orders::new(&BUILT_IN, "nim:2x2", None, &stopped, &mut ignore).compare(&[]).unwrap_err();
    assert_eq!(error.to_string(), "interrupted");
    let whole = Resources::default();
    let mut orders = Orders::new(&BUILT_IN, "nim:2x2", None, &whole, &mut ignore);
    assert!(orders.measure("cells:0,0").is_err() && orders.measure("rows").is_err());
    assert!(Orders::new(&BUILT_IN, "nim:0x2", None, &whole, &mut ignore).compare(&[]).is_err());
}

/// Every position has the same value and depth in the run with a shuffled order and in the run with the first order.
#[test]
fn a_run_in_any_order_holds_the_same_values() {
    for (spec, order) in [
        ("breakthrough:2x4", "cells:7,2,5,0,3,6,1,4"),
        ("tictactoe:3x2", "cells:5,0,4,2,1,3"),
        ("nim:3x4", "cells:1,2,0"),
    ] {
        for plan in [Plan::RETROGRADE, Plan::meet(Some(2), None)] {
            let (_dir, shuffled) = solved(spec, Some(order), plan);
            let (_other, plain) = solved(spec, None, plan);
            assert_eq!(shuffled.game.order(), order, "the run must store its order");
            for board in boards(plain.game.as_ref()) {
                for side in Side::BOTH {
                    let found = shuffled.get(&board, side).unwrap();
                    assert_eq!(found, plain.get(&board, side).unwrap(), "{spec} {board:?} {side} {plan:?}");
                }
            }
        }
    }
}

#[test]
fn the_program_solves_in_a_listed_order() {
    let dir = scratch();
    let at = dir.path();
    let game = "tictactoe:2x2,k=2";
    let found = json(at, &["solve", game, "--method", "retrograde", "--order", "cells:3,0,2,1"]);
    // The order is stored in the manifest, whereas the directory is named after the game alone.
    assert_eq!(
        (&found["order"], &found["run_dir"]),
        (&"cells:3,0,2,1".into(), &"runs/tictactoe_2x2_k=2".into())
    );
    let run = "runs/tictactoe_2x2_k=2";
    let manifest = std::fs::read_to_string(at.join(run).join("manifest.json")).unwrap();
    assert!(manifest.contains("\"order\": \"cells:3,0,2,1\""), "{manifest}");
    ends(at, 0, &["solve", game, "--method", "retrograde", "--run-dir", "plain"]);
    for position in ["start", "X1/2 O", "XO/.. X"] {
        assert_eq!(
            json(at, &["query", run, position]),
            json(at, &["query", "plain", position]),
            "{position}"
        );
    }
    for options in [&[][..], &["--explicit"], &["--sample", "20"]] {
        ends(at, 0, &[&["verify", run], options].concat());
    }
    let again = ["solve", game, "--method", "retrograde", "--resume", "--order"];
    ends(at, 0, &[&again[..], &["cells:03,0,2,1"]].concat());
    let errors = refused(at, &[&again[..], &["cells:3,0,1,2"]].concat());
    assert!(errors.contains("order cells:3,0,2,1") && errors.contains("order cells:3,0,1,2"), "{errors}");
    assert_eq!(json(at, &["info", game, "--order", "cells:3,0,2,1"])["layers"][0]["label"], "b2");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn the_program_compares_and_searches() {
    let dir = scratch();
    let at = dir.path();
    let found = json(at, &["order", "breakthrough:3x4"]);
    assert_fields(&found, &["game", "orders", "sift"], "order");
    assert_eq!((&found["game"], &found["sift"]), (&"breakthrough:3x4".into(), &Value::Null));
    let rows = list(&found["orders"]);
    assert_eq!(rows.len(), orders("breakthrough:3x4").unwrap().len());
    for row in rows {
        assert_fields(row, &["order", "cells", "num_states"], "an order");
        assert_fields(
            &row["num_states"],
            &["total", "largest", "win", "loss", "plies", "complete"],
            "states of an order",
        );
    }
    let best = rows[0]["num_states"]["total"].as_u64().unwrap();
    let sift = &json(at, &["order", "breakthrough:3x4", "--method", "sift", "--budget", "500"])["sift"];
    assert_fields(sift, &["start", "best", "solves", "passes", "settled"], "sift");
    let total = sift["best"]["num_states"]["total"].as_u64().unwrap();
    assert!(total < best && sift["solves"].as_u64().unwrap() <= 500, "{sift}");
    // The printed order is accepted by `solve` and needs the printed number of states.
    let order = sift["best"]["order"].as_str().unwrap();
    let run = json(at, &["solve", "breakthrough:3x4", "--method", "retrograde", "--order", order]);
    let of = |side: &str, value: &str| run["sides"][side][value]["num_states"].as_u64().unwrap();
    assert_eq!(of("P1", "win") + of("P2", "win") + of("P1", "loss") + of("P2", "loss"), total);

    let text = ends(at, 0, &["order", "breakthrough:3x4", "--method", "sift", "--budget", "500"]);
    for part in [
        "largest  W P1",
        "rows-inside-out",
        "\nsifted ",
        "no layer has a better place",
        order,
        "\n    a  b  c",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    let text = ends(at, 0, &["order", "tictactoe:3x3", "--plies", "1", "--method", "sift", "--budget", "3"]);
    assert!(text.contains("at ply 1\n") && text.contains("3 orders solved"), "{text}");
    assert!(text.contains("the budget is exhausted"), "{text}");
    // A custom order is compared with the others once, and the search starts from it if it is the best.
    let given = ["order", "breakthrough:3x4", "--order", order, "--order", "rows", "--order", order];
    let text = ends(at, 0, &[&given[..], &["--method", "sift"]].concat());
    assert!(text.contains(&format!("sifted from  {order}: ")) && text.contains(" 1 pass"), "{text}");
    let found = json(at, &given);
    assert_eq!((list(&found["orders"]).len(), &found["orders"][0]["order"]), (rows.len() + 1, &order.into()));
    assert!(refused(at, &["order", "nim:2x2", "--order", "cells:1"]).contains("cell 0 is missing"));
    let text = ends(at, 0, &["order", "nim:3x3"]);
    assert!(text.contains("complete") && !text.contains("sifted"), "{text}");
    let errors = refused(at, &["order", "nim:2x2", "--budget", "10"]);
    assert!(errors.contains("--method sift"), "{errors}");
    let errors = refused(at, &["order", "breakthrough:4x4", "--memory", "100KiB"]);
    assert!(errors.contains("raise --memory"), "{errors}");
}
