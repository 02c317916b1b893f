//! Commands on sectors of morris games: their output, the files they write, and their errors.

use std::fs;

use crate::common::program::{assert_fields, count, ends, json, list, num_boards, refused, run_program};
use crate::common::scratch;

const ROOT: &str = "3-3-0-0";

fn folder() -> tempfile::TempDir {
    let dir = scratch();
    json(dir.path(), &["solve", "morris:six", "--sector", ROOT, "--run-dir", "six"]);
    dir
}

/// `--check` checks every position by forward play before a sector is written, and later once for sectors that have
/// not been checked.
#[test]
fn sectors_are_checked_while_they_are_solved() {
    let dir = tempfile::tempdir().unwrap();
    let solve = ["solve", "morris:three", "--engine", "sectors", "--run-dir", "three"];
    let solved = json(dir.path(), &solve);
    assert_eq!((&solved["solved_units"], &solved["checked_orbits"]), (&7.into(), &"0".into()));
    let checking = [&solve[..], &["--check"]].concat();
    let checked = json(dir.path(), &checking);
    assert_eq!(checked["solved_units"], 0);
    assert_eq!(checked["checked_orbits"], solved["solved_orbits"]);
    let again = json(dir.path(), &checking);
    assert_eq!(again["checked_orbits"], "0");
    let text =
        ends(dir.path(), 0, &["solve", "morris:three", "--engine", "sectors", "--check", "--run-dir", "new"]);
    assert!(text.contains("checked") && text.contains("0 mismatches"), "{text}");
    ends(dir.path(), 2, &["solve", "breakthrough:3x4", "--check"]);
}

#[test]
fn a_whole_game_is_solved_from_the_empty_board_and_resumed() {
    let dir = scratch();
    let solve = ["solve", "morris:three", "--sector", "start"];
    let solved = json(dir.path(), &solve);
    assert_fields(
        &solved,
        &[
            "game",
            "fingerprint",
            "orbits",
            "win",
            "draw",
            "loss",
            "max_dtw",
            "dtw_histogram",
            "seconds",
            "run_dir",
        ],
        "solve",
    );
    assert_eq!(solved["start"]["category"], "win");
    assert_ne!(solved["solved_orbits"], "0");
    let again = json(dir.path(), &solve);
    assert_eq!((&again["solved_orbits"], &again["start"]), (&"0".into(), &solved["start"]));
    // The oracle does not use sectors.
    let oracle = json(dir.path(), &["solve", "morris:three", "--engine", "table"]);
    assert_eq!(
        (&oracle["start"]["category"], &oracle["start"]["dtw"]),
        (&solved["start"]["category"], &solved["start"]["dtw"])
    );
    let stats = json(dir.path(), &["stats", "runs/morris_three"]);
    assert_eq!(list(&stats["sectors"]).len(), 7);
    let verified = json(dir.path(), &["verify", "runs/morris_three"]);
    // Nine points: the boards with the numbers of stones of each sector, and not only one of every orbit.
    let all: u128 = list(&stats["sectors"]).iter().map(|line| num_boards(9, &line["sector"])).sum();
    assert!(all > count(&stats["orbits"]));
    assert_eq!((count(&verified["mismatches"]), count(&verified["checked"])), (0, all));
    let query = json(dir.path(), &["query", "runs/morris_three", "start"]);
    assert_eq!((&query["category"], &query["dtw"]), (&"win".into(), &solved["start"]["dtw"]));
    let best = &list(&query["moves"])[0];
    assert_eq!((&best["category"], list(&query["moves"]).len()), (&"loss".into(), 9));
    assert_eq!(best["dtw"].as_u64().unwrap() + 1, query["dtw"].as_u64().unwrap());
}

/// Sets and sectors of a whole game, solved separately, agree on value and depth of every position.
#[test]
fn a_whole_game_as_sets_and_by_sectors_is_the_same() {
    let dir = scratch();
    json(dir.path(), &["solve", "morris:three", "--sector", "start", "--run-dir", "sectors"]);
    json(dir.path(), &["solve", "morris:three", "--method", "retrograde", "--run-dir", "sets"]);
    let verified = json(dir.path(), &["verify", "sets", "--table", "sectors"]);
    assert_eq!(verified["mismatches"], "0");
    // There are 9 · 8 · 7 · 6 · 5 · 4 / (3! · 3!) boards with all stones for either side, and more with fewer stones.
    assert!(count(&verified["checked"]) > 2 * 1680);
    json(dir.path(), &["solve", "morris:three,diagonals=no", "--sector", "start", "--run-dir", "others"]);
    assert!(refused(dir.path(), &["verify", "sets", "--table", "others"]).contains("created for rules"));
}

