//! The command `solve` with its engines, `info` and `pack`: results, valid combinations of options, and messages.

use std::fs;

use crate::common::program::{count, ends, json, list, refused};
use crate::common::{assert_same_files, files, scratch};

/// Options that do not apply to the result are rejected by name before any work.
#[test]
fn options_that_do_not_fit_the_engine_are_refused() {
    let dir = scratch();
    let at = dir.path();
    for (arguments, option) in [
        (&["nim:2x2", "--engine", "table", "--plies", "3"][..], "--plies"),
        (&["nim:2x2", "--engine", "table", "--run-dir", "x"], "--run-dir"),
        (&["nim:2x2", "--engine", "table", "--resume"], "--resume"),
        (&["nim:2x2", "--engine", "sets", "--out", "x"], "--out"),
        (&["morris:six", "--sector", "3-3-0-0", "--chains", "one"], "--chains"),
        (&["morris:six", "--sector", "3-3-0-0", "--overwrite"], "--overwrite"),
        (&["morris:six", "--engine", "sets", "--sector", "3-3-0-0", "--order", "points"], "--order"),
        (&["morris:six", "--engine", "sectors", "--method", "meet"], "--method"),
        (&["breakthrough:2x4", "--anyway"], "--anyway"),
        (&["othello:3x3", "--score", "--method", "meet"], "--method"),
        (&["othello:3x3", "--score", "--engine", "table"], "--engine"),
        (&["nim:2x2", "--engine", "sectors"], "morris"),
    ] {
        let errors = refused(at, &[&["solve"][..], arguments].concat());
        assert!(errors.contains(option), "{arguments:?}: {errors}");
    }
    assert!(files(at).is_empty(), "work was done before the refusal");
}

#[test]
fn one_command_makes_sets_tables_sectors_and_scores() {
    let dir = scratch();
    let at = dir.path();
    json(at, &["solve", "morris:three"]);
    let table = json(at, &["solve", "morris:three", "--engine", "table"]);
    assert_eq!(table["file"], "runs/morris_three.tbl");
    ends(at, 0, &["solve", "morris:three", "--engine", "table", "--out", "other.tbl"]);
    assert!(fs::read(at.join("other.tbl")).unwrap() == fs::read(at.join("runs/morris_three.tbl")).unwrap());
    assert!(refused(at, &["solve", "morris:three", "--engine", "table"]).contains("--overwrite"));
    json(at, &["solve", "morris:three", "--engine", "table", "--overwrite"]);
    let sectors = json(at, &["solve", "morris:three", "--engine", "sectors", "--run-dir", "sectors"]);
    assert_eq!(sectors["start"]["dtw"], table["start"]["dtw"]);
    assert_eq!(json(at, &["verify", "runs/morris_three", "--table", "sectors"])["mismatches"], "0");
    let sets =
        json(at, &["solve", "morris:six", "--engine", "sets", "--sector", "3-3-0-0", "--run-dir", "sets"]);
    assert_eq!(sets["sectors"][0]["sector"], "3-3-0-0");
    // Scores are stored, so that 'query' finds them.
    let scores = json(at, &["solve", "othello:3x3", "--score"]);
    assert_eq!(scores["run_dir"], "runs/othello_3x3.scores");
    assert_eq!(json(at, &["query", "runs/othello_3x3.scores", "start"])["score"], -9);
    assert!(refused(at, &["solve", "othello:3x3", "--score"]).contains("--overwrite"));
    json(at, &["solve", "othello:3x3", "--score", "--overwrite"]);
}

/// Defect 3: a directory contains one kind of solution.
#[test]
fn nothing_is_mixed_into_a_directory_that_holds_something_else() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:three", "--run-dir", "run"]);
    ends(at, 0, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "sectors"]);
    ends(at, 0, &["solve", "morris:three", "--engine", "sets", "--sector", "3-3-0-0", "--run-dir", "sets"]);
    ends(at, 0, &["solve", "othello:3x3", "--score", "--run-dir", "scores"]);
    let before = files(at);
    let ways: [(&[&str], &str); 4] = [
        (&["solve", "morris:three"], "run"),
        (&["solve", "morris:three", "--sector", "3-3-0-0"], "sectors"),
        (&["solve", "morris:three", "--engine", "sets", "--sector", "3-3-0-0"], "sets"),
        (&["solve", "othello:3x3", "--score", "--overwrite"], "scores"),
    ];
    for (way, own) in ways {
        for other in ["run", "sectors", "sets", "scores"].into_iter().filter(|other| *other != own) {
            let errors = refused(at, &[way, &["--run-dir", other]].concat());
            assert!(errors.contains("found"), "{way:?} into {other}: {errors}");
        }
    }
    let errors = refused(at, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "run"]);
    assert!(errors.contains("expected sectors, found a run"), "{errors}");
    assert_same_files(&files(at), &before, "after all these refusals");
}

