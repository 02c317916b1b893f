//! The command `estimate`: the resources that a solve would take, and the positions that a run's next ply would
//! decide.

use crate::common::program::{assert_fields, count, ends, json, list, refused, run_program, with_run};
use crate::common::{scratch, stride};

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

/// Extrapolation from small boards, or without data, gave years in one case and days in the next.
#[test]
#[ignore = "slow: .ci/slow"]
fn nothing_is_said_of_a_board_far_beyond_any_that_was_solved() {
    let dir = scratch();
    for game in ["breakthrough:8x8", "othello:8x8"] {
        let command = ["estimate", game, "--probe", "1"];
        let text = ends(dir.path(), 0, &command);
        assert!(text.contains("words") && text.contains("there is no estimate"), "{text}");
        assert!(!text.contains("\nmemory ") && !text.contains("\ntime "), "{text}");
        if game != "breakthrough:8x8" && stride(2) > 1 {
            continue;
        }
        let found = json(dir.path(), &command);
        assert!(found["expected"].is_null(), "{found}");
        let reason = found["no_estimate"]["reason"].as_str().unwrap();
        assert!(["no-ply", "no-smaller-board", "too-far"].contains(&reason), "{game}: {reason}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// Either there is an estimate, or the reason why there is none. No low end is below the resources that a probe of the
/// game itself has taken.
#[test]
fn what_is_expected_is_no_less_than_what_was_taken() {
    let dir = scratch();
    for game in ["breakthrough:4x5", "breakthrough:5x5", "connect:5x5", "amazons:4x4", "chess:KQvKR"] {
        let found = json(dir.path(), &["estimate", game, "--probe", "1"]);
        let (expected, taken) = (&found["expected"], &found["taken"]);
        assert_eq!(expected.is_null(), !found["no_estimate"].is_null(), "{game}: {found}");
        assert!(taken.is_null() || expected["basis"] != "solved", "{game}: {found}");
        if expected.is_null() || taken.is_null() {
            continue;
        }
        for field in ["num_states", "bytes", "memory_bytes", "seconds"] {
            let [low, high] = ["low", "high"].map(|end| expected[field][end].as_f64().unwrap());
            assert!(taken[field].as_f64().unwrap() <= low && low <= high, "{game}, {field}: {found}");
        }
    }
}

/// The engine is the one that a solve would choose, and options that only apply to sets choose sets.
#[test]
fn what_a_solve_would_choose_is_estimated() {
    let dir = scratch();
    let engine = |options: &[&str]| {
        let found = json(dir.path(), &[&["estimate", "--probe", "1"], options].concat());
        found["engine"].as_str().unwrap().to_string()
    };
    assert_eq!(engine(&["morris:six"]), "sectors");
    assert_eq!(engine(&["morris:three"]), "sets");
    assert_eq!(engine(&["morris:six", "--method", "retrograde"]), "sets");
    assert_eq!(engine(&["morris:six", "--engine", "sets"]), "sets");
    let solved = json(dir.path(), &["solve", "morris:five"]);
    assert!(solved["units"].as_u64() > Some(10), "{solved}");
    let text = ends(dir.path(), 0, &["estimate", "morris:three", "--engine", "sectors"]);
    assert!(
        text.contains("positions are exact") && text.contains("expected of telling draws apart"),
        "{text}"
    );
}

/// The remaining time of sectors is a range, weighted by their slots, and decreases to zero.
#[test]
fn the_time_left_of_sectors_is_a_range() {
    let dir = scratch();
    let output = run_program(dir.path(), &["solve", "morris:five", "--json", "--progress", "json"]);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    let steps: Vec<serde_json::Value> = errors
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|line| line["progress"]["event"] == "item")
        .collect();
    assert!(!steps.is_empty(), "{errors}");
    for step in &steps {
        let step = &step["progress"];
        let [low, high] = ["low", "high"].map(|end| step["remaining_range"][end].as_f64().unwrap());
        assert!(step["remaining_seconds"].is_null() && 0.0 <= low && low <= high, "{step}");
        let is_last = step["done"] == step["total"];
        assert_eq!(is_last, high == 0.0, "{step}");
    }
}

/// A counter of 180 · 200 = 36 000 plies in two variables.
const COUNTER: &str = "
#players = one(1), two(1)
#pieces = e, x
#variables = low(200), high(180)
#board = rectangle(up,down,left,right,[e,e])
#any = (left* + right*)
#turn(me) = ->me any ({e}[x] + {x}[e]) [$ low = low + 1]
  ( {$ low < 200} + {$ low == 200} [$ low = 0, high = high + 1] )
  ->> ( {$ high < 180} + {$ high == 180} [$ me = 1] ->> {} )
#rules = ( turn(one) turn(two) )*
";

/// Nothing was said about such games, whose plies are quick but very many.
#[test]
#[ignore = "slow: .ci/slow"]
fn very_many_plies_are_forecast() {
    let dir = scratch();
    std::fs::write(dir.path().join("counter.rbg"), COUNTER).unwrap();
    // The probe ends early, once its plies show that the solve could not finish.
    let found = json(dir.path(), &["estimate", "counter.rbg", "--engine", "sets", "--probe", "90"]);
    let expected = &found["expected"];
    assert_eq!(expected["basis"], "rate", "{found}");
    let [low, high] = ["low", "high"].map(|end| expected["plies"][end].as_u64().unwrap());
    assert!((32_767..=36_000).contains(&low) && high >= 36_000, "{expected}");
    let solve = ["solve", "counter.rbg", "--engine", "sets", "--plies", "90", "--progress", "json", "--json"];
    let output = run_program(dir.path(), &solve);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    let steps = errors.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let steps: Vec<_> = steps.filter(|line| line["progress"]["event"] == "ply").collect();
    let at = |ply: u64| &steps.iter().find(|line| line["progress"]["ply"] == ply).unwrap()["progress"];
    assert!(at(50)["most_plies_left"].is_null(), "too few plies");
    // Every ply decides the four boards of a value of the counter.
    let undecided = 2 * count(&found["words"]) - count(&at(90)["positions"]);
    assert_eq!(at(90)["most_plies_left"], serde_json::json!(undecided.div_ceil(4)));
    assert!(at(90)["most_seconds_left"].as_f64() > Some(60.0), "{}", at(90));
}

#[test]
fn sectors_are_counted_exactly() {
    let dir = scratch();
    let found = json(dir.path(), &["estimate", "morris:nine"]);
    assert_eq!(found["engine"], "sectors");
    assert_eq!(count(&found["sectors"]["orbits"]), 26_743_107_774);
    // Without compression, they take one byte per slot.
    let bytes = ["low", "high"].map(|end| found["expected"]["bytes"][end].as_u64().unwrap());
    assert!(bytes[0] > 500_000_000 && bytes[0] < bytes[1] && bytes[1] > 26_743_107_774, "{bytes:?}");
    assert!(found["expected"]["memory_bytes"]["low"].as_u64() > Some(2_000_000_000));
    // Ranking takes six bytes of memory per slot, and four bytes on disk without compression.
    let ranks = |field: &str, end: &str| found["ranks"][field][end].as_u64().unwrap();
    assert!(ranks("memory_bytes", "low") > 5 * found["expected"]["memory_bytes"]["low"].as_u64().unwrap());
    assert!(ranks("bytes", "high") > 4 * 26_743_107_774);
    let five = json(dir.path(), &["estimate", "morris:five", "--probe", "1"]);
    let ranked = json(dir.path(), &["solve", "morris:five", "--run-dir", "five", "--ranked"]);
    let bytes = ranked["ranks"]["bytes"].as_u64().unwrap();
    let [low, high] = ["low", "high"].map(|end| five["ranks"]["bytes"][end].as_u64().unwrap());
    assert!(low <= bytes && bytes <= high, "{low} {bytes} {high}");
    let small = json(dir.path(), &["estimate", "morris:three", "--engine", "sectors"]);
    assert_eq!(count(&small["sectors"]["orbits"]), 564);
    assert_eq!(small["expected"]["basis"], "exact");
}

#[test]
fn a_table_takes_four_bytes_a_board() {
    let dir = scratch();
    let found = json(dir.path(), &["estimate", "tictactoe:3x3", "--engine", "table"]);
    assert_eq!(found["expected"]["memory_bytes"]["low"], 4 * 3_u64.pow(9));
}

/// The numbers agree with those of a complete run at that ply.
#[test]
fn the_next_ply_of_a_run_is_counted() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde", "--plies", "5"]);
    let found = json(dir.path(), &["estimate", "run"]);
    assert_eq!(found["ply"], 6);
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
