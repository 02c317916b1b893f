//! The commands `query` and `line`: positions as arguments and from standard input, illegal positions, every kind of
//! directory, drawings.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::common::program::{assert_no_panic, ends, json, list, program, refused, run_program, with_run};
use crate::common::scratch;

/// Runs `query run --batch` with some options and an input.
fn batch(at: &Path, options: &[&str], input: &str) -> Output {
    let arguments = [&["query", "run", "--batch"], options].concat();
    let mut child = program()
        .current_dir(at)
        .args(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_no_panic(&output, &arguments);
    output
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn positions_are_typed_without_quotes() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let quoted = json(dir.path(), &["query", "run", "2/1b/w1/2 w"]);
    assert_eq!(json(dir.path(), &["query", "run", "2/1b/w1/2", "w"]), quoted);
    assert_eq!(json(dir.path(), &["query", "run", "2/1b/w1/2_w"]), quoted);
    assert_eq!(json(dir.path(), &["query", "run", "2/1b/w1/2__w"]), quoted);
    let dir = with_run("chess:KRvK,board=4x4", &["--method", "retrograde"]);
    let dashes = json(dir.path(), &["query", "run", "3k/4/4/KR2", "w", "-", "-"]);
    assert_eq!(dashes, json(dir.path(), &["query", "run", "3k/4/4/KR2 w"]));
    // Without a position, the start is queried. Two kinds of queries at once are rejected.
    assert_eq!(json(dir.path(), &["query", "run"]), json(dir.path(), &["query", "run", "start"]));
    refused(dir.path(), &["query", "run", "start", "--batch"]);
}

#[test]
fn illegal_positions_are_refused_with_a_reason_and_answered_on_demand() {
    for (spec, position, part) in [
        ("chess:KRvK,board=4x4", "4/1kK1/4/R3 w", "the kings are on adjacent squares"),
        ("connect:3x3,row=3", "3/X2/3 O", "floats"),
        ("tictactoe:3x3", "XXX/XXX/XXX O", "X has 9 marks"),
        ("tictactoe:3x3", "start_O", "move 'O': not a legal move"),
    ] {
        let dir = with_run(spec, &["--method", "retrograde"]);
        for command in ["query", "line"] {
            let errors = refused(dir.path(), &[command, "run", position]);
            assert!(errors.contains(part), "{errors}");
        }
        if !position.starts_with("start") {
            let errors = refused(dir.path(), &["query", "run", position]);
            assert!(errors.contains("illegal position") && errors.contains("--any"), "{errors}");
            assert!(json(dir.path(), &["query", "run", position, "--any"])["category"].is_string());
        }
    }
}

/// A run that was solved forward from the start does not cover unreachable positions.
#[test]
fn what_was_not_reached_is_not_covered_and_its_moves_are_listed() {
    let dir = with_run("othello:4x3", &["--method", "meet"]);
    // Six discs in an unreachable arrangement, with moves for either side.
    let position = "1w2/1bw1/1wbb b";
    let found = json(dir.path(), &["query", "run", position]);
    assert_eq!((&found["category"], &found["dtw"]), (&"not covered".into(), &Value::Null));
    assert!(!list(&found["moves"]).is_empty(), "{found}");
    let text = ends(dir.path(), 0, &["query", "run", position]);
    assert!(text.contains("P1 to move: not covered") && !text.contains("the game is over"), "{text}");
    let start = json(dir.path(), &["query", "run", "start"]);
    assert!(["win", "draw", "loss"].contains(&start["category"].as_str().unwrap()));
    let line = json(dir.path(), &["line", "run", position]);
    assert_eq!((&line["end"], list(&line["line"]).len()), (&"unknown".into(), 0));
}

#[test]
fn a_batch_answers_line_by_line_in_order() {
    let dir = with_run("nim:2x5", &["--method", "retrograde"]);
    let output = batch(dir.path(), &[], "\u{feff}3/5 P2\r\nstart\n\t0/0_P1 \n5/5\tP1");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = lines(&output);
    let wanted =
        [("3/5 P2", "win", 7), ("5/5 P1", "loss", 10), ("0/0 P1", "loss", 0), ("5/5 P1", "loss", 10)];
    assert_eq!(answers.len(), wanted.len());
    for (line, input) in [(0, "3/5 P2"), (1, "start"), (2, "0/0_P1"), (3, "5/5\tP1")] {
        assert_eq!((&answers[line]["line"], &answers[line]["input"]), (&(line + 1).into(), &input.into()));
    }
    for (answer, (position, category, dtw)) in answers.iter().zip(wanted) {
        assert_eq!((&answer["position"], &answer["category"]), (&position.into(), &category.into()));
        assert_eq!((&answer["dtw"], &answer["game"]), (&dtw.into(), &"nim:2x5".into()));
        assert!(answer.get("moves").is_none() && answer["schema_version"] == 1, "{answer}");
    }
    let output = batch(dir.path(), &["--moves", "--threads", "2"], "3/5 P2\n");
    let single = json(dir.path(), &["query", "run", "3/5 P2"]);
    assert_eq!(lines(&output)[0]["moves"], single["moves"]);
    assert!(batch(dir.path(), &[], "").stdout.is_empty());
}

#[test]
fn a_batch_says_what_it_could_not_answer_and_goes_on() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let output = batch(dir.path(), &[], "what\nXXX/XXX/XXX_O\n\nstart\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("3 lines"));
    let answers = lines(&output);
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["line"], &answers[0]["input"]), (&1.into(), &"what".into()));
    assert_eq!((&answers[1]["line"], &answers[1]["input"]), (&2.into(), &"XXX/XXX/XXX_O".into()));
    assert!(answers[1]["error"]["title"] == "illegal position", "{}", answers[1]);
    assert!(answers[1]["error"]["accepted"].as_str().unwrap().contains("--any"));
    assert_eq!(answers[0]["error"]["example"], "3/3/3 X");
    assert_eq!(
        (&answers[2]["line"], &answers[2]["error"]["detail"]),
        (&3.into(), &"the line is blank".into())
    );
    assert_eq!((&answers[3]["line"], &answers[3]["category"]), (&4.into(), &"draw".into()));
    let output = batch(dir.path(), &["--any"], "XXX/XXX/XXX O\n");
    assert_eq!((output.status.code(), &lines(&output)[0]["category"]), (Some(0), &"loss".into()));
    // The bytes may have any value and number.
    for (length, after) in [(400_000, "\nstart\n"), (65_537, "\nstart"), (1 << 20, "\nstart\n")] {
        let output = batch(dir.path(), &[], &format!("start\n{}{after}", "é".repeat(length)));
        assert_eq!(output.status.code(), Some(2));
        let answers = lines(&output);
        assert_eq!((answers.len(), &answers[1]["line"], &answers[2]["line"]), (3, &2.into(), &3.into()));
        assert!(answers[1]["error"]["detail"].as_str().unwrap().contains("more than 65 536 bytes"));
        assert_eq!(answers[1]["input"].as_str().unwrap(), "é".repeat(100));
        assert_eq!(answers[2]["category"], "draw");
    }
    let output = batch(dir.path(), &[], "\n \t\r\n\n");
    assert_eq!((output.status.code(), lines(&output).len()), (Some(2), 3));
    let output = batch(dir.path(), &[], "start\n\0\n");
    assert_eq!((output.status.code(), lines(&output).len()), (Some(2), 2));
}

