//! The command `nerode query` for positions that the solution does not cover: the bounds from a search into it.

use std::fs;
use std::path::Path;

use crate::common::program::{ends, json, list, refused, run_program};
use crate::common::scratch;
use serde_json::Value;

/// A position of three men's morris, in which white has one stone on the board and black is to move.
const POSITION: &str = "O*@*****/*_w_2-2";

/// Creates all sectors in `full`, and `part` without some of them.
fn without(missing: &[&str]) -> tempfile::TempDir {
    let dir = scratch();
    for run in ["full", "part"] {
        ends(dir.path(), 0, &["solve", "morris:three", "--engine", "sectors", "--run-dir", run]);
    }
    for sector in missing {
        fs::remove_file(dir.path().join(format!("part/{sector}.sector"))).unwrap();
    }
    dir
}

fn query(at: &Path, run: &str, more: &[&str]) -> Value {
    json(at, &[&["query", run, POSITION], more].concat())
}

/// The result of one ply is shown without a request.
#[test]
fn a_missing_sector_is_looked_through() {
    let dir = without(&["1-1-2-2"]);
    let [full, part] = ["full", "part"].map(|run| query(dir.path(), run, &[]));
    assert_eq!(part["category"], full["category"]);
    assert_eq!((&part["dtw"], &part["search"]["plies"]), (&full["dtw"], &1.into()));
    assert!(full.get("search").is_none() && full.get("lower").is_none());
    // Moves that the solution covers keep their depths and their order.
    assert_eq!(part["moves"], full["moves"]);
    let category = full["category"].as_str().unwrap();
    let text = ends(dir.path(), 0, &["query", "part", POSITION]);
    assert!(
        text.contains(&format!("P1 to move: {category} in ")) && text.contains("known from its moves"),
        "{text}"
    );
}

/// Whatever the moves imply about positions of missing sectors is what those sectors contain.
#[test]
fn inferred_evaluations_are_those_of_the_missing_sectors() {
    let missing = ["1-1-2-2", "2-2-1-1", "3-3-0-0"];
    let dir = without(&missing);
    let [full, part] = ["full", "part"].map(|run| nerode::open_solution(dir.path().join(run)).unwrap());
    let (mut values, mut depths) = (0, 0);
    for sector in missing {
        for position in full.sample_in(sector, 400, 1).unwrap().unwrap() {
            let (known, found) = (full.infer(&position).unwrap(), part.infer(&position).unwrap());
            let text = || full.game().format_position(&position);
            assert!(!found.is_covered(), "{}", text());
            assert!(known.range().both(found.range()).is_some(), "{}: {known:?} {found:?}", text());
            if found.value().is_some() {
                assert_eq!(found.value(), known.value(), "{}", text());
                values += 1;
            }
            if found.depth().is_some() {
                assert_eq!(found.depth(), known.depth(), "{}", text());
                depths += 1;
            }
            assert!(found.depth_bound().is_none_or(|bound| Some(bound) >= known.depth()), "{}", text());
        }
    }
    assert!(values > 100 && depths > 100, "{values} {depths}");
}

