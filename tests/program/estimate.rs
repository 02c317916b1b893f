//! `estimate`: what a solve would take, and what a run's next ply would decide.

use crate::common::program::{assert_fields, count, ends, json, list, refused, with_run};
use crate::common::scratch;

#[test]
fn a_small_game_is_solved_meanwhile_and_its_numbers_are_those_of_the_run() {
    let dir = with_run("breakthrough:3x4", &[]);
    let found = json(dir.path(), &["estimate", "breakthrough:3x4"]);
    assert_fields(
        &found,
        &["game", "order", "words", "admissible", "growth", "smaller", "expected"],
        "estimate",
    );
    assert_eq!((&found["engine"], &found["method"]), (&"sets".into(), &"retrograde".into()));
    assert_eq!(count(&found["words"]), 3_u128.pow(12));
    let expected = &found["expected"];
    assert_eq!(expected["basis"], "solved");
    assert_eq!(expected["num_states"]["low"], expected["num_states"]["high"]);
    let stats = json(dir.path(), &["stats", "run", "--plies"]);
    assert_eq!(expected["bytes"]["low"], stats["bytes"]);
    let wins = |ply: u64| {
        let lines = list(&stats["plies"]).iter().filter(|line| line["ply"] == ply);
        lines.map(|line| count(&line["positions"])).sum::<u128>()
    };
    for line in list(&found["growth"]) {
        assert_eq!(count(&line["positions"]), wins(line["ply"].as_u64().unwrap()));
    }
}

#[test]
fn a_board_beyond_the_budget_has_a_range_and_says_what_it_rests_on() {
    let dir = scratch();
    let text = ends(dir.path(), 0, &["estimate", "breakthrough:8x8", "--probe", "2"]);
    for part in ["words", "memory", "disk", "time", " to "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn sectors_are_counted_exactly() {
    let dir = scratch();
    let found = json(dir.path(), &["estimate", "morris:nine"]);
    assert_eq!(found["engine"], "sectors");
    assert_eq!(count(&found["sectors"]["positions"]), 26_743_107_774);
    assert!(found["expected"]["bytes"]["low"].as_u64() > Some(26_000_000_000));
    assert!(found["expected"]["memory_bytes"]["low"].as_u64() > Some(2_000_000_000));
    let small = json(dir.path(), &["estimate", "morris:three", "--engine", "sectors"]);
    assert_eq!(count(&small["sectors"]["positions"]), 564);
}

#[test]
fn a_table_takes_four_bytes_a_board() {
    let dir = scratch();
    let found = json(dir.path(), &["estimate", "tictactoe:3x3", "--engine", "table"]);
    assert_eq!(found["expected"]["memory_bytes"]["low"], 4 * 3_u64.pow(9));
}

/// `next` is the old name: the same numbers, and what a whole run has at that ply.
#[test]
fn the_next_ply_of_a_run_is_counted() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde", "--plies", "5"]);
    let found = json(dir.path(), &["estimate", "run"]);
    assert_eq!(found["ply"], 6);
    let old = json(dir.path(), &["next", "run"]);
    assert_eq!((&old["ply"], &old["sides"]), (&found["ply"], &found["sides"]));
    ends(dir.path(), 0, &["solve", "breakthrough:3x4", "--method", "retrograde", "--run-dir", "whole"]);
    let whole = json(dir.path(), &["stats", "whole", "--plies"]);
    for side in list(&found["sides"]) {
        let set = format!("W-{}", side["side"].as_str().unwrap());
        let line = list(&whole["plies"])
            .iter()
            .find(|line| line["set"] == set.as_str() && line["ply"] == 6)
            .unwrap();
        assert_eq!(line["positions"], side["win"]);
    }
}

#[test]
fn what_is_neither_a_game_nor_a_run_is_refused() {
    let dir = scratch();
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    assert!(refused(dir.path(), &["estimate", "empty"]).contains("empty"));
    assert!(refused(dir.path(), &["estimate", "breakthru:4x5"]).contains("breakthrough"));
    let table = ["estimate", "breakthrough:8x8", "--engine", "table"];
    assert!(ends(dir.path(), 0, &table).contains("beyond"));
}