#[test]
fn info_tells_what_a_directory_is_and_how_to_go_on() {
    let dir = scratch();
    let at = dir.path();
    ends(
        at,
        0,
        &["solve", "breakthrough:2x6", "--method", "retrograde", "--plies", "3", "--run-dir", "part"],
    );
    let info = json(at, &["info", "part"]);
    assert_eq!((&info["game"], &info["contents"]), (&"breakthrough:2x6".into(), &"a run".into()));
    assert_eq!((&info["method"], &info["finished"]), (&"retrograde".into(), &true.into()));
    assert_eq!(info["start"]["category"], "unknown");
    assert_eq!(info["continue_with"], "nerode resume part --plies end");
    let all = files(&at.join("part"));
    assert_eq!(info["files"], all.len());
    assert_eq!(info["bytes"], all.values().map(Vec::len).sum::<usize>());
    let go_on = info["continue_with"].as_str().unwrap();
    ends(at, 0, &go_on.split(' ').skip(1).collect::<Vec<_>>());
    let info = json(at, &["info", "part"]);
    assert!(info["continue_with"].is_null() && info["start"]["dtw"].is_number(), "{info}");
    let text = ends(at, 0, &["info", "part"]);
    for part in ["breakthrough:2x6", "retrograde", "finished     yes", "nerode query part start"] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    ends(at, 0, &["solve", "morris:three", "--sector", "start", "--run-dir", "sectors"]);
    let info = json(at, &["info", "sectors"]);
    assert_eq!((&info["contents"], &info["start"]["category"]), (&"sectors".into(), &"win".into()));
    fs::create_dir(at.join("empty")).unwrap();
    assert!(refused(at, &["info", "empty"]).contains("empty"));
    assert!(refused(at, &["info", "part", "--order", "columns"]).contains("--order"));
}

#[test]
fn sectors_are_packed_and_read_back() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:six", "--sector", "4-3-0-0", "--run-dir", "six"]);
    let packed = json(at, &["pack", "six"]);
    let stats = json(at, &["stats", "six"]);
    assert_eq!(packed["orbits"], stats["orbits"], "every position is looked up");
    assert!(packed["bytes"].as_u64().unwrap() * 3 < stats["bytes"].as_u64().unwrap());
    assert_eq!(json(at, &["info", "six/packed"])["contents"], "packed sectors");
    assert!(refused(at, &["pack", "six"]).contains("--overwrite"));
    let one = json(at, &["pack", "six", "--sector", "3-3-0-0", "--out", "one"]);
    assert_eq!(list(&one["sectors"]).len(), 1);
    assert!(refused(at, &["pack", "six", "--care", "admissible", "--out", "x"]).contains("--care"));
    // The packed solution gives the same answers as its source, without depths.
    ends(at, 0, &["solve", "morris:three", "--sector", "start", "--run-dir", "three"]);
    ends(at, 0, &["pack", "three"]);
    let [tables, small] = ["three", "three/packed"].map(|from| json(at, &["query", from, "start"]));
    assert_eq!((&small["category"], &small["dtw"]), (&tables["category"], &serde_json::Value::Null));
    for one in list(&small["moves"]) {
        let same = list(&tables["moves"]).iter().find(|reply| reply["move"] == one["move"]).unwrap();
        assert_eq!(one["category"], same["category"], "{one}");
    }
    ends(at, 0, &["solve", "nim:2x3", "--run-dir", "run"]);
    ends(at, 0, &["pack", "run"]);
}

#[test]
fn a_family_alone_is_its_usual_board_or_says_what_that_takes() {
    let dir = scratch();
    let at = dir.path();
    assert_eq!(json(at, &["solve", "tictactoe"])["game"], "tictactoe:3x3");
    for (family, usual, instead) in [
        ("connect", "connect:7x6", "connect:5x5"),
        ("breakthrough", "breakthrough:8x8", "breakthrough:5x5"),
        ("othello", "othello:8x8", "othello:4x4"),
        ("amazons", "amazons:10x10", "amazons:4x4"),
        ("chess", "chess:start", "chess:KRvK"),
        ("morris", "morris:nine", "morris:six"),
    ] {
        let errors = refused(at, &["solve", family]);
        for part in [usual, "out of reach", &format!("'nerode solve {instead}'")] {
            assert!(errors.contains(part), "{family}: no '{part}' in {errors}");
        }
    }
    assert_eq!(json(at, &["info", "connect"])["game"], "connect:7x6");
}

/// The most interesting result is the longest win for an endgame, and the winner for other games. Games of both kinds
/// have admissible positions.
#[test]
fn the_headline_is_the_longest_win_where_play_begins_anywhere() {
    let dir = scratch();
    let at = dir.path();
    let solve = ["solve", "chess:KRvK,board=4x4", "--run-dir", "chess"];
    let text = ends(at, 0, &solve);
    assert!(text.contains("longest win         P1 to move wins in") && !text.contains("winner"), "{text}");
    let solved = json(at, &["resume", "chess"]);
    let census = json(at, &["stats", "chess", "--orbits"]);
    let rows = list(&census["census"]["rows"]).iter().filter(|row| row["side"] == "P1");
    let longest = rows.filter_map(|row| row["longest_win"]["dtw"].as_u64()).max();
    assert_eq!(solved["longest_win"]["dtw"].as_u64(), longest);
    assert!(count(&solved["longest_win"]["positions"]) > 0);
    let text = ends(at, 0, &["solve", "breakthrough:2x4", "--run-dir", "pawns"]);
    assert!(
        text.contains("winner") && text.contains("positions per byte") && text.contains("admissible"),
        "{text}"
    );
    let solved = json(at, &["resume", "pawns"]);
    assert!(solved["longest_win"].is_null());
    let [all, admissible] =
        ["positions_per_byte", "admissible_positions_per_byte"].map(|name| solved[name].as_f64().unwrap());
    assert!(0.0 < admissible && admissible < all);
}
