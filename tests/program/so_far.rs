//! Unfinished runs, which were interrupted or stopped at a limit on plies. They can be queried, and say that they are
//! unfinished.

use std::collections::HashMap;

use serde_json::Value;

use crate::common::program::{ends, json, refused, run_program, with_run};
use crate::common::{boards, game, scratch, stopped_after};
use nerode_games::{Position, Side};
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::solve::method::Chains;

/// Returns the answers of a batch by position.
fn answers(at: &std::path::Path, arguments: &[&str], positions: &str) -> HashMap<String, Value> {
    let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nerode"))
        .current_dir(at)
        .args([arguments, &["--batch", "--any"]].concat())
        .write_stdin(positions)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let line = |line: &str| {
        let document: Value = serde_json::from_str(line).unwrap();
        (document["position"].as_str().unwrap().to_string(), document)
    };
    String::from_utf8(run.stdout).unwrap().lines().map(line).collect()
}

/// Decided positions have the same value as in the complete solution, and all others are unknown: never a draw, never
/// another value.
#[test]
#[ignore = "slow: .ci/slow"]
fn an_unfinished_run_answers_what_it_has_decided() {
    for (spec, chains) in [
        ("breakthrough:2x4", Chains::Both),
        ("breakthrough:2x4", Chains::One),
        ("tictactoe:2x3,k=2", Chains::Both),
    ] {
        let whole = with_run(spec, &["--method", "retrograde"]);
        let game = game(spec);
        let text = |board: &Vec<u8>| {
            let of = |side| game.format_position(&Position { board: board.clone(), side }) + "\n";
            Side::BOTH.map(of).concat()
        };
        let positions: String = boards(game.as_ref()).map(|board| text(&board)).collect();
        let expected = answers(whole.path(), &["query", "run"], &positions);
        for last in [0, 1] {
            let dir = scratch();
            assert!(stopped_after(dir.path(), spec, chains, last), "{spec} ends before ply {last}");
            let found = answers(dir.path(), &["query", ".", "--so-far"], &positions);
            let (mut known, mut open) = (0, 0);
            for (position, answer) in &found {
                if answer["category"] == "unknown" {
                    open += 1;
                    continue;
                }
                known += 1;
                for field in ["category", "dtw"] {
                    assert_eq!(answer[field], expected[position][field], "{spec}, ply {last}: {position}");
                }
            }
            assert!(known > 0 && open > 0, "{spec}, ply {last}: {known} known, {open} open");
        }
    }
}

#[test]
fn an_unfinished_run_says_how_it_can_be_asked() {
    let dir = scratch();
    assert!(stopped_after(&dir.path().join("run"), "breakthrough:3x4", Chains::Both, 3));
    let errors = refused(dir.path(), &["export", "run", "--format", "csv", "--out", "x.csv"]);
    assert!(
        errors.contains("run: the solve is not finished") && errors.contains("nerode resume run"),
        "{errors}"
    );
    for command in ["query", "line"] {
        let errors = refused(dir.path(), &[command, "run", "start"]);
        assert!(errors.contains("run: the solve is not finished"), "{errors}");
        assert!(errors.contains("'nerode resume run' resumes it"), "{errors}");
        assert!(errors.contains("'nerode query run start --so-far'"), "{errors}");
        let ply = RunDir::open(&dir.path().join("run")).unwrap().progress().backward.unwrap();
        let asked = run_program(dir.path(), &[command, "run", "start", "--so-far"]);
        let errors = String::from_utf8(asked.stderr).unwrap();
        assert!(
            asked.status.success() && errors.contains(&format!("note: the run is at ply {ply}:")),
            "{errors}"
        );
        assert!(String::from_utf8(asked.stdout).unwrap().contains("P1 to move: unknown"));
        assert_eq!(json(dir.path(), &[command, "run", "start", "--so-far"])["ply_so_far"], ply);
    }
    // A finished run is queried as usual.
    ends(dir.path(), 0, &["resume", "run"]);
    let whole = json(dir.path(), &["query", "run", "start", "--so-far"]);
    assert_eq!(whole, json(dir.path(), &["query", "run", "start"]));
    assert!(whole.get("ply_so_far").is_none());
}

#[test]
fn a_run_that_was_asked_to_stop_says_so_and_how_to_go_on() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde", "--plies", "3"]);
    let at = dir.path();
    let solved = ends(at, 0, &["solve", "breakthrough:3x4", "--method", "retrograde", "--plies", "3"]);
    assert!(solved.contains("complete            no: stopped at ply 3, as requested\n"), "{solved}");
    assert!(solved.contains("nerode resume runs/breakthrough_3x4 --plies end, or --plies N\n"), "{solved}");
    let info = ends(at, 0, &["info", "run"]);
    assert!(info.contains("finished     no: stopped at ply 3, as requested\n"), "{info}");
    assert_eq!(json(at, &["info", "run"])["stopped_at_ply"], 3);
    let verified = ends(at, 0, &["verify", "run"]);
    let unknown = json(at, &["verify", "run"])["unknown"].as_str().unwrap().parse::<u128>().unwrap();
    assert!(unknown > 0);
    assert!(verified.contains(" positions are unknown and have no values to check"), "{verified}");
    let sides = &json(
        at,
        &["solve", "breakthrough:3x4", "--method", "retrograde", "--plies", "3", "--overwrite"],
    )["sides"];
    let counted = ["P1", "P2"]
        .map(|side| sides[side]["unknown"]["positions"].as_str().unwrap().parse::<u128>().unwrap());
    assert_eq!(unknown, counted.iter().sum::<u128>());
    // Whatever looks up positions says why some are unknown.
    let perfect: &[&str] = &["match", "perfect:run", "random", "--openings", "1"];
    let notes = |arguments: &[&str]| {
        let notes = String::from_utf8(run_program(at, arguments).stderr).unwrap();
        notes.contains(
            "the run stopped at ply 3, as requested: positions that it has not decided are unknown; \
             'nerode resume run --plies end' continues it",
        )
    };
    let commands = [&["query", "run"][..], &["line", "run"], &["play", "run", "--computer", "none"], perfect];
    assert!(commands.iter().all(|arguments| notes(arguments)));
    // When the run is solved to the end, these notes are omitted.
    let whole = ends(at, 0, &["resume", "run", "--plies", "end"]);
    assert!(whole.contains("complete            yes\n") && !whole.contains("resume with"), "{whole}");
    assert!(ends(at, 0, &["info", "run"]).contains("finished     yes\n"));
    assert!(!ends(at, 0, &["verify", "run"]).contains("unknown"));
    assert!(!commands.iter().any(|arguments| notes(arguments)));
}

#[test]
fn resuming_what_is_not_there_is_told() {
    let dir = scratch();
    let arguments = ["solve", "nim:2x2", "--run-dir", "run", "--resume"];
    let said = |at| String::from_utf8(run_program(at, &arguments).stderr).unwrap();
    let first = said(dir.path());
    assert!(first.contains("note: run contains no run yet: the solve starts from the beginning"), "{first}");
    assert!(!said(dir.path()).contains("starts from the beginning"));
}
