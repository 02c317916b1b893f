//! What a solution covers and where its depths come from, and the stored depths of runs from the start.

use std::fs;

use serde_json::Value;

use crate::common::program::{ends, json, list, refused, run_program, with_run};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::check::early;
use nerode_solver::solve::resources::Resources;

#[test]
fn the_method_the_coverage_and_the_source_of_depths_are_named() {
    for (spec, method, covers, depths) in [
        ("connect:4x3,row=3", "retrograde", "all-boards", "stored"),
        ("connect:4x3,row=3", "meet", "reached-positions", "search"),
        ("othello:4x3", "meet", "reached-positions", "search"),
        ("amazons:3x3,start=1b1/3/1w1", "meet", "reached-positions", "search"),
        ("tictactoe:3x3", "meet", "reached-positions", "search"),
    ] {
        let dir = with_run(spec, &["--method", method]);
        let at = dir.path();
        for found in [json(at, &["info", "run"]), json(at, &["query", "run", "start"])] {
            assert_eq!((&found["method"], &found["covers"]), (&method.into(), &covers.into()), "{spec}");
            assert_eq!(found["depths"], depths, "{spec}");
        }
        let (info, query) = (ends(at, 0, &["info", "run"]), ends(at, 0, &["query", "run", "start"]));
        let words = if method == "meet" { "the positions reached from the start" } else { "all boards" };
        assert!(info.contains(words) && info.contains(method), "{info}");
        // A query names them unless all boards are covered with exact depths.
        assert_eq!(query.contains("(method meet; covers the positions reached"), method == "meet", "{query}");
    }
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde", "--keep", "last"]);
    assert_eq!(json(dir.path(), &["query", "run", "start"])["depths"], "bounds");
    assert!(ends(dir.path(), 0, &["query", "run", "start"]).contains("upper bounds"));
}

/// A run that contains all admissible positions from a ply on says so, instead of 'reached'.
#[test]
fn admissible_positions_are_not_called_reached() {
    let dir = with_run("tictactoe:3x3", &["--method", "meet", "--admissible-from", "3"]);
    let at = dir.path();
    for found in [json(at, &["info", "run"]), json(at, &["query", "run", "start"])] {
        assert_eq!(found["covers"], "admissible-positions", "{found}");
    }
    assert!(ends(at, 0, &["info", "run"]).contains("all admissible ones of later plies"));
    let stats = json(at, &["stats", "run", "--orbits", "--reachable"]);
    for census in [&stats["census"], &stats["reachable"]] {
        assert_eq!(census["counted"], "admissible", "{census}");
        let of_row = |row: &Value| -> u128 {
            let of = |value: &str| row[value]["positions"].as_str().unwrap().parse::<u128>().unwrap();
            ["win", "draw", "loss"].into_iter().map(of).sum()
        };
        // Play reaches 5 478 positions.
        assert!(list(&census["rows"]).iter().map(of_row).sum::<u128>() > 5_478, "{census}");
    }
    // Both options count the same positions.
    let text = ends(at, 0, &["stats", "run", "--orbits", "--reachable"]);
    assert_eq!(text.matches("admissible positions / orbits").count(), 1, "{text}");
    assert!(!text.contains("reached positions"), "{text}");
    let packed = json(at, &["pack", "run"]);
    assert_eq!(packed["covers"], "admissible-positions", "{packed}");
    let text = ends(at, 0, &["pack", "run", "--overwrite"]);
    assert!(
        text.contains("all admissible ones of later plies") && !text.contains("on the reached"),
        "{text}"
    );
    assert_eq!(json(at, &["info", "run/values"])["covers"], "admissible-positions");
}

