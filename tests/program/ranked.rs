//! Ranked draws as users see them: `solve --ranked`, `resume`, `query`, `line`, `stats`, and `export --format sec2`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::program::{ends, json, refused};
use crate::common::scratch;

const SOLVE: [&str; 6] = ["solve", "morris:six", "--sector", "3-3-1-1", "--run-dir", "d"];

fn solved(at: &Path, more: &[&str]) -> Value {
    json(at, &[&SOLVE[..], more].concat())
}

/// Returns the files of ranks, by name.
fn ranks(at: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(at.join("d")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "ranks") {
            found.push((path.file_name().unwrap().to_str().unwrap().to_string(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn draws_are_ranked_checked_and_not_ranked_again() {
    let dir = scratch();
    let at = dir.path();
    let first = solved(at, &["--ranked", "--check", "--threads", "2"]);
    let made = &first["ranks"];
    assert_eq!((&made["by"], &made["units"]), (&"ratio".into(), &made["ranked_units"]));
    assert_ne!(made["ranked_orbits"], "0");
    assert_eq!(made["checked_orbits"], first["solved_orbits"]);
    let files = ranks(at);
    assert_eq!(made["bytes"], files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>());
    // Nothing remains to be done. Missing or damaged files are recomputed, and one thread produces the same bytes.
    assert_eq!(solved(at, &["--ranked"])["ranks"]["ranked_units"], 0);
    fs::remove_file(at.join("d").join(&files[0].0)).unwrap();
    fs::write(at.join("d").join(&files[1].0), b"NERODRNK").unwrap();
    let again = json(at, &["resume", "d", "--threads", "1"]);
    assert!(matches!(again["ranks"]["ranked_units"].as_u64(), Some(1 | 2)));
    assert!(ranks(at) == files);
    // A solve without a request for ranks computes none.
    assert!(solved(at, &[]).get("ranks").is_none());
}

#[test]
fn other_values_are_refused_unless_they_are_to_replace_those_before() {
    let dir = scratch();
    let at = dir.path();
    solved(at, &["--ranked"]);
    let before = ranks(at);
    let said = refused(at, &[&SOLVE[..], &["--ranked=difference"]].concat());
    assert!(said.contains("ranked by other values") && said.contains("--overwrite"), "{said}");
    assert!(ranks(at) == before);
    let replaced = solved(at, &["--ranked=difference", "--overwrite"]);
    assert_eq!(
        (&replaced["ranks"]["by"], &replaced["ranks"]["win_value"]),
        (&"difference".into(), &7.into())
    );
    assert!(ranks(at) != before);
    // Further sectors get differences of their own, while the earlier ones are kept. Values by ratio change.
    let more = ["solve", "morris:six", "--sector", "4-3-1-1", "--run-dir", "d", "--ranked=difference"];
    assert_ne!(json(at, &more)["ranks"]["ranked_units"], 0);
}

#[test]
fn a_list_of_values_that_lacks_a_sector_is_refused_before_anything_is_solved() {
    let dir = scratch();
    let at = dir.path();
    fs::write(at.join("v.secval"), "virt_loss_val: -9\r\nvirt_win_val: 9\r\n1\r\n3 3 0 0  0\r\n").unwrap();
    let solve =
        ["solve", "morris:six", "--sector", "3-3-1-1", "--run-dir", "d", "--ranked", "--secval", "v.secval"];
    let said = refused(at, &solve);
    assert!(said.contains("has no value for sector"), "{said}");
    assert!(!at.join("d/3-3-0-0.sector").exists());
    let enough =
        ["solve", "morris:six", "--sector", "3-3-0-0", "--run-dir", "e", "--ranked", "--secval", "v.secval"];
    assert_eq!(json(at, &enough)["ranks"]["by"], "list");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn answers_say_which_draw_it_is_and_put_the_best_first() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:nine", "--sector", "2-2-2-1", "--run-dir", "d", "--ranked"]);
    let stats = json(at, &["stats", "d"]);
    let lines = stats["ranks"]["ranks"].as_array().unwrap();
    assert!(lines.len() > 2, "{stats}");
    assert!(ends(at, 0, &["stats", "d"]).contains("draws by rank, sectors valued by ratio, a win is 7"));
    for position in ["****@**O/********/*@O***** w 2-1", "O*******/@O*****@/******** w 2-1"] {
        let query = ["query", "d", position];
        let answer = json(at, &query);
        assert_eq!(answer["category"], "draw");
        let (rank, distance) = (answer["rank"].as_i64().unwrap(), answer["distance"].as_i64().unwrap());
        let text = ends(at, 0, &query);
        assert!(text.contains(&format!("to move: draw {rank:+} in {distance}\n")), "{text}");
        // The best move has the value of the position. Moves are seen by the next side to move.
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves[0]["rank"].as_i64().unwrap(), -rank);
        let ranks: Vec<i64> = moves.iter().filter_map(|line| line["rank"].as_i64()).collect();
        assert!(ranks.is_sorted(), "{ranks:?}");
        // The first position of a line has the same evaluation as in a query.
        assert_eq!(json(at, &["line", "d", position])["rank"], rank);
    }
    let checked = json(at, &["verify", "d"]);
    assert_eq!((&checked["mismatches"], &checked["checks"][1]), (&"0".into(), &"ranks".into()));
}

/// Each text with the rank of a draw says once what it means, and no other text does.
#[test]
fn ranks_are_explained_where_they_are_printed() {
    let dir = scratch();
    let at = dir.path();
    for (run, more) in [("ranked", &["--ranked"][..]), ("plain", &[])] {
        let solve = ["solve", "morris:three", "--sector", "start", "--run-dir", run];
        ends(at, 0, &[&solve[..], more].concat());
    }
    fs::write(at.join("game.txt"), "game: morris:three\n1. a3\n").unwrap();
    let explained = |run: &str, arguments: &[&str], input: &str| {
        let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nerode"))
            .current_dir(at)
            .args([&arguments[..1], &[run], &arguments[1..]].concat())
            .write_stdin(input)
            .output()
            .unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap().matches("a draw with a rank, such as").count()
    };
    let answer = json(at, &["query", "ranked", "start"]);
    let moves = answer["moves"].as_array().unwrap();
    let position =
        moves.iter().find(|line| line["category"] == "draw").unwrap()["position"].as_str().unwrap();
    for (arguments, input) in [
        (vec!["query"], ""),
        (vec!["query", "--traps"], ""),
        (vec!["line", position], ""),
        (vec!["analyse", "game.txt"], ""),
        (vec!["play"], "moves\nmoves\nquit\n"),
    ] {
        assert_eq!(explained("ranked", &arguments, input), 1, "{arguments:?}");
        assert_eq!(explained("plain", &arguments, input), 0, "{arguments:?}");
    }
    // Best play of a won position contains no draw.
    assert_eq!(explained("ranked", &["line"], ""), 0);
    assert!(ends(at, 0, &["stats", "ranked"]).contains("a rank is the value, for the side to move,"));
}

#[test]
fn ranked_sectors_are_exported_with_their_list_and_passed_over_if_they_are_there() {
    let dir = scratch();
    let at = dir.path();
    let unranked = ["solve", "morris:nine", "--sector", "2-2-1-1", "--run-dir", "d"];
    ends(at, 0, &unranked);
    let export = ["export", "d", "--format", "sec2", "--out", "malom"];
    let said = refused(at, &export);
    // The advice is the command that follows, and not one that solves the whole game.
    let advice = "'nerode solve morris:nine --sector 2-2-1-1 --ranked --run-dir d' ranks them";
    assert!(said.contains("not ranked") && said.contains(advice), "{said}");
    // Sectors that no file of Malom's represents are refused for that reason, before anything is ranked.
    ends(at, 0, &["solve", "morris:six", "--sector", "3-3-0-0", "--run-dir", "six"]);
    let said = refused(at, &["export", "six", "--format", "sec2", "--out", "six-files"]);
    assert!(said.contains("fewer than 24 points"), "{said}");
    let said = refused(at, &["export", "six", "--format", "csv", "--out", "six.csv"]);
    assert!(
        said.contains("six contains sectors of a morris game") && said.contains("sec and sec2"),
        "{said}"
    );
    ends(at, 0, &[&unranked[..], &["--ranked"]].concat());
    let written = json(at, &export);
    let list = fs::read_to_string(at.join("malom/std.secval")).unwrap();
    let files = written["files"].as_array().unwrap();
    assert_eq!(list.lines().count(), 3 + files.len());
    assert!(files.iter().all(|file| file["written"] == true));
    let name = "malom/std_2_2_1_1.sec2";
    assert_eq!(fs::read(at.join(name)).unwrap()[..13], [2, 0, 0, 0, 3, 0, 0, 0, 12, 0, 0, 0, 0]);
    // The file and the sector agree on every position.
    assert_eq!(json(at, &["verify", "d", "--table", name])["mismatches"], "0");
    assert!(json(at, &export)["files"].as_array().unwrap().iter().all(|file| file["written"] == false));
    // Another list in the folder is not replaced without a request.
    fs::write(at.join("malom/std.secval"), "other").unwrap();
    assert!(refused(at, &export).contains("std.secval"));
    ends(at, 0, &[&export[..], &["--overwrite"]].concat());
    // Differences of stones have two-byte entries and no list.
    let by_stones = [&unranked[..], &["--ranked=difference", "--overwrite"]].concat();
    ends(at, 0, &by_stones);
    ends(at, 0, &["export", "d", "--format", "sec2", "--out", "stones"]);
    assert!(!at.join("stones/std.secval").exists());
    assert_eq!(
        fs::read(at.join("stones/std_2_2_1_1.sec2")).unwrap()[..13],
        [2, 0, 0, 0, 2, 0, 0, 0, 6, 0, 0, 0, 1]
    );
    assert_eq!(json(at, &["verify", "d", "--table", "stones/std_2_2_1_1.sec2"])["mismatches"], "0");
}

/// An invalid file of ranks is reported with the problem, and recomputed.
#[test]
fn damaged_files_of_ranks_are_named_and_made_again() {
    let dir = scratch();
    let at = dir.path();
    solved(at, &["--ranked"]);
    let file = at.join("d/3-3-0-0.ranks");
    let good = fs::read(&file).unwrap();
    let says = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        let said = refused(at, &["stats", "d"]);
        assert!(said.contains("3-3-0-0.ranks") && said.contains(what), "{said}");
        assert_eq!(json(at, &["resume", "d"])["ranks"]["ranked_units"], 1, "{what}");
        assert!(fs::read(&file).unwrap() == good, "{what}");
    };
    says(&good[..good.len() - 1], "digest differs");
    says(&good[..10], "truncated");
    says(b"NERODSEC........", "does not begin with NERODRNK");
    let mut changed = good.clone();
    changed[8] = 9;
    says(&changed, "version 9");
    let mut changed = good.clone();
    let last = changed.len() - 40;
    changed[last] ^= 1;
    says(&changed, "digest differs");
    fs::write(&file, &good[..100]).unwrap();
    assert!(refused(at, &["stats", "d"]).contains("'nerode resume d' recomputes it"));
    // The ranks belong to another sector file.
    fs::copy(at.join("d/3-3-1-1.ranks"), &file).unwrap();
    let said = refused(at, &["stats", "d"]);
    assert!(said.contains("computed from another file"), "{said}");
    fs::write(&file, &good).unwrap();
    ends(at, 0, &["stats", "d"]);
}
