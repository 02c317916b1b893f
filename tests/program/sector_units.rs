//! Games solved unit by unit, drawings of positions, and files given instead of directories.

use std::fs::{self, File};
use std::path::Path;

use crate::common::program::{ends, json, list, refused, with_run};
use crate::common::scratch;

/// Returns the names of the units of a game.
fn units(at: &Path, game: &str) -> Vec<String> {
    let plan = json(at, &["plan", game, "--run-dir", "d"]);
    list(&plan["units"]).iter().map(|unit| unit["unit"].as_str().unwrap().to_string()).collect()
}

/// Returns the board in an answer of `query`.
fn drawing(answer: &str) -> &str {
    let (_, board) = answer.split_once("\n\n").unwrap();
    board.split_inclusive("to move\n").next().unwrap()
}

#[test]
fn a_game_solved_unit_by_unit_is_finished() {
    let dir = scratch();
    let at = dir.path();
    let units = units(at, "morris:three");
    for (done, unit) in units.iter().enumerate() {
        if done == 1 {
            assert_eq!(json(at, &["info", "d"])["finished"], false);
        }
        ends(at, 0, &["unit", "morris:three", unit, "--run-dir", "d"]);
    }
    assert_eq!(json(at, &["info", "d"])["finished"], true);
    // A position can be read in the form in which it was drawn.
    let answer = ends(at, 0, &["query", "d", "start"]);
    let board = drawing(&answer);
    assert!(board.contains("in hand") && board.contains("| \\ |"), "{board}");
    assert_eq!(ends(at, 0, &["query", "d", board]), answer);
    // A unit on which others depend is missing, and later its file is damaged.
    let gone = at.join("d").join(format!("{}.sector", units[0]));
    let file = fs::read(&gone).unwrap();
    fs::remove_file(&gone).unwrap();
    let said = refused(at, &["resume", "d"]);
    assert!(said.contains("1 work unit, which is missing") && said.contains(&units[0]), "{said}");
    fs::write(&gone, &file[..file.len() - 1]).unwrap();
    assert!(refused(at, &["stats", "d"]).contains("'nerode resume d' recomputes it"));
    ends(at, 0, &["resume", "d"]);
    assert_eq!(fs::read(&gone).unwrap(), file);
    let sector = format!("d/{}.sector", units[0]);
    let wrong = refused(at, &["query", &sector, "start"]);
    assert!(wrong.contains("another kind of file") && wrong.contains("name the directory d"), "{wrong}");
}

/// A directory of sectors stands for its game, and errors about units say which word is missing.
#[test]
fn a_unit_is_named_by_its_directory_or_by_its_game() {
    let dir = scratch();
    let at = dir.path();
    let names = units(at, "morris:three");
    let refused = |arguments: &[&str], parts: &[&str]| {
        let said = refused(at, &[&["unit"], arguments].concat());
        for part in parts {
            assert!(said.contains(part), "{arguments:?} {part}: {said}");
        }
    };
    refused(&["morris:three"], &["no sector was named", "'nerode plan morris:three' lists", "--run-dir"]);
    refused(&["morris:three", &names[0]], &["no directory for sector", "--run-dir"]);
    refused(
        &["morris:three", "--run-dir", "d"],
        &["no sector was named", "'nerode plan morris:three --run-dir d'"],
    );
    refused(&["morris:three", "3-2-0-0", "--run-dir", "d"], &["3-2-0-0", "a side has 3 to 3 stones"]);
    ends(at, 0, &["unit", "morris:three", &names[0], "--run-dir", "d"]);
    refused(&["d"], &["no sector was named", "'nerode plan morris:three --run-dir d' lists"]);
    refused(&["d", &names[1], "--run-dir", "e"], &["two directories of sectors were named, d and e"]);
    ends(at, 0, &["unit", "d", &names[1]]);
    ends(at, 0, &["unit", "d", &names[2], "--run-dir", "d"]);
    let plan = json(at, &["plan", "morris:three", "--run-dir", "d"]);
    let solved = list(&plan["units"]).iter().filter(|unit| unit["solved"] == true).count();
    assert_eq!(solved, 3, "{plan}");
    ends(at, 0, &["solve", "nim:2x2", "--run-dir", "run"]);
    refused(&["run", &names[0]], &["run contains a run, which has no sectors"]);
}

#[test]
fn a_plan_shows_units_that_another_process_solves() {
    let dir = scratch();
    let at = dir.path();
    let units = units(at, "morris:three");
    ends(at, 0, &["unit", "morris:three", &units[0], "--run-dir", "d"]);
    let lock = File::create(at.join("d/locks").join(&units[1])).unwrap();
    lock.lock().unwrap();
    let plan = json(at, &["plan", "morris:three", "--run-dir", "d"]);
    let states: Vec<bool> = list(&plan["units"]).iter().map(|unit| unit["in_work"] == true).collect();
    assert_eq!(states[..3], [false, true, false]);
    assert_eq!(ends(at, 0, &["plan", "morris:three", "--run-dir", "d"]).matches("in progress").count(), 1);
}

/// For every family, a position can be given on the command line in the form in which the program draws it.
#[test]
fn every_family_reads_its_drawings() {
    for spec in [
        "tictactoe:3x3",
        "nim:2x3",
        "breakthrough:2x4",
        "othello:3x3",
        "amazons:3x2,start=w1b/3",
        "connect:3x3,row=3",
        "chess:KRvK,board=4x4",
    ] {
        let dir = with_run(spec, &[]);
        let at = dir.path();
        let answer = ends(at, 0, &["query", "run", "start"]);
        assert_eq!(ends(at, 0, &["query", "run", drawing(&answer)]), answer, "{spec}");
    }
}

#[test]
fn the_record_of_an_export_is_no_file_to_import() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:nine", "--sector", "3-3-0-0", "--run-dir", "nine"]);
    ends(at, 0, &["export", "nine", "--format", "sec", "--out", "malom"]);
    let (record, file) = ("malom/nerode-export.json", "malom/std_3_3_0_0.sec");
    ends(at, 0, &["import", "morris:nine", record, file, "--run-dir", "again"]);
    ends(at, 0, &["verify", "nine", "--table", record, file]);
    let import = |path: &str| refused(at, &["import", "morris:nine", path, "--run-dir", "other"]);
    assert!(import(record).contains("none of Malom's files"));
    assert!(import("no/file").contains("no/file does not exist"));
    assert!(refused(at, &["verify", "nine", "--table", "no/file"]).contains("no/file does not exist"));
}
