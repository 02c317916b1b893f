//! Directories of sectors: repair, smaller requests, and separation from other files.

use std::fs;
use std::path::Path;

use crate::common::program::{ends, json, list, refused, run_program};
use crate::common::scratch;

const ROOT: &str = "3-3-0-0";

fn unit(at: &Path, sector: &str) {
    ends(at, 0, &["unit", "morris:six", sector, "--run-dir", "units"]);
}

/// Damages the file of a sector, and returns its original bytes.
fn damaged(at: &Path, sector: &str) -> Vec<u8> {
    let path = at.join("units").join(format!("{sector}.sector"));
    let whole = fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let last = bytes.len() - 40;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    whole
}

fn noted(at: &Path, command: &[&str]) -> String {
    let output = run_program(at, command);
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_directory_of_single_units_is_mended() {
    let dir = scratch();
    let at = dir.path();
    unit(at, ROOT);
    unit(at, "4-3-0-0");
    let said = noted(at, &["resume", "units"]);
    assert!(said.contains("every file is intact") && said.contains("nerode unit morris:six"), "{said}");
    let whole = damaged(at, "4-3-0-0");
    let resumed = json(at, &["resume", "units"]);
    assert_eq!(resumed["mended"], serde_json::json!(["4-3-0-0"]));
    assert!(fs::read(at.join("units/4-3-0-0.sector")).unwrap() == whole);
    // The dependency of the damaged unit is missing.
    damaged(at, "4-3-0-0");
    fs::remove_file(at.join("units/3-3-0-0.sector")).unwrap();
    let said = refused(at, &["resume", "units"]);
    assert!(
        said.contains("unit 4-3-0-0 leads to") && said.contains("nerode unit morris:six 3-3-0-0"),
        "{said}"
    );
}

#[test]
fn a_sector_that_nobody_asked_for_is_mended_beside_those_asked_for() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:six", "--sector", ROOT, "--run-dir", "units"]);
    unit(at, "4-3-0-0");
    let whole = damaged(at, "3-4-0-0");
    ends(at, 0, &["resume", "units"]);
    assert!(fs::read(at.join("units/3-4-0-0.sector")).unwrap() == whole);
}

