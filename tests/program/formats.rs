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

/// Returns what the reader says about some files.
fn read_all(at: &Path, files: &[&str]) -> Vec<Value> {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/read_sets.py");
    let output = Command::new("python3").current_dir(at).arg(reader).args(files).output().unwrap();
    assert!(output.status.success(), "{files:?}: {}", String::from_utf8_lossy(&output.stderr));
    let lines = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    lines.map(|line| line.unwrap()).collect()
}

/// Returns what the reader says about a file.
fn read(at: &Path, file: &str) -> Value {
    read_all(at, &[file]).remove(0)
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
#[ignore = "slow: .ci/slow"]
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
        let sets = manifest["sets"].as_object().unwrap().iter().filter(|(_, set)| set["without"].is_null());
        let files = sets.clone().map(|(_, set)| format!("{method}/{}", set["file"].as_str().unwrap()));
        let files: Vec<String> = files.collect();
        let found = read_all(at, &files.iter().map(String::as_str).collect::<Vec<_>>());
        for ((name, set), found) in sets.zip(&found) {
            assert_eq!(found["words"].to_string(), set["num_positions"].as_str().unwrap(), "{spec} {name}");
            assert_eq!(found["states"], set["num_states"], "{spec} {name}");
        }
        assert!(found.len() > 10, "{spec}");
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
    packed_positions_are_counted(at);
    // Sectors.
    let solved = json(at, &["solve", "morris:three", "--engine", "sectors", "--run-dir", "sectors"]);
    for sector in solved["sectors"].as_array().unwrap() {
        let found = read(at, &format!("sectors/{}.sector", sector["sector"].as_str().unwrap()));
        for value in ["win", "draw", "loss"] {
            assert_eq!(found["slots"][value].as_u64().unwrap_or(0), count(&sector[value]) as u64, "{sector}");
        }
    }
    packed_sectors_are_counted(at);
    bounds_are_counted(at);
}