/// Thousands of lines on several threads are answered in the order of the input, with the same answers as single
/// queries.
#[test]
fn a_large_batch_keeps_its_order() {
    let dir = with_run("nim:3x7", &["--method", "retrograde"]);
    let positions: Vec<String> =
        (0..20_000u32).map(|i| format!("{}/{}/{} P1", i % 8, i / 8 % 8, i / 64 % 8)).collect();
    let output = batch(dir.path(), &["--threads", "4"], &positions.join("\n"));
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output);
    assert_eq!(answers.len(), positions.len());
    for (i, (answer, position)) in (0u32..).zip(answers.iter().zip(&positions)) {
        let lost = (i % 8) ^ (i / 8 % 8) ^ (i / 64 % 8) == 0;
        assert_eq!(answer["position"], **position);
        assert_eq!(answer["category"], if lost { "loss" } else { "win" }, "{position}");
    }
}

/// A client may wait for an answer before it sends the next query.
#[test]
fn a_batch_searches_for_depths_with_and_without_moves() {
    let dir = with_run("connect:4x4", &["--method", "meet"]);
    let at = dir.path();
    let input = "start\n4/4/4/X3 O\n4/4/X3/XO2 O\n4/2O1/2X1/2XO X\n";
    let depths = |options: &[&str]| -> Vec<Value> {
        lines(&batch(at, options, input)).iter().map(|line| line["dtw"].clone()).collect()
    };
    let searched = depths(&["--search-seconds", "60"]);
    assert_eq!(searched, depths(&["--search-seconds", "60", "--moves"]));
    ends(at, 0, &["solve", "connect:4x4", "--method", "retrograde", "--run-dir", "all"]);
    let expected = |position: &str| json(at, &["query", "all", position])["dtw"].clone();
    assert_eq!(searched, input.lines().map(expected).collect::<Vec<_>>());
    assert_eq!(searched[3], 12);
}

