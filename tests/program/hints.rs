//! Errors about the directories and files that a command was given, and their hints.

use std::fs;

use crate::common::program::{ends, json, refused, run_program, with_run};
use crate::common::scratch;

/// Returns the complete output of a command that is rejected.
fn said(at: &std::path::Path, arguments: &[&str]) -> String {
    refused(at, arguments);
    String::from_utf8(run_program(at, arguments).stderr).unwrap()
}

#[test]
fn a_table_file_is_called_one_where_a_directory_is_wanted() {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", "nim:2x2", "--engine", "table", "--out", "nim.tbl"]);
    for command in [
        &["compare", "nim.tbl"][..],
        &["export", "nim.tbl", "--format", "csv", "--out", "-"],
        &["info", "nim.tbl"],
        &["estimate", "nim.tbl"],
    ] {
        let said = said(dir.path(), command);
        assert!(said.contains("this is a file, not a directory"), "{command:?}: {said}");
        assert!(said.contains("a table file, which query, line, verify"), "{command:?}: {said}");
    }
    let table = said(dir.path(), &["stats", "nim.tbl"]);
    assert!(table.contains("a table of all boards, and 'stats' does not apply to such tables"), "{table}");
    let said = said(dir.path(), &["stats", "nowhere"]);
    assert!(said.contains("there is no such directory") && said.contains("'nerode solve'"), "{said}");
}

#[test]
fn a_file_that_is_no_log_of_a_match_is_called_one() {
    let dir = with_run("nim:2x2", &[]);
    fs::write(dir.path().join("other"), "some text\n").unwrap();
    for (player, log, hint) in [
        ("random", "other", "name a new file with --log"),
        ("external:/bin/nosuch", "new", "check the name of the program"),
    ] {
        let said = said(dir.path(), &["match", "perfect:run", player, "--log", log]);
        assert!(said.contains(hint) && !said.contains("solution"), "{player}: {said}");
    }
}

#[test]
fn a_table_does_not_go_to_standard_output() {
    let dir = scratch();
    for out in ["-", "/dev/stdout"] {
        let said = said(dir.path(), &["solve", "nim:2x2", "--engine", "table", "--out", out]);
        assert!(said.contains("a table is written to a file"), "{out}: {said}");
    }
    assert!(!dir.path().join("-").exists());
}

#[test]
fn a_directory_of_another_kind_is_told_with_the_commands_that_take_it() {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", "othello:3x3", "--score", "--run-dir", "scores"]);
    for command in [&["estimate", "scores"][..], &["compare", "scores"], &["pack", "scores"]] {
        let said = said(dir.path(), command);
        assert!(said.contains("query, line, stats and info accept scores"), "{command:?}: {said}");
        assert!(!said.contains("--out") && !said.contains("--run-dir"), "{command:?}: {said}");
    }
}

#[test]
fn what_cannot_be_verified_says_what_can() {
    let dir = with_run("othello:3x3", &["--method", "retrograde"]);
    ends(dir.path(), 0, &["solve", "othello:3x3", "--score", "--run-dir", "scores"]);
    ends(dir.path(), 0, &["pack", "run", "--out", "values"]);
    for (path, helps) in
        [("scores", "'nerode solve' without --score"), ("values", "'nerode verify RUN --values values'")]
    {
        let said = said(dir.path(), &["verify", path]);
        let (error, hint) = said.split_once("\nhint: ").unwrap();
        assert!(error.contains("cannot be checked on their own") && hint.contains(helps), "{said}");
    }
    ends(dir.path(), 0, &["verify", "run", "--values", "values"]);
}

#[test]
fn a_run_that_is_there_is_asked_or_continued() {
    let dir = with_run("nim:2x2", &["--method", "retrograde"]);
    let said = said(dir.path(), &["solve", "nim:2x2", "--run-dir", "run"]);
    assert!(said.contains("finished run of nim:2x2; query it with 'nerode query run start'"), "{said}");
    assert!(said.contains("--overwrite"), "{said}");
}

#[test]
fn a_damaged_or_missing_set_is_made_again_as_the_hint_says() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let sets: Vec<_> =
        fs::read_dir(dir.path().join("run/sets")).unwrap().map(|e| e.unwrap().path()).collect();
    for damaged in [true, false] {
        for set in &sets {
            if damaged { fs::write(set, "x").unwrap() } else { fs::remove_file(set).unwrap() }
        }
        let said = said(dir.path(), &["verify", "run"]);
        assert!(said.contains("'nerode resume run' recomputes it"), "{damaged}: {said}");
        ends(dir.path(), 0, &["resume", "run"]);
        ends(dir.path(), 0, &["verify", "run"]);
    }
}

#[test]
fn a_missing_unit_is_told_with_its_game() {
    let dir = scratch();
    let said = said(dir.path(), &["unit", "morris:six", "4-3-0-0", "--run-dir", "six"]);
    assert!(!said.contains("GAME"), "{said}");
    let told = said.contains("'nerode unit morris:six") && said.contains("--run-dir six'");
    assert!(told, "{said}");
}

#[test]
fn what_a_short_run_leaves_open_is_no_mismatch() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde", "--plies", "3"]);
    ends(dir.path(), 0, &["solve", "tictactoe:3x3", "--engine", "table", "--out", "t.tbl"]);
    for check in [&["--explicit"][..], &["--table", "t.tbl"]] {
        let found = json(dir.path(), &[&["verify", "run"], check].concat());
        assert_eq!(found["mismatches"], "0", "{check:?}: {found}");
    }
}

#[test]
fn a_completion_script_lists_commands_and_options() {
    let dir = scratch();
    for (shell, before, after) in [("bash", "nerode,", ")"), ("fish", "-a \"", "\""), ("zsh", "'", ":")] {
        let script = ends(dir.path(), 0, &["completions", shell]);
        let has = |name: &str| script.contains(&format!("{before}{name}{after}"));
        for shown in ["solve", "estimate", "pack", "man"] {
            assert!(has(shown), "{shell} {shown}");
        }
        assert!(!has("absent"), "{shell}");
        assert!(script.contains("progress"), "{shell}: completions lack options of a command");
    }
}