#[test]
fn a_sector_that_was_asked_for_is_taken_back() {
    let dir = scratch();
    let at = dir.path();
    for engine in ["sectors", "sets"] {
        let solve = ["solve", "morris:six", "--engine", engine, "--sector", ROOT, "--run-dir", engine];
        ends(at, 0, &solve);
        // The sectors were requested by a solve that was stopped.
        let manifest =
            at.join(engine).join(if engine == "sets" { "sector-sets.json" } else { "sectors.json" });
        let asked = || json(at, &["info", engine])["request"][0].as_str().unwrap_or("nothing").to_string();
        assert!(asked().contains(ROOT), "{}", asked());
        let said = refused(at, &["resume", engine, "--without", "6-6-0-0"]);
        assert!(said.contains("was not requested") && said.contains(ROOT), "{said}");
        let before = fs::read(&manifest).unwrap();
        ends(at, 0, &["resume", engine, "--without", ROOT]);
        assert_eq!(asked(), "nothing");
        assert!(fs::read(&manifest).unwrap() != before);
        ends(at, 0, &["resume", engine]);
        assert_eq!(asked(), "nothing", "resume must not request anything");
    }
    ends(at, 0, &["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "nim"]);
    assert!(refused(at, &["resume", "nim", "--without", ROOT]).contains("directories of sectors"));
}

#[test]
fn a_unit_in_work_is_told_from_other_errors() {
    let dir = scratch();
    let at = dir.path();
    unit(at, ROOT);
    fs::remove_file(at.join("units/3-3-0-0.sector")).unwrap();
    let lock = fs::File::create(at.join("units/locks/3-3-0-0")).unwrap();
    lock.lock().unwrap();
    let said = refused(at, &["unit", "morris:six", ROOT, "--run-dir", "units"]);
    for part in
        ["unit 3-3-0-0 is being solved by another process", "choose another unit", "nerode plan morris:six"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_plan_counts_what_is_solved_and_shows_both_sectors_of_a_unit() {
    let dir = scratch();
    let at = dir.path();
    unit(at, ROOT);
    let plan = ["plan", "morris:six", "--sector", "4-3-0-0", "--run-dir", "units"];
    let said = json(at, &plan);
    let bytes = fs::metadata(at.join("units/3-3-0-0.sector")).unwrap().len();
    assert_eq!(said["num_sectors"], 3);
    assert_eq!(said["there"], serde_json::json!({ "num_units": 1, "num_sectors": 1, "bytes": bytes }));
    let text = ends(at, 0, &plan);
    assert!(text.contains("2 work units, 3 sectors, "), "{text}");
    assert!(text.contains("solved: 1 work unit of 2, 1 sector of 3, "), "{text}");
    assert!(text.contains("\n4-3-0-0 3-4-0-0 "), "{text}");
    assert!(json(at, &plan[..4])["there"].is_null());
}

#[test]
fn counts_have_their_plural_and_labels_one_style() {
    let dir = scratch();
    let at = dir.path();
    let text = ends(at, 0, &["solve", "morris:six", "--sector", ROOT, "--run-dir", "units"]);
    assert!(text.contains("1 work unit, ") && text.contains("\nrun directory  units"), "{text}");
    assert!(ends(at, 0, &["info", "units"]).contains("1 sector, 1 of 1 requested work units"));
    assert!(ends(at, 0, &["stats", "units"]).contains("1 sector, "));
    ends(at, 0, &["solve", "morris:six", "--engine", "sets", "--sector", ROOT, "--run-dir", "sets"]);
    assert!(ends(at, 0, &["info", "sets"]).contains("1 sector as sets, including all requested ones"));
    assert!(ends(at, 0, &["stats", "sets"]).contains("1 sector as sets, "));
}

#[test]
fn nothing_is_put_into_a_directory_of_somebody_else() {
    let dir = scratch();
    let at = dir.path();
    fs::create_dir(at.join("mine")).unwrap();
    fs::write(at.join("mine/thesis.tex"), "x").unwrap();
    fs::write(at.join("file"), "x").unwrap();
    let commands: [&[&str]; 5] = [
        &["solve", "nim:2x3", "--method", "retrograde"],
        &["solve", "morris:six", "--sector", ROOT],
        &["solve", "morris:six", "--engine", "sets", "--sector", ROOT],
        &["unit", "morris:six", ROOT],
        &["solve", "othello:3x3", "--score"],
    ];
    for command in commands {
        let into = |dir: &str| refused(at, &[command, &["--run-dir", dir]].concat());
        let said = into("mine");
        assert!(said.contains("'thesis.tex'") && said.contains("new or empty"), "{command:?}: {said}");
        let said = into("file");
        assert!(said.contains("this is a file; name a directory"), "{command:?}: {said}");
        let said = into("-");
        assert!(said.contains("standard output"), "{command:?}: {said}");
    }
    assert_eq!((fs::read_dir(at).unwrap().count(), fs::read_dir(at.join("mine")).unwrap().count()), (2, 1));
    // Hidden files and the files left by a killed writer do not interfere.
    fs::create_dir(at.join("left")).unwrap();
    for name in [".DS_Store", "lock", "3-3-0-0.sector.unfinished-1-0.tmp"] {
        fs::write(at.join("left").join(name), "").unwrap();
    }
    ends(at, 0, &["unit", "morris:six", ROOT, "--run-dir", "left"]);
}

#[test]
fn a_missing_sector_is_not_covered_whatever_the_directory() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:six", "--sector", ROOT, "--run-dir", "tables"]);
    ends(at, 0, &["solve", "morris:six", "--engine", "sets", "--sector", ROOT, "--run-dir", "sets"]);
    ends(at, 0, &["pack", "tables", "--out", "packed"]);
    let position = "OO*O@***/@***@*O* w 0-0";
    for run in ["tables", "sets", "packed"] {
        let query = ["query", run, position, "--any"];
        let said = json(at, &query);
        assert_eq!(
            (&said["category"], list(&said["moves"]).is_empty()),
            (&"not covered".into(), false),
            "{run}"
        );
        assert!(list(&said["moves"]).iter().any(|line| line["category"] == "not covered"), "{run}");
        let note = noted(at, &query);
        assert!(note.contains("4-3-0-0") && note.contains(&format!("not in {run}")), "{note}");
        assert_eq!(json(at, &["line", run, position, "--any"])["end"], "unknown", "{run}");
    }
    assert!(noted(at, &["query", "tables", position, "--any"]).contains("nerode unit morris:six"));
}

#[test]
fn only_morris_games_have_sectors() {
    let dir = scratch();
    for command in [
        &["solve", "nim:2x3", "--sector", ROOT][..],
        &["solve", "nim:2x3", "--engine", "sets", "--sector", ROOT],
        &["plan", "nim:2x3"],
        &["unit", "nim:2x3", ROOT, "--run-dir", "new"],
    ] {
        let said = refused(dir.path(), command);
        assert!(said.contains("only morris games have sectors"), "{said}");
        assert!(!said.contains("accepted form"), "{said}");
    }
}
