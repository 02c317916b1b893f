//! The command `solve --engine reached`, and the use of its tables.

use std::fs;

use crate::common::program::{ends, json, refused, run_program};
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

/// Tables of reached positions are exported as rows, and summarised.
#[test]
fn tables_of_reached_positions_are_exported_and_summarised() {
    let dir = scratch();
    let dir = dir.path();
    let solved = json(dir, &["solve", "tictactoe:3x3,misere", "--engine", "reached", "--out", "t.tbl"]);
    let exported = json(dir, &["export", "t.tbl", "--format", "csv", "--out", "t.csv"]);
    assert_eq!(
        (&exported["rows"], &exported["plies"]),
        (&5478.into(), &serde_json::Value::Null),
        "{exported}"
    );
    let text = fs::read_to_string(dir.join("t.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("side,index,position,value,dtw"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 5478);
    for side in ["P1", "P2"] {
        for value in ["win", "draw", "loss"] {
            let number = rows.iter().filter(|row| (row[0], row[3]) == (side, value)).count();
            assert_eq!(solved["sides"][side][value], number.to_string(), "{side} {value}");
        }
    }
    for row in rows.iter().step_by(911) {
        let queried = json(dir, &["query", "t.tbl", row[2]]);
        assert_eq!(queried["category"], row[3], "{row:?}");
        assert_eq!(queried["dtw"].as_u64().map_or(String::new(), |dtw| dtw.to_string()), row[4], "{queried}");
    }
    let array = json(dir, &["export", "t.tbl", "--format", "npy", "--out", "t.npy"]);
    assert_eq!(array["rows"], 5478, "{array}");
    // A header of 128 bytes, and two bytes a row.
    assert_eq!(fs::metadata(dir.join("t.npy")).unwrap().len(), 128 + 2 * 5478);
    let stats = json(dir, &["stats", "t.tbl"]);
    let deepest = rows.iter().filter_map(|row| row[4].parse::<u64>().ok()).max();
    let longest = stats["longest"].as_array().unwrap();
    assert_eq!(longest.iter().filter_map(|line| line["dtw"].as_u64()).max(), deepest, "{stats}");
    assert_eq!(stats["counts"][1]["win"], solved["sides"]["P2"]["win"], "{stats}");
    assert!(ends(dir, 0, &["stats", "t.tbl"]).contains("to move"));
    let said = refused(dir, &["export", "t.tbl", "--format", "dot", "--out", "t.dot"]);
    assert!(said.contains("the formats for tables of reached positions are csv"), "{said}");
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
fn positions_that_exceed_memory_are_moved_to_disk() {
    let dir = scratch();
    let dir = dir.path();
    let solve = |memory, file| {
        let command = ["solve", "connect:5x4", "--engine", "reached", "--memory", memory, "--out", file];
        let run = run_program(dir, &command);
        assert_eq!(run.status.code(), Some(0), "{run:?}");
        (String::from_utf8(run.stderr).unwrap(), fs::read(dir.join(file)).unwrap())
    };
    let (said, expected) = solve("2GiB", "memory.tbl");
    assert!(!said.contains("scratch files"), "{said}");
    let (said, found) = solve("64MiB", "disk.tbl");
    assert!(said.contains("scratch files beside disk.tbl"), "{said}");
    assert!(found == expected);
    assert_eq!(fs::read_dir(dir).unwrap().count(), 2);
}

#[test]
fn scores_of_too_many_positions_are_an_error_and_leave_nothing() {
    let dir = scratch();
    let dir = dir.path();
    let command = ["solve", "othello:6x6", "--score", "--engine", "reached", "--memory", "48MiB"];
    let run = run_program(dir, &[&command[..], &["--run-dir", "scores"]].concat());
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("reached positions, and"), "{said}");
    assert!(said.contains("hint: raise --memory"), "{said}");
    assert_eq!(fs::read_dir(dir).unwrap().count(), 0);
}

/// Positions that play from the start does not reach are solved with all that follow, if the search begins there too.
#[test]
fn a_search_may_begin_in_other_positions_too() {
    let dir = scratch();
    let dir = dir.path();
    let plain = json(dir, &["solve", "tictactoe:3x3", "--engine", "reached", "--out", "plain.tbl"]);
    // The first side has not placed a mark before the second one.
    let from = ["--from", "O../.../... X", "--from", "OX./.../... O"];
    let command = [&["solve", "tictactoe:3x3", "--out", "from.tbl"], &from[..]].concat();
    let more = json(dir, &command);
    let positions =
        |document: &serde_json::Value| document["positions"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(positions(&more) > positions(&plain), "{more} {plain}");
    assert_eq!(more["start"], plain["start"]);
    let table = json(dir, &["query", "from.tbl", from[1], "--any"]);
    assert_eq!((&table["category"], &table["moves"][1]["dtw"]), (&"draw".into(), &5.into()), "{table}");
    let checked = json(dir, &["verify", "from.tbl"]);
    assert_eq!((&checked["mismatches"], &checked["checked"]), (&"0".into(), &more["positions"]));
    let said = refused(dir, &["solve", "tictactoe:3x3", "--engine", "table", "--from", from[1]]);
    assert!(said.contains("--from does not apply to a table"), "{said}");
    let said = refused(dir, &["solve", "tictactoe:3x3", "--from", "XX./XX./... X extra"]);
    assert!(said.contains("extra"), "{said}");
}
