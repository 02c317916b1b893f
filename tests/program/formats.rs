//! The reader in `examples/read_sets.py`, which is written in plain Python from the chapter on file formats, on files of every kind.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::program::{count, ends, json};
use crate::common::scratch;

/// Returns `true` if the machine has what the reader needs: Python, and zstd in Python or as a program.
fn has_python() -> bool {
    let runs = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    runs("python3", &["-c", "import compression.zstd"])
        || runs("python3", &["--version"]) && runs("zstd", &["--version"])
}

/// Returns what the reader says about a file.
fn read(at: &Path, file: &str) -> Value {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/read_sets.py");
    let output = Command::new("python3").current_dir(at).arg(reader).arg(file).output().unwrap();
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the numbers of wins, draws and losses of a table, according to the reader and to the program.
fn of_table(read: &Value) -> [u64; 3] {
    ["win", "draw", "loss"].map(|value| read["positions"][value].as_u64().unwrap_or(0))
}

#[test]
fn the_reader_is_short() {
    assert!(include_str!("../../examples/read_sets.py").lines().count() <= 150);
}

#[test]
fn every_kind_of_set_is_opened_and_counted_in_python() {
    if !has_python() {
        eprintln!("not checked: this machine has no python3 with zstd");
        return;
    }
    let dir = scratch();
    let at = dir.path();
    // Every set of runs of both methods.
    for (spec, method) in [
        ("breakthrough:2x5", "retrograde"),
        ("connect:4x3", "retrograde"),
        ("tictactoe:3x3", "meet"),
        ("nim:3x12", "retrograde"),
    ] {
        ends(at, 0, &["solve", spec, "--method", method, "--run-dir", method, "--overwrite"]);
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(at.join(method).join("manifest.json")).unwrap()).unwrap();
        let mut checked = 0;
        for (name, set) in manifest["sets"].as_object().unwrap() {
            if set["without"].is_null() {
                let found = read(at, &format!("{method}/{}", set["file"].as_str().unwrap()));
                assert_eq!(
                    found["words"].to_string(),
                    set["num_positions"].as_str().unwrap(),
                    "{spec} {name}"
                );
                assert_eq!(found["states"], set["num_states"], "{spec} {name}");
                checked += 1;
            }
        }
        assert!(checked > 10, "{spec}");
    }
    // Value maps: each word has exactly one code.
    ends(at, 0, &["pack", "retrograde"]);
    let map = read(at, "retrograde/values/values-P1.map");
    let words: u64 = map["words"].as_object().unwrap().values().map(|words| words.as_u64().unwrap()).sum();
    assert_eq!((&map["kind"], words), (&"value map".into(), 13 * 13 * 13));
    assert_eq!(map["words"]["0"], Value::Null, "nim has no draws");
    // Tables of all versions.
    let of = |found: &Value| ["win", "draw", "loss"].map(|value| count(&found[value]) as u64);
    let all = json(at, &["solve", "tictactoe:3x3", "--engine", "table", "--out", "all.tbl"]);
    let found = read(at, "all.tbl");
    assert_eq!((&found["kind"], of_table(&found)), (&"table, version 1".into(), of(&all)));
    ends(at, 0, &["export", "meet", "--format", "table", "--out", "listed.tbl"]);
    let keyed = json(at, &["solve", "tictactoe:3x3", "--engine", "reached", "--out", "keyed.tbl"]);
    let [listed, found] = ["listed.tbl", "keyed.tbl"].map(|file| read(at, file));
    assert_eq!((&found["kind"], of_table(&found)), (&"table, version 3".into(), of(&keyed)));
    assert_eq!((&listed["kind"], of_table(&listed)), (&"table, version 2".into(), of(&keyed)));
    assert_eq!(listed["plies"][2], 72);
    // Sectors.
    let solved = json(at, &["solve", "morris:three", "--engine", "sectors", "--run-dir", "sectors"]);
    for sector in solved["sectors"].as_array().unwrap() {
        let found = read(at, &format!("sectors/{}.sector", sector["sector"].as_str().unwrap()));
        for value in ["win", "draw", "loss"] {
            assert_eq!(found["slots"][value].as_u64().unwrap_or(0), count(&sector[value]) as u64, "{sector}");
        }
    }
}