/// Returns the sum of the counts in an object.
fn sum(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

/// Packed positions of games without mirror images: for each ply, exactly the words of `R_i` have the code 1.
fn packed_positions_are_counted(at: &Path) {
    for spec in ["breakthrough:2x4", "amazons:3x3,start=b2/3/1w1"] {
        ends(at, 0, &["solve", spec, "--method", "meet", "--run-dir", "forward", "--overwrite"]);
        ends(at, 0, &["pack", "forward", "--overwrite"]);
        let manifest = std::fs::read(at.join("forward/manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        // The first file contains the numbers of letters.
        let found = read_all(at, &["forward/sets/R-P1-000.dfa", "forward/values/reached.packed"]);
        let plies = found[1]["plies"].as_array().unwrap();
        assert!(plies.len() > 4, "{spec}");
        for (ply, [reached, values]) in plies.iter().map(|maps| [&maps[0], &maps[1]]).enumerate() {
            let set = format!("R-P{}-{ply:03}", ply % 2 + 1);
            let positions = count(&manifest["sets"][&set]["num_positions"]) as u64;
            assert_eq!(reached["1"].as_u64().unwrap_or(0), positions, "{spec} {set}");
            assert_eq!(sum(reached), sum(values), "{spec}: every word has a code");
        }
    }
}

/// The words of a packed sector have the values of the sector's slots, and those that holes may have.
fn packed_sectors_are_counted(at: &Path) {
    let pack = |options: &[&str], to: &str| {
        ends(at, 0, &[&["pack", "sectors", "--look-ahead", "0", "--out", to], options].concat());
    };
    pack(&[], "packed");
    pack(&["--depths"], "packed-depths");
    let mut compared = 0;
    for (folder, file) in ["packed", "packed-depths"].into_iter().flat_map(|folder| {
        let files = std::fs::read_dir(at.join(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".packed")).map(move |name| (folder, name)).collect::<Vec<_>>()
    }) {
        let found = read(at, &format!("{folder}/{file}"));
        let sector = read(at, &format!("sectors/{}.sector", file.trim_end_matches(".packed")));
        let slots = &sector["slots"];
        let holes = slots["hole"].as_u64().unwrap_or(0);
        // The words with a given class of the stones of one side number as many as the slots only for that side.
        if found["root"] == 0 {
            assert_eq!(sum(&found["words"]), sum(slots), "{folder}/{file}");
        }
        // Captures are left open where they decide a position.
        if found["probe"] == 0 && found["root"] == 0 {
            let mut counts = std::collections::BTreeMap::from([("win", 0), ("draw", 0), ("loss", 0)]);
            for (code, words) in found["words"].as_object().unwrap() {
                let code: u16 = code.parse().unwrap();
                let value = match code {
                    0..0x8000 => "loss",
                    0x8000 => "draw",
                    _ => "win",
                };
                *counts.get_mut(value).unwrap() += words.as_u64().unwrap();
            }
            for (value, words) in counts {
                let positions = slots[value].as_u64().unwrap_or(0);
                assert!(
                    (positions..=positions + holes).contains(&words),
                    "{folder}/{file}: {found} {sector}"
                );
            }
            compared += 1;
        }
    }
    assert!(compared >= 4, "{compared}");
}

/// The bytes of bounds are as many as the slots of the sector, and are counted in the manifest.
fn bounds_are_counted(at: &Path) {
    ends(at, 0, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "six"]);
    ends(at, 0, &["bounds", "six", "--placements", "4", "--search-plies", "1"]);
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(at.join("six/bounds/bounds.json")).unwrap()).unwrap();
    for (name, sector) in manifest["sectors"].as_object().unwrap() {
        let found = read(at, &format!("six/bounds/{name}.bounds"));
        for (field, range) in [
            ("win", "win"),
            ("draw", "draw"),
            ("loss", "loss"),
            ("at_least_draw", "win or draw"),
            ("at_most_draw", "draw or loss"),
            ("unknown", "unknown"),
        ] {
            let slots = found["slots"][range].as_u64().unwrap_or(0);
            assert_eq!(sector["counts"][field].as_u64().unwrap(), slots, "{name} {range}: {found}");
        }
        let whole = read(at, &format!("sectors/{name}.sector"));
        assert_eq!(sum(&found["slots"]), sum(&whole["slots"]), "{name}");
    }
}

/// The digits that `export --json` states, applied to the text of a position, are its index.
#[test]
fn the_index_of_a_board_follows_from_the_digits_that_export_states() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "breakthrough:2x4", "--run-dir", "run"]);
    let array = json(at, &["export", "run", "--format", "npy", "--out", "run.npy"]);
    let listed = json(at, &["export", "run", "--format", "csv", "--out", "run.csv"]);
    assert_eq!(array["index"], listed["index"]);
    let cells = array["index"].as_array().unwrap();
    let labels: Vec<&str> = cells.iter().map(|cell| cell["label"].as_str().unwrap()).collect();
    let list = std::fs::read_to_string(at.join("run.csv")).unwrap();
    let mut rows = 0;
    for row in list.lines().skip(1) {
        let [_, index, position, ..] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let ranks = position.split(' ').next().unwrap().split('/').rev();
        let contents: Vec<String> = ranks
            .flat_map(|rank| rank.chars())
            .flat_map(|letter| match letter.to_digit(10) {
                Some(empty) => vec![".".to_string(); empty as usize],
                None => vec![letter.to_string()],
            })
            .collect();
        let of = |label: &str| {
            let place =
                ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"].iter().position(|cell| *cell == label);
            &contents[place.unwrap()]
        };
        let number = labels.iter().zip(cells).fold(0, |number, (label, cell)| {
            let contents = cell["contents"].as_array().unwrap();
            number * contents.len() + contents.iter().position(|content| content == of(label)).unwrap()
        });
        assert_eq!(number.to_string(), index, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 2 * 3 * 3 * 3_usize.pow(6));
    // Lists of reached positions have no such index.
    ends(at, 0, &["solve", "breakthrough:2x4", "--method", "meet", "--run-dir", "meet"]);
    assert!(json(at, &["export", "meet", "--format", "npy", "--out", "meet.npy"])["index"].is_null());
}