/// Damaged depths are named by 'verify' and 'resume', and replaced by those of as many plies.
#[test]
fn damaged_depths_are_named_and_replaced_by_as_many() {
    let dir = with_run("tictactoe:3x3", &["--method", "meet"]);
    let at = dir.path();
    let path = at.join("run/depths.tbl");
    assert_eq!(json(at, &["bounds", "run", "--plies", "6"])["last_ply"], 6);
    let checked = json(at, &["verify", "run"]);
    assert_eq!(
        (&checked["checks"], &checked["mismatches"]),
        (&serde_json::json!(["one-ply", "depths"]), &"0".into())
    );
    assert_eq!(checked["checked"], "5478");
    let good = fs::read(&path).unwrap();
    let mut bytes = good.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let found = run_program(at, &["verify", "run"]);
    let said = String::from_utf8(found.stderr).unwrap();
    assert!(found.status.code() == Some(2) && said.contains("depths.tbl"), "{said}");
    let found = run_program(at, &["resume", "run"]);
    let said = String::from_utf8(found.stderr).unwrap();
    assert!(found.status.code() == Some(0) && said.contains("depths.tbl"), "{said}");
    assert!(said.contains("nerode bounds run"), "{said}");
    let found = run_program(at, &["bounds", "run", "--plies", "4"]);
    let said = String::from_utf8(found.stderr).unwrap();
    assert!(
        said.contains("depths.tbl") && said.contains("all depths to ply 6 were computed again"),
        "{said}"
    );
    assert_eq!(fs::read(&path).unwrap(), good);
    assert_eq!(json(at, &["bounds", "run", "--plies", "2", "--overwrite"])["last_ply"], 6);
    assert_eq!(fs::read(&path).unwrap(), good);
    // Wrong depths in a file with a valid checksum are found, except those of the last ply, which only a search determines.
    fs::remove_file(&path).unwrap();
    ends(at, 0, &["bounds", "run", "--plies", "2"]);
    let good = fs::read(&path).unwrap();
    let run = StoredRun::open_with(&at.join("run"), nerode::registry()).unwrap();
    let mut wrong = 0;
    for at in 0..good.len() - 32 {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        let end = bytes.len() - 32;
        let digest = *blake3::hash(&bytes[..end]).as_bytes();
        bytes[end..].copy_from_slice(&digest);
        fs::write(&path, bytes).unwrap();
        match early::check(&run, &Resources::default(), &mut |_, _| ()) {
            Ok(report) => wrong += usize::from(report.unwrap().mismatches > 0),
            Err(error) => assert!(error.to_string().contains("depths.tbl"), "byte {at}: {error}"),
        }
    }
    // Plies 0 and 1 have ten positions, whose codes take two bytes each.
    assert!(wrong >= 10, "{wrong}");
}

#[test]
fn depths_of_early_positions_are_stored_and_used() {
    let dir = with_run("connect:4x4", &["--method", "meet"]);
    let at = dir.path();
    ends(at, 0, &["solve", "connect:4x4", "--method", "retrograde", "--run-dir", "all"]);
    let limited = &["--search-seconds", "0.000001"];
    let query = |position: &str, run: &str, more: &[&str]| -> Value {
        json(at, &[&["query", run, position], more].concat())
    };
    let found = json(at, &["bounds", "run", "--plies", "5"]);
    assert_eq!((&found["game"], &found["last_ply"]), (&"connect:4x4".into(), &5.into()));
    assert!(found["searched"].as_u64().unwrap() > 50 && found["unknown"] == "0", "{found}");
    assert!(fs::metadata(at.join("run/depths.tbl")).unwrap().len() == found["bytes"].as_u64().unwrap());
    let again = json(at, &["bounds", "run"]);
    assert_eq!((&again["last_ply"], &again["searched"]), (&5.into(), &0.into()));
    assert_eq!(json(at, &["info", "run"])["depths_stored_to"], 5);
    assert!(ends(at, 0, &["info", "run"]).contains("exact to ply 5, from there on by search"));
    let line = json(at, &["line", "run", "4/4/4/X3 O", "--search-seconds", "0.000001"]);
    assert!(line["dtw"].is_u64() || line["category"] == "draw", "{line}");
    for position in ["start", "4/4/4/X3 O", "4/4/4/XO2 X", "4/4/X3/XO2 O", "4/4/XO2/XO2 X"] {
        let (by_depths, by_sets) = (query(position, "run", limited), query(position, "all", &[]));
        assert_eq!(by_depths["category"], by_sets["category"], "{position}");
        assert_eq!(by_depths["dtw"], by_sets["dtw"], "{position}");
        for (found, expected) in list(&by_depths["moves"]).iter().zip(list(&by_sets["moves"])) {
            assert_eq!(found["dtw"], expected["dtw"], "{position}");
        }
    }
    // The file is a table of the early positions.
    ends(at, 0, &["verify", "run"]);
    assert!(refused(at, &["bounds", "all"]).contains("a run from the start"));
    assert!(refused(at, &["bounds", "run", "--placements", "3"]).contains("--plies"));
    refused(at, &["bounds", "run", "--plies", "2", "--placements", "3"]);
}