#[test]
fn work_units_one_at_a_time_are_the_same_files() {
    let dir = folder();
    let plan = json(dir.path(), &["plan", "morris:six", "--sector", ROOT, "--run-dir", "units"]);
    let units: Vec<&str> = list(&plan["units"]).iter().map(|unit| unit["unit"].as_str().unwrap()).collect();
    assert!(list(&plan["units"]).iter().all(|unit| unit["solved"] == false));
    let unit = |name| ["unit", "morris:six", name, "--run-dir", "units"];
    for name in &units {
        let done = json(dir.path(), &unit(name));
        assert_eq!(done["unit"], *name);
    }
    let plan = json(dir.path(), &["plan", "morris:six", "--sector", ROOT, "--run-dir", "units"]);
    assert!(list(&plan["units"]).iter().all(|unit| unit["solved"] == true));
    // Existing sectors are not solved again.
    let file = dir.path().join("units").join(format!("{ROOT}.sector"));
    let written = || fs::metadata(&file).unwrap().modified().unwrap();
    let before = written();
    let again = json(dir.path(), &unit(ROOT));
    assert_eq!((&again["already_solved"], &again["seconds_solve"]), (&true.into(), &0.0.into()));
    assert_eq!((written(), &again["sectors"][0]["sector"]), (before, &ROOT.into()));
    assert!(ends(dir.path(), 0, &unit(ROOT)).contains("already solved"));
    for unit in list(&plan["units"]) {
        for sector in list(&unit["sectors"]) {
            let file = format!("{}.sector", sector.as_str().unwrap());
            let read = |run: &str| fs::read(dir.path().join(run).join(&file)).unwrap();
            assert!(read("units") == read("six"), "{file}");
        }
    }
    let text = ends(dir.path(), 0, &["plan", "morris:six", "--sector", ROOT]);
    assert!(text.contains(ROOT) && text.contains("1 work unit, 1 sector, "), "{text}");
}

#[test]
fn sectors_are_refused_with_a_reason() {
    let dir = folder();
    let refusals: [(&[&str], &str); 17] = [
        (&["solve", "nim:3x7", "--sector", ROOT], "morris"),
        (&["solve", "morris:six", "--sector", "3-3"], "4-3-0-0"),
        (&["solve", "morris:six", "--sector", "2-3-0-0"], "stones"),
        (&["solve", "morris:seven", "--sector", ROOT, "--run-dir", "six"], "created for rules"),
        (&["unit", "morris:six", "4-4-0-0", "--run-dir", "six"], "which unit 4-4-0-0 leads to"),
        (&["unit", "morris:six", "9-9-0-0", "--run-dir", "six"], "does not exist"),
        (&["solve", "morris:six", "--sector", "7-3-0-0"], "6 stones per side"),
        (&["solve", "morris:six", "--sector", "3-3-9-9"], "6 stones per side"),
        (&["solve", "morris:six", "--sector", "3-3-255-255"], "6 stones per side"),
        (&["solve", "morris:six", "--engine", "sets", "--sector", "7-3-0-0"], "6 stones per side"),
        (&["plan", "morris:six", "--sector", "6-6-6-6"], "6 stones per side"),
        (&["unit", "morris:six", "4-3-3-3", "--run-dir", "six"], "6 stones per side"),
        (&["compare", "six", "--sector", "7-3-0-0"], "6 stones per side"),
        (&["compare", "six", "--sector", "4-4-0-0"], "sector 4-4-0-0 is not in six"),
        (&["verify", "six", "--table", "std_3_3_0_0.sec", "--sector", ROOT], "--sector"),
        (&["export", "six", "--format", "sec", "--out", "out"], "Malom"),
        (&["verify", "six", "--explicit"], "forward play"),
    ];
    for (args, part) in refusals {
        let message = refused(dir.path(), args);
        assert!(message.contains(part), "{args:?}: {message}");
    }
    let file = dir.path().join("six").join(format!("{ROOT}.sector"));
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 40;
    bytes[last] ^= 1;
    fs::write(&file, &bytes).unwrap();
    for command in ["stats", "verify"] {
        let message = refused(dir.path(), &[command, "six"]);
        assert!(message.contains("digest"), "{message}");
    }
}