#[test]
fn a_batch_answers_while_its_input_waits() {
    let dir = with_run("nim:2x5", &["--method", "retrograde"]);
    let mut child = program()
        .current_dir(dir.path())
        .args(["query", "run", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (position, category) in [("3/5 P2", "win"), ("start", "loss"), ("4/4 P1", "loss")] {
        writeln!(stdin, "{position}").unwrap();
        stdin.flush().unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["category"], category, "{position}");
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_line_is_best_play_to_the_end() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let start = json(dir.path(), &["query", "run", "start"]);
    let line = json(dir.path(), &["line", "run"]);
    assert_eq!((&line["position"], &line["dtw"]), (&start["position"], &start["dtw"]));
    let plies = list(&line["line"]);
    assert_eq!((plies.len() as u64, &line["end"]), (start["dtw"].as_u64().unwrap(), &"over".into()));
    for (left, ply) in (0..plies.len()).rev().zip(plies) {
        assert_eq!(ply["dtw"], left, "{ply}");
    }
    assert_eq!(line["last"], plies.last().unwrap()["position"]);
    let text = ends(dir.path(), 0, &["line", "run", "start"]);
    assert!(text.contains("the game is over: P") && text.contains("P1 to move: "), "{text}");
    // Play in draws repeats positions, so the line stops at the first repetition.
    let dir = with_run("chess:KRvK,board=4x4", &["--method", "retrograde"]);
    let drawn = ["line", "run", "3k/4/4/1K2", "w"];
    let line = json(dir.path(), &drawn);
    assert_eq!((&line["category"], &line["end"]), (&"draw".into(), &"repetition".into()));
    let mut seen: Vec<&Value> = list(&line["line"]).iter().map(|ply| &ply["position"]).collect();
    seen.push(&line["position"]);
    let last = seen.iter().filter(|position| ***position == line["last"]).count();
    assert_eq!(last, 2, "the last position must be a repetition: {line}");
    assert!(ends(dir.path(), 0, &drawn).contains("play repeats"));
}

/// A table file and sectors as sets give the same answers as the run and the tables of the same game.
#[test]
#[ignore = "slow: .ci/slow"]
fn tables_and_sectors_as_sets_answer_too() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    ends(at, 0, &["export", "run", "--format", "table", "--out", "t.tbl"]);
    for position in ["start", "XX1/OO1/3 X", "XXO/OOX/XOX O"] {
        let answer = json(at, &["query", "t.tbl", position, "--any"]);
        let mut expected = json(at, &["query", "run", position, "--any"]);
        // A table does not record the method.
        assert_eq!(expected.as_object_mut().unwrap().remove("method"), Some("retrograde".into()));
        assert_eq!(answer, expected, "{position}");
    }
    let mut bytes = std::fs::read(at.join("t.tbl")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(at.join("t.tbl"), bytes).unwrap();
    assert!(refused(at, &["query", "t.tbl", "start"]).contains("digest"));

    let dir = scratch();
    let at = dir.path();
    json(at, &["solve", "morris:six", "--sector", "4-3-0-0", "--run-dir", "tables"]);
    json(at, &["solve", "morris:six", "--engine", "sets", "--sector", "4-3-0-0", "--run-dir", "sets"]);
    for position in [
        "OO*O@***/@*O*@*** w 0-0",
        "OO*O@***/@*O*@*** b 0-0",
        "O*O*O***/@@*@**** w 0-0",
        "@*@*@***/OOO*O*** b 0-0",
    ] {
        let [sets, tables] = ["sets", "tables"].map(|dir| json(at, &["query", dir, position]));
        assert_eq!(sets, tables, "{position}");
        assert_ne!(sets["category"], "not covered");
        assert!(!list(&sets["moves"]).is_empty());
    }
    let outside = json(at, &["query", "sets", "start"]);
    assert_eq!(outside["category"], "not covered");
    let stats = json(at, &["stats", "sets"]);
    let sectors = list(&stats["sectors"]);
    assert!(sectors.iter().any(|line| line["sector"] == "4-3-0-0"), "{stats}");
    // There are 16 points: 4 stones, and 3 on the other 12 points.
    let line = sectors.iter().find(|line| line["sector"] == "4-3-0-0").unwrap();
    assert_eq!(line["positions"], (1820 * 220).to_string());
    assert!(ends(at, 0, &["stats", "sets"]).contains("4-3-0-0"));
}

/// If standard output receives the drawing, the document goes to standard error, as in an export.
#[test]
fn a_drawing_on_standard_output_has_its_document_beside_it() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let drawn = ["query", "run", "start", "--plot", "-"];
    let output = run_program(dir.path(), &[&drawn[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), ends(dir.path(), 0, &drawn));
    let aside: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&aside["command"], &aside["plot"]), (&"query".into(), &"-".into()));
    assert_eq!(aside["game"], "breakthrough:2x4");
    // No document was requested.
    assert!(run_program(dir.path(), &drawn).stderr.is_empty());
}

