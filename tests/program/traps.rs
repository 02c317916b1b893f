//! The option `query --traps`: the same probabilities from every kind of directory, and an explanation if depths are
//! missing.

use serde_json::Value;

use crate::common::program::{ends, json, list, refused, with_run};
use crate::common::scratch;

/// Returns the moves and their probabilities.
fn chances(answer: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let of = |mv: &Value| (text(&mv["move"]), text(&mv["goes_wrong"]["exact"]));
    list(&answer["moves"]).iter().map(of).collect()
}

#[test]
fn traps_are_told_move_by_move() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    // X has the centre and O an edge, so X wins. After a corner, only corners keep the draw.
    let corner = json(dir.path(), &["query", "run", "X2/3/3 O", "--traps", "--trap-plies", "1"]);
    assert_eq!((&corner["traps"]["side"], &corner["category"]), (&"P2".into(), &"draw".into()));
    assert_eq!(corner["traps"]["goes_wrong"]["exact"], "7/8");
    for mv in list(&corner["moves"]) {
        assert_eq!(mv["played"]["exact"], "1/8");
        let wanted = if mv["move"] == "b2" { "0" } else { "1" };
        assert_eq!(mv["goes_wrong"]["exact"], wanted, "{mv}");
    }
    let start = json(dir.path(), &["query", "run", "start", "--traps"]);
    assert_eq!((&start["traps"]["side"], &start["traps"]["plies"]), (&"P2".into(), &2.into()));
    assert_eq!(
        (&start["traps"]["goes_wrong"]["exact"], &start["moves"][0]["goes_wrong"]["chance"]),
        (&"7/8".into(), &0.875.into())
    );
    let text = ends(dir.path(), 0, &["query", "run", "start", "--traps"]);
    for part in [
        "P2 moves at random; after the first move below it goes wrong within 2 plies",
        "goes wrong",
        "7/8 (87.5 %)",
        "1/2 (50.0 %)",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    let far = [
        "query",
        "run",
        "start",
        "--traps",
        "--trap-model",
        "distance",
        "--trap-lower",
        "8",
        "--trap-upper",
        "9",
    ];
    assert_eq!(json(dir.path(), &far)["traps"]["goes_wrong"]["exact"], "0");
    assert!(
        ends(dir.path(), 0, &far)
            .contains("P2 sees losses in 8 plies or fewer and misses those in 9 or more")
    );
}

#[test]
#[ignore = "slow: .ci/slow"]
fn every_kind_of_directory_knows_its_traps() {
    let dir = scratch();
    let at = dir.path();
    json(at, &["solve", "morris:three", "--engine", "sets", "--run-dir", "run"]);
    json(at, &["solve", "morris:three", "--engine", "table", "--out", "three.tbl"]);
    json(at, &["solve", "morris:three", "--engine", "sectors", "--run-dir", "sectors"]);
    json(at, &["pack", "sectors", "--out", "packed"]);
    for position in ["start", "O*@*****/* w 2-2", "O@*@*O**/*_w_1-1"] {
        for plies in ["1", "2", "3"] {
            let ask = |dir, model| {
                json(at, &["query", dir, position, "--traps", "--trap-plies", plies, "--trap-model", model])
            };
            let from_run = chances(&ask("run", "random"));
            assert!(!from_run.is_empty());
            for dir in ["three.tbl", "sectors"] {
                assert_eq!(chances(&ask(dir, "random")), from_run, "{dir} {position}");
                assert_eq!(
                    chances(&ask(dir, "distance")),
                    chances(&ask("run", "distance")),
                    "{dir} {position}"
                );
            }
            // Without depths, moves of the same value may have another order.
            let (mut packed, mut wanted) = (chances(&ask("packed", "random")), from_run);
            packed.sort();
            wanted.sort();
            assert_eq!(packed, wanted, "{position}");
        }
    }
    let errors = refused(at, &["query", "packed", "O*@*****/* w 2-2", "--traps", "--trap-model", "distance"]);
    assert!(errors.contains("has no depths") && errors.contains("--trap-model random"), "{errors}");
}

#[test]
fn a_horizon_that_is_none_is_refused() {
    let dir = with_run("nim:2x3", &[]);
    let ask = ["query", "run", "start", "--traps"];
    for (more, part) in [
        (&["--trap-lower", "3"][..], "--trap-model distance"),
        (&["--trap-model", "distance", "--trap-lower", "12"], "less than the upper"),
        (&["--trap-plies", "5"], "4"),
        (&["--trap-plies", "0"], "1"),
    ] {
        let errors = refused(dir.path(), &[&ask[..], more].concat());
        assert!(errors.contains(part), "{more:?}: {errors}");
    }
    refused(dir.path(), &["query", "run", "start", "--trap-plies", "3"]);
    refused(dir.path(), &["query", "run", "--batch", "--traps"]);
}