#[test]
fn malom_files_go_out_and_come_back() {
    let dir = scratch();
    json(dir.path(), &["solve", "morris:nine", "--sector", ROOT, "--run-dir", "nine"]);
    let written = &json(dir.path(), &["export", "nine", "--format", "sec", "--out", "out"])["files"];
    assert_eq!(list(written).len(), 1);
    let file = list(written)[0]["file"].as_str().unwrap();
    assert!(file.ends_with("std_3_3_0_0.sec"), "{file}");
    let verified = json(dir.path(), &["verify", "nine", "--table", file]);
    assert_eq!(verified["mismatches"], "0");
    json(dir.path(), &["import", "morris:nine", file, "--run-dir", "back"]);
    let name = format!("{ROOT}.sector");
    assert!(
        fs::read(dir.path().join("nine").join(&name)).unwrap()
            == fs::read(dir.path().join("back").join(&name)).unwrap()
    );
    // A draw was changed to a loss, which is a difference and not an error.
    let path = dir.path().join(file);
    let mut bytes = fs::read(&path).unwrap();
    let slots = bytes.len() - 4;
    let draw = bytes[..slots].iter().position(|&byte| byte >= 195).unwrap();
    bytes[draw] = 4;
    fs::write(&path, &bytes).unwrap();
    let output = run_program(dir.path(), &["verify", "nine", "--table", file]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    // The changed entry stands for the 16 images of its position.
    assert!(text.contains("2 691 920 positions checked, 16 mismatches,") && text.contains("rules"), "{text}");
    fs::write(&path, &bytes[..1000]).unwrap();
    refused(dir.path(), &["import", "morris:nine", file, "--run-dir", "new"]);
    assert!(!dir.path().join("new").exists());
}

#[test]
#[ignore = "slow: .ci/slow"]
fn sectors_are_solved_once_more_as_sets_and_stored_in_every_form() {
    let dir = folder();
    let verified = json(dir.path(), &["verify", "six", "--sets", "--sector", ROOT]);
    assert_eq!((&verified["mismatches"], &verified["checks"][0]), (&"0".into(), &"sets".into()));
    let figures =
        ["sector", "positions", "decided", "num_states", "max_dtw", "solve_seconds", "compare_seconds"];
    assert_fields(&verified["sets"][0], &figures, "a sector as sets");
    let rows = &json(dir.path(), &["compare", "six", "--sector", ROOT])["forms"];
    for row in list(rows) {
        assert_fields(
            row,
            &["sector", "form", "bytes", "orbits_per_byte", "lookup_ns", "build_seconds"],
            "a row",
        );
        assert_eq!(row["sector"], ROOT);
    }
    let forms: Vec<&str> = list(rows).iter().map(|row| row["form"].as_str().unwrap()).collect();
    for part in ["2 bits", "run-length", "zstd", "multi-root automaton", "kept"] {
        assert!(forms.iter().any(|form| form.contains(part)), "no {part} in {forms:?}");
    }
    assert!(refused(dir.path(), &["compare", "six", "--sector", "4-4-0-0"]).contains("is not in six"));
}

#[test]
fn sectors_are_solved_as_sets_and_taken_up_again() {
    let dir = folder();
    let solve = |sector| ["solve", "morris:six", "--engine", "sets", "--sector", sector, "--run-dir", "sets"];
    let mut solved = json(dir.path(), &solve(ROOT));
    let mut again = json(dir.path(), &solve(ROOT));
    let number = |name: &str| solved["sectors"][0][name].as_str().unwrap().parse::<u128>().unwrap();
    assert_eq!(number("win") + number("draw") + number("loss"), number("positions"));
    assert!(number("win") > 0 && solved["sectors"][0]["longest_win"].is_number());
    for result in [&mut solved, &mut again] {
        result["sectors"][0]["seconds"] = 0.into();
    }
    assert_eq!(solved["sectors"], again["sectors"]);
    // The comparison uses the solved sets.
    let verify = ["verify", "six", "--sets", "--sets-dir", "sets", "--sector", ROOT];
    assert_eq!(json(dir.path(), &verify)["mismatches"], "0");
    assert!(ends(dir.path(), 0, &solve(ROOT)).contains("longest win"));
    assert!(refused(dir.path(), &solve("0-0-6-6")).contains("stones in hand"));
    assert!(refused(dir.path(), &[&solve(ROOT)[..], &["--method", "meet"]].concat()).contains("--method"));
    let elsewhere = ["solve", "morris:six", "--engine", "sets", "--sector", ROOT, "--run-dir", "six"];
    assert!(refused(dir.path(), &elsewhere).contains("expected sectors as sets, found sectors"));
    assert!(refused(dir.path(), &["solve", "nim:2x2", "--sector", ROOT]).contains("nim:2x2"));
}

/// Winning moves alone may repeat positions for ever.
#[test]
fn a_line_is_refused_where_nothing_says_which_winning_move_wins() {
    let dir = folder();
    ends(dir.path(), 0, &["pack", "six", "--out", "packed"]);
    let position = "OO*O@***/@***@*** w 0-0";
    let query = json(dir.path(), &["query", "six", position, "--any"]);
    assert!(["win", "loss"].contains(&query["category"].as_str().unwrap()), "{query}");
    assert_eq!(json(dir.path(), &["line", "six", position, "--any"])["end"], "over");
    let message = refused(dir.path(), &["line", "packed", position, "--any"]);
    assert!(message.contains("has no depths"), "{message}");
}
