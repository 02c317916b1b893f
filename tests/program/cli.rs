//! The output of every command, as text and as JSON, and its exit code, as seen by users and scripts.

use crate::common::program::{assert_fields, count, ends, json, list, refused, run_program, with_run};
use crate::common::{files, scratch};
use serde_json::Value;

#[test]
fn games_lists_every_family() {
    let dir = scratch();
    let all = json(dir.path(), &["games"]);
    let names: Vec<&str> =
        list(&all["families"]).iter().map(|family| family["family"].as_str().unwrap()).collect();
    for family in list(&all["families"]) {
        assert_fields(family, &["family", "parameters", "defaults", "example", "layers", "note"], "a family");
        let info = json(dir.path(), &["info", family["example"].as_str().unwrap()]);
        assert_eq!(info["game"], family["example"]);
    }
    let text = ends(dir.path(), 0, &["games"]);
    for name in ["nim", "tictactoe", "connect", "breakthrough", "othello", "amazons", "chess", "morris"] {
        assert!(names.contains(&name) && text.contains(name), "{name}");
    }
}

#[test]
fn info_shows_board_letters_order_and_rules() {
    let dir = scratch();
    let info = json(dir.path(), &["info", "breakthrough:3x4", "--order", "columns"]);
    assert_fields(&info, &["game", "rules", "layers", "start", "fingerprint", "order", "orders"], "info");
    assert_eq!((&info["game"], &info["order"]), (&"breakthrough:3x4".into(), &"columns".into()));
    let labels: Vec<&str> = list(&info["layers"]).iter().map(|l| l["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "c1", "c2", "c3", "c4"]);
    assert_eq!(list(&info["layers"][0]["letters"]).len(), 3);
    assert_eq!(info["start"], "bbb/bbb/www/www w");
    assert_eq!(count(&info["positions_per_side"]), 3u128.pow(12));
    let text = ends(dir.path(), 0, &["info", "breakthrough:3x4"]);
    assert!(
        text.contains("sides        w White (P1), b Black (P2)") && text.contains("531 441 for each"),
        "{text}"
    );
    for part in
        ["4  b b b\n3  b b b\n2  w w w\n1  w w w\n   a b c", "fingerprint", "531 441", "columns-middle-out"]
    {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
}

#[test]
fn solve_reports_winner_values_and_iterations() {
    let dir = scratch();
    let fields = [
        "game",
        "fingerprint",
        "method",
        "complete",
        "start",
        "winner",
        "sides",
        "plies",
        "iterations",
        "seconds",
        "peak_rss_bytes",
        "run_dir",
    ];
    let found = json(dir.path(), &["solve", "nim:3x3", "--method", "retrograde", "--run-dir", "a"]);
    assert_fields(&found, &fields, "solve");
    assert_eq!(
        (&found["method"], &found["complete"], &found["winner"]),
        (&"retrograde".into(), &true.into(), &"P1".into())
    );
    assert_fields(&found["start"], &["side", "category", "dtw"], "start");
    assert_eq!((&found["start"]["category"], &found["start"]["dtw"]), (&"win".into(), &7.into()));
    assert!(list(&found["plies"]).is_empty());
    // In 16 of the 64 positions, the nim sum is zero.
    for side in ["P1", "P2"] {
        let sides = &found["sides"][side];
        for (value, expected) in [("win", 48), ("draw", 0), ("loss", 16), ("unknown", 0)] {
            assert_fields(&sides[value], &["positions", "num_states", "bytes"], value);
            assert_eq!(count(&sides[value]["positions"]), expected, "{side} {value}");
        }
    }
    let iterations = list(&found["iterations"]);
    assert_eq!(iterations.len() % 2, 0);
    for (n, line) in iterations.iter().enumerate() {
        assert_fields(line, &["ply", "side", "win_num_states"], "an iteration");
        assert_eq!(
            (line["ply"].as_u64(), line["side"].as_str()),
            (Some(n as u64 / 2), Some(["P1", "P2"][n % 2]))
        );
    }
    let found = json(dir.path(), &["solve", "tictactoe:3x3", "--method", "meet", "--run-dir", "b"]);
    assert_fields(&found, &fields, "solve");
    assert_eq!((&found["method"], &found["winner"]), (&"meet".into(), &"draw".into()));
    let plies = list(&found["plies"]);
    assert_eq!(plies.len(), 10);
    for line in plies {
        assert_fields(
            line,
            &["ply", "side", "positions", "win", "draw", "loss", "unknown", "num_states"],
            "a ply",
        );
    }
    assert_eq!(plies.iter().map(|line| count(&line["positions"])).sum::<u128>(), 5478);
    let text = ends(dir.path(), 0, &["solve", "breakthrough:2x4", "--run-dir", "c"]);
    for part in ["winner              P2, in ", "P1 win", "run directory       c", "positions per byte"] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    let text = ends(
        dir.path(),
        0,
        &["solve", "breakthrough:2x5", "--method", "meet", "--plies", "3", "--run-dir", "d"],
    );
    assert!(text.contains("unknown within the plies searched"), "{text}");
}

#[test]
fn the_run_directory_is_named_after_the_game_if_not_given() {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", "tictactoe:2x2,k=2"]);
    assert!(dir.path().join("runs/tictactoe_2x2_k=2/manifest.json").exists());
    let errors = refused(dir.path(), &["solve", "tictactoe:2x2,k=2"]);
    assert!(
        errors.contains("finished run of tictactoe:2x2,k=2") && errors.contains("--overwrite"),
        "{errors}"
    );
    ends(dir.path(), 0, &["solve", "tictactoe:2x2,k=2", "--resume"]);
    ends(dir.path(), 0, &["solve", "tictactoe:2x2,k=2", "--overwrite"]);
    refused(dir.path(), &["solve", "tictactoe:2x2,k=2", "--overwrite", "--resume"]);
}

/// Plies counted before memory ran out are printed, and agree with a run of the same number of plies.
#[test]
fn reach_prints_what_it_counted_when_memory_runs_out() {
    let dir = scratch();
    let output = run_program(dir.path(), &["reach", "breakthrough:5x5", "--memory", "36MiB", "--json"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("--memory") && errors.contains("MiB are allowed"), "{errors}");
    let starved: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let last = list(&starved["plies"]).len() - 1;
    assert!(last > 1 && starved["complete"] == false, "{starved}");
    let mut fed = json(dir.path(), &["reach", "breakthrough:5x5", "--plies", &last.to_string()]);
    assert_eq!((&starved["end"], &fed["end"]), (&"stopped".into(), &"plies_done".into()));
    fed["end"] = starved["end"].clone();
    assert_eq!(starved, fed);
}

#[test]
fn reach_counts_positions_by_ply() {
    let dir = scratch();
    let found = json(dir.path(), &["reach", "tictactoe:3x3"]);
    assert_fields(&found, &["game", "plies", "total_distinct"], "reach");
    assert_eq!(count(&found["total_distinct"]), 5478);
    let counts: Vec<u128> = list(&found["plies"]).iter().map(|ply| count(&ply["positions"])).collect();
    assert_eq!(counts, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    for ply in list(&found["plies"]) {
        assert_fields(ply, &["ply", "side", "positions", "num_states"], "a ply");
    }
    let found = json(dir.path(), &["reach", "tictactoe:3x3", "--plies", "2", "--order", "columns"]);
    assert_eq!((list(&found["plies"]).len(), count(&found["total_distinct"])), (3, 82));
    let text = ends(dir.path(), 0, &["reach", "tictactoe:3x3", "--plies", "2"]);
    assert!(text.contains("so far: 82"), "{text}");
    assert!(files(dir.path()).is_empty(), "reach must not write files");
}

#[test]
fn query_lists_moves_best_first() {
    let dir = with_run("nim:2x5", &["--method", "retrograde"]);
    let found = json(dir.path(), &["query", "run", "3/5 P2"]);
    assert_fields(&found, &["position", "side", "category", "dtw", "moves"], "query");
    assert_eq!((&found["side"], &found["category"], &found["dtw"]), (&"P2".into(), &"win".into(), &7.into()));
    let moves = list(&found["moves"]);
    assert_eq!(moves.len(), 8);
    for line in moves {
        assert_fields(line, &["move", "position", "category", "dtw"], "a move");
    }
    // The only good move leaves equal heaps, after which the opponent is to move and has lost.
    assert_eq!(
        (&moves[0]["category"], &moves[0]["position"], &moves[0]["dtw"]),
        (&"loss".into(), &"3/3 P1".into(), &6.into())
    );
    assert!(moves[1..].iter().all(|line| line["category"] == "win"), "{moves:?}");
    let depths: Vec<u64> = moves[1..].iter().map(|line| line["dtw"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted_by(|a, b| a >= b), "the longest resistance must come first: {depths:?}");
    let start = json(dir.path(), &["query", "run", "start"]);
    assert_eq!((&start["position"], &start["category"]), (&"5/5 P1".into(), &"loss".into()));
    let over = json(dir.path(), &["query", "run", "0/0"]);
    assert_eq!((&over["category"], &over["dtw"], list(&over["moves"]).len()), (&"loss".into(), &0.into(), 0));
    let text = ends(dir.path(), 0, &["query", "run", "3/5 P2"]);
    assert!(text.contains("P2 to move: win in 7"), "{text}");
    assert!(ends(dir.path(), 0, &["query", "run", "0/0"]).contains("no moves: the game is over"));

    let dir = with_run("tictactoe:3x3", &["--method", "meet"]);
    let found = json(dir.path(), &["query", "run", "start"]);
    assert_eq!((&found["category"], &found["dtw"]), (&"draw".into(), &Value::Null));
    assert!(list(&found["moves"]).iter().all(|line| line["category"] == "draw"));
}

#[test]
fn explicit_counts_values_and_depths() {
    let dir = scratch();
    let found = json(dir.path(), &["solve", "tictactoe:3x3", "--engine", "table", "--out", "t.tbl"]);
    let fields = ["game", "positions", "win", "draw", "loss", "max_dtw", "dtw_histogram", "seconds", "file"];
    assert_fields(&found, &fields, "solve");
    let number = |name: &str| count(&found[name]);
    assert_eq!(number("positions"), 2 * 3u128.pow(9));
    assert_eq!(number("win") + number("draw") + number("loss"), number("positions"));
    let histogram = found["dtw_histogram"].as_object().unwrap();
    let decided: u128 = histogram.values().map(count).sum();
    assert_eq!(decided, number("win") + number("loss"));
    let sides = ["P1", "P2"].map(|side| count(&found["sides"][side]["win"]));
    assert_eq!(sides.iter().sum::<u128>(), number("win"));
    assert!(dir.path().join("t.tbl").exists());
    let text = ends(dir.path(), 0, &["solve", "tictactoe:2x2,k=2", "--engine", "table"]);
    assert!(
        text.contains("depth  positions") && dir.path().join("runs/tictactoe_2x2_k=2.tbl").exists(),
        "{text}"
    );
}

#[test]
fn verify_counts_what_it_checked() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    ends(dir.path(), 0, &["solve", "tictactoe:3x3", "--engine", "table", "--out", "t.tbl"]);
    let all = 2 * 3u128.pow(9);
    for (options, checked) in [
        (&[][..], all),
        (&["--explicit"], all),
        (&["--table", "t.tbl"], all),
        (&["--sample", "25"], 50),
        // Every position counts once, also if several checks visit it or the sample is larger than the game.
        (&["--sample", "25", "--seed", "9", "--explicit"], all),
        (&["--sample", "1000000"], all),
    ] {
        let found = json(dir.path(), &[&["verify", "run"], options].concat());
        assert_fields(&found, &["checked", "mismatches", "first_mismatch"], "verify");
        assert_eq!((count(&found["checked"]), count(&found["mismatches"])), (checked, 0), "{options:?}");
        assert_eq!(found["first_mismatch"], Value::Null);
        let results = found["results"].as_array().map_or(0, Vec::len);
        assert_eq!(results, if options.len() == 5 { 2 } else { 0 }, "{found}");
    }
    let text = ends(dir.path(), 0, &["verify", "run"]);
    assert!(text.contains("39 366 positions checked, 0 mismatches"), "{text}");
    let error = refused(dir.path(), &["verify", "run", "--seed", "3"]);
    assert!(error.contains("add --sample N"), "{error}");
    // A table of other rules is not compared.
    ends(dir.path(), 0, &["solve", "tictactoe:3x3,k=2", "--engine", "table", "--out", "other.tbl"]);
    let errors = refused(dir.path(), &["verify", "run", "--table", "other.tbl"]);
    assert!(errors.contains("other.tbl") && errors.contains("rules"), "{errors}");
    assert!(refused(dir.path(), &["verify", "run", "--table", "absent.tbl"]).contains("absent.tbl"));
}

#[test]
fn export_writes_every_format() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    for format in ["table", "csv", "npy", "dot", "fst"] {
        let found = json(dir.path(), &["export", "run", "--format", format, "--out", format]);
        assert_fields(&found, &["file", "rows", "bytes"], "export");
        let bytes = std::fs::metadata(dir.path().join(format)).unwrap().len();
        assert_eq!((&found["file"], found["bytes"].as_u64()), (&format.into(), Some(bytes)));
        if !["dot", "fst"].contains(&format) {
            assert_eq!(found["rows"].as_u64(), Some(32), "{format}");
        }
    }
    let csv = std::fs::read_to_string(dir.path().join("csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("side,index,position,value,dtw"));
    assert_eq!((lines.next(), lines.count()), (Some("P1,0,0/0 P1,loss,0"), 31));
    assert!(std::fs::read_to_string(dir.path().join("dot")).unwrap().starts_with("digraph"));
    // The exported table is identical to that of the explicit solver.
    ends(dir.path(), 0, &["solve", "nim:2x3", "--engine", "table", "--out", "explicit.tbl"]);
    let all = files(dir.path());
    assert!(all["/table"] == all["/explicit.tbl"], "both tables must be of the same solution");
    assert!(
        refused(dir.path(), &["export", "run", "--format", "dot", "--set", "Q", "--out", "x"])
            .contains("no set 'Q'")
    );
    refused(dir.path(), &["export", "run", "--format", "pdf", "--out", "x"]);
    if cfg!(not(feature = "parquet")) {
        let errors = refused(dir.path(), &["export", "run", "--format", "parquet", "--out", "x"]);
        assert!(errors.contains("--features parquet"), "{errors}");
    }
    assert!(!dir.path().join("x").exists());
}

#[test]
fn compare_measures_representations() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let rows = &json(dir.path(), &["compare", "run"])["forms"];
    let mut seen = Vec::new();
    for row in list(rows) {
        assert_fields(row, &["form", "bytes", "positions_per_byte", "lookup_ns", "build_seconds"], "a row");
        seen.push(row["form"].as_str().unwrap());
    }
    assert_eq!(seen, ["automata", "value-automaton", "2-bit", "1-byte", "run-length", "zstd", "bdd"]);
    let text = ends(dir.path(), 0, &["compare", "nim:2x3"]);
    assert!(
        text.contains("positions/byte") && dir.path().join("runs/nim_2x3/manifest.json").exists(),
        "{text}"
    );
}

#[test]
fn stats_shows_states_by_ply_and_layer() {
    for method in ["retrograde", "meet"] {
        let dir = with_run("breakthrough:2x4", &["--method", method]);
        let found = json(dir.path(), &["stats", "run", "--plies", "--layers"]);
        assert_fields(&found, &["plies", "layers"], "stats");
        assert_eq!(list(&found["layers"]).len(), 8);
        assert!(!list(&found["plies"]).is_empty());
        let text = ends(dir.path(), 0, &["stats", "run", "--layers"]);
        assert!(text.contains("states by layer"), "{text}");
    }
}

#[test]
fn completions_are_written_for_every_shell() {
    let dir = scratch();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ends(dir.path(), 0, &["completions", shell]);
        assert!(script.contains("nerode") && script.contains("solve"), "{shell}");
    }
    refused(dir.path(), &["completions", "tcl"]);
}

#[test]
fn help_and_version_are_results() {
    let dir = scratch();
    assert!(ends(dir.path(), 0, &["--version"]).starts_with(concat!("nerode ", env!("CARGO_PKG_VERSION"))));
    let help = ends(dir.path(), 0, &["--help"]);
    for command in [
        "games",
        "info",
        "order",
        "solve",
        "resume",
        "reach",
        "query",
        "plan",
        "unit",
        "pack",
        "verify",
        "export",
        "compare",
        "estimate",
        "stats",
        "schema",
        "man",
        "completions",
    ] {
        assert!(help.contains(&format!("  {command} ")), "{command}");
        assert!(ends(dir.path(), 0, &[command, "--help"]).contains("Usage: nerode"), "{command}");
    }
    let output = run_program(dir.path(), &[]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
}

/// Progress and errors go to standard error, results to standard output, so that results can be piped.
#[test]
fn standard_output_has_the_result_only() {
    let dir = scratch();
    for arguments in
        [&["solve", "breakthrough:3x4", "--run-dir", "run"][..], &["verify", "run"], &["stats", "run"]]
    {
        let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nerode"))
            .current_dir(dir.path())
            .args(arguments)
            .arg("--json")
            .assert()
            .success()
            .stderr("");
        assert!(serde_json::from_slice::<Value>(&run.get_output().stdout).is_ok(), "{arguments:?}");
    }
}
