//! The command `solve --engine reached`, and the use of its tables.

use std::fs;

use crate::common::program::{ends, json, run_program};
use crate::common::scratch;

#[test]
fn reached_positions_are_solved_queried_and_verified() {
    let dir = scratch();
    let dir = dir.path();
    let solved = json(dir, &["solve", "tictactoe:3x3", "--engine", "reached", "--out", "t.tbl"]);
    // Published: 5478 positions can be reached, and the game is a draw.
    assert_eq!((&solved["positions"], &solved["num_plies"]), (&"5478".into(), &10.into()));
    assert_eq!(solved["start"]["category"], "draw");
    let queried = json(dir, &["query", "t.tbl", "start"]);
    assert_eq!(queried["category"], "draw", "{queried}");
    let said = ends(dir, 0, &["line", "t.tbl", "start"]);
    assert!(said.contains("draw"), "{said}");
    for option in [&[][..], &["--sets"]] {
        let checked = json(dir, &[&["verify", "t.tbl"], option].concat());
        assert_eq!((&checked["checked"], &checked["mismatches"]), (&"5478".into(), &"0".into()), "{checked}");
    }
    // A position that is not reached is not covered.
    let far = json(dir, &["query", "t.tbl", "X../.../... X", "--any"]);
    assert_eq!(far["category"], "not covered", "{far}");
    ends(dir, 2, &["solve", "tictactoe:3x3", "--engine", "reached", "--out", "t.tbl"]);
    let before = fs::read(dir.join("t.tbl")).unwrap();
    for threads in ["1", "3"] {
        let command = ["solve", "tictactoe:3x3", "--engine", "reached", "--out", "t.tbl", "--overwrite"];
        ends(dir, 0, &[&command[..], &["--threads", threads]].concat());
        assert_eq!(fs::read(dir.join("t.tbl")).unwrap(), before, "{threads}");
    }
}

#[test]
fn a_damaged_table_of_reached_positions_is_refused() {
    let dir = scratch();
    let dir = dir.path();
    ends(dir, 0, &["solve", "nim:3x7", "--engine", "reached", "--out", "n.tbl"]);
    let mut bytes = fs::read(dir.join("n.tbl")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(dir.join("n.tbl"), &bytes).unwrap();
    for command in ["query", "verify"] {
        let rest: &[&str] = if command == "query" { &["start"] } else { &[] };
        let run = run_program(dir, &[&[command, "n.tbl"], rest].concat());
        assert_eq!(run.status.code(), Some(2), "{command}");
    }
}

#[test]
fn too_many_reached_positions_are_an_error_and_leave_nothing() {
    let dir = scratch();
    let dir = dir.path();
    let command = ["solve", "connect:7x6", "--engine", "reached", "--out", "c.tbl", "--memory", "48MiB"];
    let run = run_program(dir, &command);
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("reached positions") || said.contains("memory"), "{said}");
    assert_eq!(fs::read_dir(dir).unwrap().count(), 0);
}