/// Boards that cannot occur belong to no sector. They are refused, and drawn by definition if they are asked for.
#[test]
fn a_board_that_no_sector_contains_is_drawn_by_the_rules() {
    let dir = without(&[]);
    for (position, reason) in [
        ("OO***@*O/* w 2-3", "white has more stones"),
        ("OOOO@@@@/O w 3-3", "white has more stones"),
        ("O@@@****/* w 2-0", "white cannot have 2 stones in hand while black has 0"),
    ] {
        assert!(refused(dir.path(), &["query", "full", position]).contains(reason));
        let output = run_program(dir.path(), &["query", "full", position, "--any"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let answer = json(dir.path(), &["query", "full", position, "--any"]);
        assert_eq!((&answer["category"], &answer["dtw"]), (&"draw".into(), &Value::Null));
        assert!(list(&answer["moves"]).is_empty());
    }
}

#[test]
fn more_plies_show_more() {
    let dir = without(&["1-1-2-2", "1-2-2-1"]);
    let full = query(dir.path(), "full", &[]);
    let near = query(dir.path(), "part", &[]);
    assert_eq!((&near["category"], near.get("lower")), (&"not covered".into(), None));
    for more in [
        &["--search-plies", "2"][..],
        &["--search-seconds", "60"],
        &["--search-plies", "5", "--memory", "1MiB"],
    ] {
        let found = query(dir.path(), "part", more);
        assert_eq!(found["category"], full["category"], "{more:?}");
        assert_eq!(list(&found["moves"]).len(), list(&full["moves"]).len());
        assert!(!list(&found["search"]["line"]).is_empty(), "{more:?}");
    }
    // Half of the successors are missing, so the values of some moves need a search.
    let dir = without(&["2-2-1-1", "2-3-1-0", "3-3-0-0"]);
    let found = json(dir.path(), &["query", "part", "O*@O*@**/*_w_1-1", "--search-plies", "3"]);
    let words: Vec<&Value> = list(&found["moves"]).iter().map(|line| &line["category"]).collect();
    assert!(words.iter().any(|word| word != &words[0]), "{words:?}");
}

/// An unfinished run answers more positions than it has decided.
#[test]
fn a_run_of_few_plies_is_searched_into() {
    let dir = scratch();
    for (run, plies) in [("short", "5"), ("whole", "end")] {
        let solve = ["solve", "breakthrough:2x5", "--method", "retrograde", "--run-dir", run];
        let plies = if plies == "end" { vec![] } else { vec!["--plies", plies] };
        ends(dir.path(), 0, &[&solve[..], &plies].concat());
    }
    let whole = json(dir.path(), &["query", "whole", "start"]);
    let short = json(dir.path(), &["query", "short", "start"]);
    assert_eq!(short["category"], "unknown");
    let plies = whole["dtw"].as_u64().unwrap() - 5;
    let found = json(dir.path(), &["query", "short", "start", "--search-plies", &plies.to_string()]);
    assert_eq!(found["category"], whole["category"]);
    assert!(found["search"]["plies"].as_u64().unwrap() <= plies);
}

#[test]
fn limits_that_are_none_are_refused() {
    let dir = without(&["1-1-2-2"]);
    for (more, word) in [
        (["--search-plies", "0"], "--search-plies"),
        (["--search-seconds", "0"], "not a number of seconds"),
        (["--search-seconds", "soon"], "not a number of seconds"),
        (["--memory", "8"], "raise --memory"),
    ] {
        let said = refused(dir.path(), &[&["query", "part", POSITION], &more[..]].concat());
        assert!(said.contains(word), "{more:?}: {said}");
    }
}

/// Options of the other kind of solution are refused with the name of the solution and the option that applies.
#[test]
fn options_of_other_solutions_name_what_was_given() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "three"]);
    let said = refused(at, &["bounds", "three", "--plies", "3"]);
    assert!(said.contains("three contains sectors, for which --placements applies"), "{said}");
    // The usual number of placements suits games with fewer stones.
    assert_eq!(json(at, &["bounds", "three"])["sectors"][0]["placements"], 5);
    let said = refused(at, &["bounds", "nowhere", "--plies", "3"]);
    assert!(said.contains("nowhere") && !said.contains("--placements"), "{said}");
    let said = refused(at, &["bounds", "three", "--plies", "x"]);
    assert!(said.contains("not a whole number from 0 to 4 294 967 295"), "{said}");
}

/// Damaged bounds of early positions are named, and everything else goes on without them.
#[test]
fn damaged_bounds_are_named_and_not_used() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "three"]);
    ends(at, 0, &["bounds", "three"]);
    let start = json(at, &["query", "three", "start"]);
    ends(at, 0, &["verify", "three"]);
    for name in ["bounds.json", "0-0-3-3.bounds"] {
        let path = at.join("three/bounds").join(name);
        let good = fs::read(&path).unwrap();
        let mut bytes = good.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let found = run_program(at, &["query", "three", "start"]);
        let said = String::from_utf8(found.stderr).unwrap();
        assert_eq!(found.status.code(), Some(0), "{name}: {said}");
        assert!(said.contains(name) && said.contains("without bounds of early positions"), "{said}");
        // The service answers by the same call.
        let solution = nerode::open_solution(at.join("three")).unwrap();
        solution.query(&solution.game().start_position()).unwrap();
        assert!(solution.warning().unwrap().contains(name));
        let found = run_program(at, &["verify", "three"]);
        let said = String::from_utf8(found.stderr).unwrap();
        assert!(found.status.code() == Some(2) && said.contains(name), "{said}");
        let found = run_program(at, &["resume", "three"]);
        let said = String::from_utf8(found.stderr).unwrap();
        assert!(found.status.code() == Some(0) && said.contains(name), "{said}");
        assert!(said.contains("nerode bounds three --overwrite"), "{said}");
        ends(at, 0, &["bounds", "three", "--overwrite"]);
        assert_eq!(json(at, &["query", "three", "start"])["lower"], start["lower"], "{name}");
        ends(at, 0, &["verify", "three"]);
        assert_eq!(fs::read(&path).unwrap(), good, "{name}");
    }
}

/// Without some of its requested sectors, a directory is checked as far as it goes, and the result names the rest.
#[test]
fn sectors_that_are_missing_are_named_in_json() {
    let dir = without(&["0-0-3-3"]);
    for command in ["verify", "stats"] {
        let found = json(dir.path(), &[command, "part"]);
        assert_eq!(found["missing_sectors"], serde_json::json!(["0-0-3-3"]), "{command}");
        assert!(json(dir.path(), &[command, "full"]).get("missing_sectors").is_none(), "{command}");
    }
}
