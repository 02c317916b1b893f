//! The command `stats`: a summary, and more on request, for every kind of directory.

use crate::common::program::{assert_fields, count, ends, json, list, refused, with_run};
use crate::common::scratch;
use nerode_games::registry::open;
use nerode_morris::sets::SectorSolver;
use nerode_solver::solve::resources::Resources;

#[test]
fn a_summary_names_the_longest_wins_with_a_position_that_has_them() {
    for options in [&["--method", "retrograde"][..], &["--method", "retrograde", "--chains", "one"]] {
        let dir = with_run("breakthrough:3x4", options);
        let found = json(dir.path(), &["stats", "run"]);
        assert_fields(
            &found,
            &["game", "method", "order", "last_ply", "bytes", "largest", "longest"],
            "stats",
        );
        assert!(found.get("plies").is_none() && found.get("layers").is_none());
        assert_eq!(list(&found["longest"]).len(), 4);
        for line in list(&found["longest"]) {
            assert!(count(&line["positions"]) > 0);
            let position = line["position"].as_str().unwrap();
            let answer = json(dir.path(), &["query", "run", position, "--any"]);
            assert_eq!(
                (&answer["category"], &answer["dtw"]),
                (&line["category"], &line["dtw"]),
                "{position}"
            );
            assert!(position.ends_with(if line["side"] == "P1" { " w" } else { " b" }), "{position}");
        }
        let text = ends(dir.path(), 0, &["stats", "run"]);
        assert!(text.contains("longest") && !text.contains("states by layer"), "{text}");
    }
}

/// The census computes the longest wins and losses in another way: by orbits of admissible positions.
#[test]
fn the_longest_are_those_of_the_census() {
    let dir = with_run("chess:KQvK,board=4x4", &["--method", "retrograde"]);
    let found = json(dir.path(), &["stats", "run", "--orbits", "--plies", "--layers"]);
    let rows = list(&found["census"]["rows"]);
    for line in list(&found["longest"]) {
        let field = if line["category"] == "win" { "longest_win" } else { "longest_loss" };
        let of_side = rows.iter().filter(|row| row["side"] == line["side"]);
        let most = of_side.filter_map(|row| row[field]["dtw"].as_u64()).max();
        assert_eq!(line["dtw"].as_u64(), most, "{line}");
    }
    assert!(!list(&found["plies"]).is_empty() && !list(&found["layers"]).is_empty());
}

/// Counts of reached positions are the same by both methods, and the longest wins of a listing are those of play.
#[test]
fn reached_positions_are_counted_by_value_and_a_listing_has_the_longest_wins() {
    let dir = with_run("connect:4x3,row=3", &["--method", "retrograde"]);
    let at = dir.path();
    ends(at, 0, &["solve", "connect:4x3,row=3", "--method", "meet", "--run-dir", "meet"]);
    let by_meet = json(at, &["stats", "meet", "--orbits"])["census"].clone();
    assert_eq!(by_meet["counted"], "reached");
    assert_eq!(by_meet, json(at, &["stats", "run", "--reachable"])["reachable"]);
    let text = ends(at, 0, &["stats", "meet", "--orbits"]);
    assert!(text.contains("reached positions / orbits under 2 symmetries\n"), "{text}");
    ends(at, 0, &["export", "meet", "--format", "table", "--out", "listing.tbl"]);
    let listing = json(at, &["stats", "listing.tbl"]);
    for (row, counts) in list(&by_meet["rows"]).iter().zip(list(&listing["counts"])) {
        for value in ["win", "draw", "loss"] {
            assert_eq!(row[value]["positions"], counts[value], "{row}");
        }
    }
    let longest = list(&listing["longest"]);
    assert_eq!(longest.len(), 4);
    for line in longest {
        let answer = json(at, &["query", "run", line["position"].as_str().unwrap()]);
        assert_eq!((&answer["category"], &answer["dtw"]), (&line["category"], &line["dtw"]), "{line}");
    }
    assert!(ends(at, 0, &["stats", "listing.tbl"]).contains("longest, in plies"));
    assert!(refused(at, &["stats", "listing.tbl", "--orbits"]).contains("--orbits"));
    ends(at, 0, &["export", "run", "--format", "table", "--out", "all.tbl"]);
    assert!(refused(at, &["stats", "all.tbl"]).contains("name a run of the game"));
}

#[test]
fn an_unfinished_run_has_a_summary() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde", "--plies", "3"]);
    let found = json(dir.path(), &["stats", "run"]);
    assert_eq!((&found["complete"], &found["last_ply"]), (&false.into(), &3.into()));
    assert!(list(&found["longest"]).iter().all(|line| line["dtw"].as_u64() <= Some(3)));
}

#[test]
fn sectors_and_scores_have_a_summary_each() {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", "morris:three", "--sector", "start", "--run-dir", "sectors"]);
    let found = json(dir.path(), &["stats", "sectors"]);
    assert_eq!(list(&found["longest"]).len(), 2);
    for line in list(&found["longest"]) {
        let answer = json(dir.path(), &["query", "sectors", line["position"].as_str().unwrap()]);
        assert_eq!((&answer["category"], &answer["dtw"]), (&line["category"], &line["dtw"]), "{line}");
    }
    assert!(refused(dir.path(), &["stats", "sectors", "--plies"]).contains("--plies"));
    ends(dir.path(), 0, &["solve", "othello:3x3", "--score", "--run-dir", "scores"]);
    let found = json(dir.path(), &["stats", "scores"]);
    assert_eq!((&found["score"], &found["last_ply"]), (&(-9).into(), &8.into()));
}

#[test]
fn sectors_as_sets_have_a_summary() {
    let dir = scratch();
    let spec = "morris:three,stones=4,fly=yes";
    let mut solver = SectorSolver::new(open(spec).unwrap(), &Resources::default()).unwrap();
    solver.keep_in(&dir.path().join("sets")).unwrap();
    solver.solve([4, 3]).unwrap();
    let found = json(dir.path(), &["stats", "sets"]);
    assert_eq!(found["game"], spec);
    let most = |field: &str| list(&found["sectors"]).iter().filter_map(|line| line[field].as_u64()).max();
    for (line, field) in list(&found["longest"]).iter().zip(["longest_win", "longest_loss"]) {
        assert_eq!(line["dtw"].as_u64(), most(field));
        let answer = json(dir.path(), &["query", "sets", line["position"].as_str().unwrap()]);
        assert_eq!((&answer["category"], &answer["dtw"]), (&line["category"], &line["dtw"]), "{line}");
    }
    assert!(ends(dir.path(), 0, &["stats", "sets"]).contains("longest, in plies"));
    assert!(refused(dir.path(), &["stats", "sets", "--layers"]).contains("--layers"));
}
