//! What people type: positions and moves in other forms, control characters, negative numbers, and what is missing.

use crate::common::program::{ends, json, list, program, refused, run_program, with_run};
use crate::common::scratch;
use std::process::Stdio;

#[test]
fn positions_are_accepted_as_people_type_them() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    for typed in [
        &["start", "b2", "a1"][..],
        &["start", "B2,", "a1!"],
        &["startpos", "moves", "b2", "a1"],
        &["start 1. b2 a1"],
        &["3/ 1X1/ O2 X"],
        &["3/1x1/o2 x"],
        &["3/1X1/O2_X"],
    ] {
        let found = json(at, &[&["query", "run"], typed].concat());
        assert_eq!(found["position"], "3/1X1/O2 X", "{typed:?}");
    }
    let line = json(at, &["line", "run", "start", "b2"]);
    assert_eq!(line["position"], "3/1X1/3 O");
    let errors = refused(at, &["query", "run", "start", "b2", "b2"]);
    assert!(errors.contains("move 'b2': not a legal move"), "{errors}");
    let mut batch = program();
    let mut child = batch
        .current_dir(at)
        .args(["query", "run", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"start b2\nSTART b2 a1\n").unwrap();
    let answers = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(answers.contains("3/1X1/3 O") && answers.contains("3/1X1/O2 X"), "{answers}");
}

#[test]
fn control_characters_of_names_and_files_are_escaped() {
    let dir = with_run("nim:2x2", &[]);
    let at = dir.path();
    std::fs::write(at.join("game.txt"), "a-1\n\x1b[2J").unwrap();
    for arguments in [
        &["query", "run", "x\x1b[31m"][..],
        &["query", "no\x1b[31mwhere", "start"],
        &["solve", "nim\x1b[31m"],
        &["analyse", "run", "game.txt"],
    ] {
        let errors = refused(at, arguments);
        assert!(errors.contains("\\u{1b}[") && !errors.contains('\x1b'), "{arguments:?}: {errors}");
    }
    for arguments in [
        &["solve", "nim:2x2", "--no\x07"][..],
        &["solve", "nim:2x2", "--threads", "\x1b[31m\x07"],
        &["no\x1b[31m\x07"],
    ] {
        let errors = refused(at, arguments);
        assert!(!errors.contains(['\x1b', '\x07']), "{arguments:?}: {errors}");
    }
    let name = "a\x1b[31m.csv";
    let text = ends(at, 0, &["export", "run", "--format", "csv", "--out", name]);
    assert!(text.contains("a\\u{1b}[31m.csv") && !text.contains('\x1b'), "{text}");
    assert!(at.join(name).exists());
}

#[test]
fn negative_numbers_are_refused_with_the_reason() {
    let dir = scratch();
    for (arguments, part) in [
        (&["perft", "nim:2x3", "--depth", "-3"][..], "--depth takes no negative number"),
        (&["solve", "nim:2x3", "--threads", "-12"], "--threads takes no negative number"),
        (&["query", "run", "-5"], "no argument is a negative number"),
    ] {
        let errors = refused(dir.path(), arguments);
        assert!(errors.contains(part) && !errors.contains("-- -"), "{errors}");
    }
}

#[test]
#[cfg(not(feature = "parquet"))]
fn parquet_is_not_offered_where_it_is_not_built_in() {
    let dir = with_run("nim:2x2", &["--method", "retrograde"]);
    assert!(!ends(dir.path(), 0, &["export", "--help"]).contains("arquet"));
    let errors = refused(dir.path(), &["export", "run", "--format", "parquet", "--out", "x"]);
    assert!(errors.contains("cargo install --path . --features parquet"), "{errors}");
}

#[test]
fn moves_are_counted_for_every_game() {
    let dir = scratch();
    let at = dir.path();
    // By the built-in rules and by those of a file.
    let [built_in, of_file] = ["breakthrough:4x4", "rbg:breakthrough:board=4x4"].map(|game| {
        let found = json(at, &["perft", game, "--depth", "4"]);
        list(&found["plies"]).iter().map(|ply| ply["paths"].clone()).collect::<Vec<_>>()
    });
    assert_eq!((built_in.len(), &built_in), (5, &of_file));
    let text = ends(at, 0, &["perft", "connect:7x6", "--depth", "4"]);
    assert!(text.contains("2 401"), "{text}");
    assert!(refused(at, &["perft", "nosuch"]).contains("unknown game 'nosuch'"));
    assert!(refused(at, &["perft", "nim:2x2", "--board", "3x3"]).contains("rules from a file"));
}

#[test]
fn one_chain_is_refused_before_the_work() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde", "--chains", "one"]);
    let at = dir.path();
    ends(at, 0, &["solve", "breakthrough:2x4", "--engine", "table", "--out", "all.tbl"]);
    for arguments in [
        &["verify", "run", "--explicit"][..],
        &["verify", "run", "--table", "all.tbl"],
        &["export", "run", "--format", "csv", "--out", "x.csv"],
        &["pack", "run"],
    ] {
        let output = run_program(at, &[arguments, &["--progress", "plain"]].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors.contains("both chains") && errors.contains("--chains both"), "{errors}");
        // Neither solving nor writing has begun.
        assert!(!errors.contains(" of ") || !errors.contains("[00:"), "{arguments:?}: {errors}");
    }
    assert!(!at.join("run/values").exists() && !at.join("x.csv").exists());
    let errors = refused(at, &["export", "run", "--format", "fst", "--set", "L-P1-002", "--out", "-"]);
    assert!(errors.contains("with the sides exchanged") && !errors.contains("mirror"), "{errors}");
}

#[test]
fn an_export_shows_its_progress() {
    let dir = with_run("breakthrough:2x5", &["--method", "retrograde"]);
    for format in ["csv", "npy", "table"] {
        let arguments = ["export", "run", "--format", format, "--out", format, "--progress", "plain"];
        let output = run_program(dir.path(), &arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        // 2 * 3^10 rows.
        assert!(errors.contains(" of 118 098"), "{format}: {errors}");
    }
}

/// A drawn row is no part of the name of a game.
#[test]
fn a_wrong_position_after_a_game_is_the_error() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["query", "tictactoe", "start"]);
    let errors = refused(at, &["query", "tictactoe", "...|...|..."]);
    assert!(errors.contains("position '...|...|...': ") && !errors.contains("no game"), "{errors}");
    assert!(refused(at, &["query", "connect", "4x4"]).contains("'connect:4x4' is a game"));
    let errors = refused(at, &["query", "tictactoe", "3/3/2X X"]);
    assert!(errors.contains("X has 1 mark and O has 0, but with X to move"), "{errors}");
    let errors = refused(at, &["perft", "nim:2x3", "--depth", "x"]);
    assert!(errors.contains("not a whole number from 0 to 1 000"), "{errors}");
}
