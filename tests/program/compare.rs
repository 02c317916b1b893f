//! The command `compare`: the forms that it measures, and their names.

use crate::common::program::{ends, json, list, refused, with_run};

#[test]
fn forms_are_chosen_by_name() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    let names = |arguments: &[&str]| -> Vec<String> {
        let found = json(at, &[&["compare", "run"], arguments].concat());
        assert!(found.get("missing").is_none(), "{found}");
        list(&found["forms"]).iter().map(|row| row["form"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names(&["--forms", "zstd,automata,zstd"]), ["automata", "zstd"]);
    assert_eq!(names(&["--forms", "run-length"]), ["run-length"]);
    assert_eq!(names(&[]).len(), 7);
    let errors = refused(at, &["compare", "run", "--forms", "zip"]);
    assert!(errors.contains("'zip'") && errors.contains("run-length"), "{errors}");
    ends(at, 0, &["solve", "morris:three", "--engine", "sectors", "--run-dir", "three"]);
    let sectors = |forms: &str| -> Vec<String> {
        let found = json(at, &["compare", "three", "--sector", "3-3-0-0", "--forms", forms]);
        list(&found["forms"]).iter().map(|row| row["form"].as_str().unwrap().to_string()).collect()
    };
    let names = sectors("zstd,2-bit");
    assert!(
        names.len() == 3 && names[0].starts_with("2 bits") && names[2].starts_with("zstd -19"),
        "{names:?}"
    );
    assert_eq!(sectors("kept"), ["kept"]);
    let errors = refused(at, &["compare", "three", "--forms", "bdd"]);
    assert!(
        errors.contains("'bdd' is not a form of sectors") && errors.contains("plain, automata"),
        "{errors}"
    );
    let errors = refused(at, &["compare", "run", "--forms", "plain"]);
    assert!(
        errors.contains("'plain' is not a form of runs") && errors.contains("value-automaton"),
        "{errors}"
    );
}

/// The forms of a run from the start list the reached positions, and agree with its sets; otherwise the command fails.
#[test]
#[ignore = "slow: .ci/slow"]
fn forms_of_reached_positions_agree() {
    for (spec, positions) in [("tictactoe:3x3", 5478u64), ("othello:4x3", 0)] {
        let dir = with_run(spec, &["--method", "meet"]);
        let at = dir.path();
        assert!(ends(at, 0, &["compare", "run"]).contains("win/draw/loss of the reached positions"));
        let found = json(at, &["compare", "run"]);
        let rows = list(&found["forms"]);
        assert_eq!(rows.len(), 7);
        let bytes =
            |name: &str| rows.iter().find(|row| row["form"] == name).unwrap()["bytes"].as_u64().unwrap();
        for row in rows.iter().filter(|row| row["form"] != "bdd") {
            assert!(row["lookup_ns"].as_f64().unwrap() > 0.0, "{row}");
        }
        // A byte for each position, and the sets that number them.
        assert!(bytes("1-byte") > positions && bytes("2-bit") < bytes("1-byte"), "{found}");
        if positions > 0 {
            let two_bits = bytes("1-byte") - bytes("2-bit");
            assert!((positions * 3 / 4 - 10..=positions * 3 / 4).contains(&two_bits), "{two_bits}");
        }
    }
}

/// The forms of a table of reached positions agree with the sets that are built from it, also if the order of letters is not that of
/// cells.
#[test]
#[ignore = "slow: .ci/slow"]
fn forms_of_a_table_of_reached_positions_agree() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    for spec in ["tictactoe:3x3", "othello:4x3", "nim:3x7"] {
        ends(at, 0, &["solve", spec, "--engine", "reached", "--out", "table.tbl", "--overwrite"]);
        assert!(ends(at, 0, &["compare", "table.tbl"]).contains("win/draw/loss of the reached positions"));
        let found = json(at, &["compare", "table.tbl"]);
        let rows = list(&found["forms"]);
        assert_eq!((rows.len(), found["game"].as_str().unwrap()), (7, spec));
        for row in rows.iter().filter(|row| row["form"] != "bdd") {
            assert!(row["lookup_ns"].as_f64().unwrap() > 0.0, "{row}");
        }
    }
}

/// Rows are aligned although they are printed one by one.
#[test]
fn rows_line_up() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let text = ends(dir.path(), 0, &["compare", "run"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (9, "tictactoe:3x3, win/draw/loss of both sides"));
    let end = lines[1].find("build s").unwrap() + "build s".len();
    for line in &lines[2..] {
        let number = line[..end.min(line.len())].split_whitespace().last().unwrap();
        assert!(number == "-" || number.parse::<f64>().is_ok(), "{line}");
    }
    let text = ends(dir.path(), 0, &["reach", "tictactoe:3x3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "tictactoe:3x3");
    assert!(lines[1..12].iter().all(|line| line.len() == lines[1].len()), "{text}");
}