#[test]
fn a_position_is_drawn_with_its_moves() {
    for (spec, position, labels) in [
        ("breakthrough:2x4", "2/1b/w1/2 w", &["W1", "win in"][..]),
        ("tictactoe:3x3", "XX1/OO1/3 X", &["W1"]),
        ("connect:3x3,row=3", "start", &["to move"]),
        ("nim:2x3", "2/1 P2", &["W", "L"]),
        ("chess:KRvK,board=4x4", "3k/4/4/KR2 w", &["W"]),
        ("morris:three", "start", &["W", "in hand: white 3, black 3"]),
        ("amazons:2x3,start=1b/2/w1", "start", &["to move"]),
        ("othello:3x3", "start", &["to move"]),
    ] {
        let dir = with_run(spec, &["--method", "retrograde"]);
        let plot = ["query", "run", position, "--plot", "board.svg"];
        assert_eq!(json(dir.path(), &plot)["plot"], "board.svg");
        let svg = std::fs::read_to_string(dir.path().join("board.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{spec}");
        for label in labels {
            assert!(svg.contains(label), "{spec}: no {label}");
        }
        assert!(refused(dir.path(), &plot).contains("board.svg"));
        ends(dir.path(), 0, &[&plot[..], &["--overwrite"]].concat());
        assert_eq!(ends(dir.path(), 0, &["query", "run", position, "--plot", "-"]), svg);
        assert!(refused(dir.path(), &["query", "run", position, "--plot", "run/b.svg"]).contains("run"));
    }
    let dir = with_run("nim:2x30", &["--method", "retrograde"]);
    assert!(refused(dir.path(), &["query", "run", "start", "--plot", "b.svg"]).contains("no board"));
}
