//! Every command that reads sectors, with every kind of invalid file: a clear message, the correct exit code, and no
//! loss of finished work.

use std::fs;
use std::path::Path;

use crate::common::program::{ends, json, program, refused, run_program};
use crate::common::{Files, assert_same_files, files, scratch};

const GAME: &str = "morris:nine,stones=3";
/// The sector whose file is invalid, a sector that leads to it, and a sector to which it leads.
const BAD: &str = "1-1-2-2";
const PARENT: &str = "0-1-3-2";
const CHILD: &str = "1-2-2-1";
const POSITION: &str = "O@******/********/******** w 2-2";

/// Creates a solved game in `d`, and a sector of other rules next to it.
fn solved() -> tempfile::TempDir {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", GAME, "--run-dir", "d"]);
    let other = format!("{GAME},capture=protected");
    ends(dir.path(), 0, &["solve", &other, "--sector", BAD, "--run-dir", "other"]);
    dir
}

fn path_of(at: &Path, sector: &str) -> std::path::PathBuf {
    at.join("d").join(format!("{sector}.sector"))
}

/// The bytes that are written over the file of a sector, and the expected message.
struct Damage {
    name: &'static str,
    bytes: fn(&Path, Vec<u8>) -> Vec<u8>,
    said: &'static str,
    /// Whether the file is worthless, so that `resume` recomputes it. Otherwise it may still be of use and is kept.
    is_remade: bool,
}

const DAMAGES: [Damage; 10] = [
    Damage { name: "cut", bytes: |_, b| b[..b.len() - 5].to_vec(), said: "truncated", is_remade: true },
    Damage { name: "cut in its header", bytes: |_, b| b[..30].to_vec(), said: "truncated", is_remade: true },
    Damage {
        name: "cut in its first bytes",
        bytes: |_, b| b[..10].to_vec(),
        said: "truncated",
        is_remade: true,
    },
    Damage { name: "empty", bytes: |_, _| Vec::new(), said: "truncated", is_remade: true },
    Damage {
        name: "too long",
        bytes: |_, b| [&b[..], b"more"].concat(),
        said: "its digest differs",
        is_remade: true,
    },
    Damage {
        name: "a flipped byte",
        bytes: |_, b| flipped(b, 120),
        said: "its digest differs",
        is_remade: true,
    },
    Damage {
        name: "text",
        bytes: |_, _| b"not a sector, and longer than sixteen".to_vec(),
        said: "not a sector file",
        is_remade: true,
    },
    Damage {
        name: "another sector",
        bytes: |at, _| fs::read(path_of(at, CHILD)).unwrap(),
        said: "it contains sector 1-2-2-1, not 1-1-2-2",
        is_remade: true,
    },
    Damage {
        name: "other rules",
        bytes: |at, _| fs::read(at.join("other/1-1-2-2.sector")).unwrap(),
        said: "created for rules",
        is_remade: false,
    },
    Damage {
        name: "version 1",
        bytes: |_, b| sealed([&b[..8], &[1, 0, 0, 0], &b[12..]].concat()),
        said: "unsupported format version 1 (this program reads version 2)",
        is_remade: false,
    },
];

/// Ends a file with the digest of its other bytes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - blake3::OUT_LEN;
    let digest = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(digest.as_bytes());
    bytes
}

fn flipped(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes[at] ^= 1;
    bytes
}

/// Every command that reads the sector.
const READERS: [&[&str]; 8] = [
    &["query", "d", POSITION],
    &["line", "d", POSITION],
    &["stats", "d"],
    &["verify", "d"],
    &["verify", "d", "--sector", PARENT],
    &["compare", "d", "--sector", BAD],
    &["pack", "d", "--out", "packed"],
    &["unit", GAME, BAD, "--run-dir", "d"],
];

const EXPORT: [&str; 6] = ["export", "d", "--format", "sec", "--out", "malom"];
const RESUME: [&str; 2] = ["resume", "d"];
const UNIT: [&str; 5] = ["unit", GAME, BAD, "--run-dir", "d"];

/// Runs a command that must fail, and returns its output. Files on disk may only change as `may_change` describes.
fn fails(at: &Path, command: &[&str], what: &str) -> String {
    let before = kept(at);
    let output = run_program(at, command);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{what}, {command:?}: {said}");
    assert_same_files(&kept(at), &before, &format!("{what}, {command:?}"));
    said
}

/// Returns the files of the directory of sectors, without its locks.
fn kept(at: &Path) -> Files {
    let mut found = files(&at.join("d"));
    found.retain(|name, _| !name.starts_with("/locks"));
    found
}

#[test]
#[ignore = "slow: .ci/slow"]
fn every_command_has_a_clear_word_for_every_bad_file() {
    let dir = solved();
    let at = dir.path();
    let whole = kept(at);
    for Damage { name, bytes, said: words, is_remade } in DAMAGES {
        let bad = bytes(at, fs::read(path_of(at, BAD)).unwrap());
        fs::write(path_of(at, BAD), &bad).unwrap();
        let advice = match is_remade {
            true => "'nerode resume d' recomputes it".to_string(),
            false => {
                format!(
                    "move it elsewhere, and 'nerode unit {GAME} {BAD} --run-dir d' solves the sector again"
                )
            }
        };
        // A unit that depends on the invalid one.
        let parent = fs::read(path_of(at, PARENT)).unwrap();
        fs::remove_file(path_of(at, PARENT)).unwrap();
        let of_parent = fails(at, &["unit", GAME, PARENT, "--run-dir", "d"], name);
        fs::write(path_of(at, PARENT), parent).unwrap();
        let mut all = vec![of_parent];
        all.extend(READERS.iter().chain([&&EXPORT[..]]).map(|command| fails(at, command, name)));
        for said in all {
            for part in ["d/1-1-2-2.sector", words, &advice] {
                assert!(said.contains(part), "{name}: {said} does not contain: {part}");
            }
        }
        assert!(!at.join("packed").exists());
        if is_remade {
            assert_eq!(json(at, &RESUME)["mended"], serde_json::json!([BAD]), "{name}");
        } else {
            assert!(fails(at, &RESUME, name).contains(&advice), "{name}");
            fs::remove_file(path_of(at, BAD)).unwrap();
            ends(at, 0, &UNIT);
        }
        assert_same_files(&kept(at), &whole, name);
        // Files exported before the invalid file was read are complete.
        ends(at, 0, &EXPORT);
        assert_eq!(json(at, &["verify", "d", "--table", "malom"])["mismatches"], "0", "{name}");
        fs::remove_dir_all(at.join("malom")).unwrap();
    }
}

/// The header of a damaged file may name another game, version or size, but it is the damage that is reported and repaired.
#[test]
fn a_damaged_header_is_not_believed() {
    let dir = solved();
    let at = dir.path();
    let file = path_of(at, BAD);
    let whole = std::fs::read(&file).unwrap();
    ends(at, 0, &["solve", "tictactoe", "--engine", "reached", "--out", "reached.tbl"]);
    ends(at, 0, &["solve", "tictactoe", "--engine", "table", "--out", "all.tbl"]);
    for byte in (8..90).step_by(5) {
        std::fs::write(&file, flipped(whole.clone(), byte)).unwrap();
        let said = refused(at, &["verify", "d"]);
        assert!(said.contains("restore the file from a copy or recreate it"), "byte {byte}: {said}");
        ends(at, 0, &["resume", "d"]);
        assert_eq!(std::fs::read(&file).unwrap(), whole, "byte {byte}");
    }
    for table in ["reached.tbl", "all.tbl"] {
        let whole = std::fs::read(at.join(table)).unwrap();
        for byte in (8..60).step_by(4) {
            std::fs::write(at.join(table), flipped(whole.clone(), byte)).unwrap();
            let said = refused(at, &["query", table]);
            assert!(said.contains(table), "{table}, byte {byte}: {said}");
            assert!(
                said.contains("restore the file from a copy or recreate it"),
                "{table}, byte {byte}: {said}"
            );
        }
    }
}

#[test]
fn every_command_has_a_clear_word_for_a_missing_file() {
    let dir = solved();
    let at = dir.path();
    let whole = kept(at);
    let known = json(at, &["query", "d", POSITION]);
    fs::remove_file(path_of(at, BAD)).unwrap();
    let noted = |command: &[&str]| {
        let output = run_program(at, command);
        assert_eq!(output.status.code(), Some(0), "{command:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(noted(&["query", "d", POSITION]).contains("sector 1-1-2-2 is not in d; 'nerode unit"));
    // The sectors to which moves lead exist, so one ply shows the value and depth that the missing sector would have.
    let found = json(at, &["query", "d", POSITION]);
    assert_eq!(
        (&found["category"], &found["search"]["plies"], &found["dtw"]),
        (&"win".into(), &1.into(), &known["dtw"])
    );
    assert!(known["dtw"].is_number(), "{known}");
    assert_eq!(json(at, &["info", "d"])["finished"], false);
    // Commands that process all sectors report that one is missing, and process the others.
    let open = "1 of the 7 requested work units is missing; the first is 1-1-2-2; 'nerode resume d'";
    assert!(noted(&["stats", "d"]).contains(open), "{}", noted(&["stats", "d"]));
    for command in [
        &["verify", "d"][..],
        &["verify", "d", "--sector", PARENT],
        &["verify", "d", "--sector", BAD],
        &EXPORT,
        &["compare", "d", "--sector", BAD],
        &["pack", "d", "--sector", BAD, "--out", "packed"],
    ] {
        let said = fails(at, command, "missing");
        for part in ["1-1-2-2 is not in d", "'nerode unit morris:nine,stones=3 1-1-2-2 --run-dir d'"] {
            assert!(said.contains(part), "{command:?}: {said}");
        }
        assert_eq!(said.contains(open), !command.contains(&"--sector"), "{command:?}: {said}");
    }
    assert!(!at.join("malom").exists() && !at.join("packed").exists());
    fs::remove_file(path_of(at, PARENT)).unwrap();
    let said = fails(at, &["unit", GAME, PARENT, "--run-dir", "d"], "missing");
    assert!(said.contains("unit 0-1-3-2 leads to") && said.contains(BAD), "{said}");
    assert_eq!(json(at, &RESUME)["solved_units"], 2);
    assert_same_files(&kept(at), &whole, "resumed");
}

/// In a directory of single units, none of which were requested, a missing dependency is an error instead of a note.
#[test]
fn units_whose_dependencies_are_missing_cannot_be_resumed() {
    let dir = solved();
    let at = dir.path();
    fs::create_dir(at.join("units")).unwrap();
    fs::rename(at.join("d"), at.join("solved")).unwrap();
    ends(at, 0, &["unit", GAME, "3-3-0-0", "--run-dir", "d"]);
    assert!(ends(at, 0, &RESUME).contains("0 work units"));
    fs::copy(at.join("solved/1-1-2-2.sector"), path_of(at, BAD)).unwrap();
    for part in
        ["depend on 3 work units, which are missing; the first is 2-3-1-0", "--run-dir d' solves the first"]
    {
        let said = fails(at, &RESUME, "single units");
        assert!(said.contains(part), "{said}");
    }
    let bad = flipped(fs::read(path_of(at, "3-3-0-0")).unwrap(), 200);
    fs::write(path_of(at, "3-3-0-0"), bad).unwrap();
    let output = run_program(at, &RESUME);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("recomputed: 3-3-0-0"), "{said}");
    assert!(fs::read(path_of(at, "3-3-0-0")).unwrap() == fs::read(at.join("solved/3-3-0-0.sector")).unwrap());
}

#[test]
fn a_folder_or_a_strange_name_where_a_sector_should_be() {
    let dir = solved();
    let at = dir.path();
    let whole = kept(at);
    for name in ["200-200-200-200", "24-24-24-24", "-1-0-0-0", "x"] {
        fs::write(path_of(at, name), "").unwrap();
    }
    for command in [&["info", "d"][..], &["query", "d", POSITION], &["unit", GAME, BAD, "--run-dir", "d"]] {
        ends(at, 0, command);
    }
    // As many stones as points: the name is that of a sector, although no game has it.
    for command in [&["stats", "d"][..], &["verify", "d"], &RESUME, &EXPORT] {
        let said = fails(at, command, "strange name");
        assert!(said.contains("24-24-24-24"), "{command:?}: {said}");
    }
    for name in ["200-200-200-200", "24-24-24-24", "-1-0-0-0", "x"] {
        fs::remove_file(path_of(at, name)).unwrap();
    }
    fs::remove_file(path_of(at, BAD)).unwrap();
    fs::create_dir(path_of(at, BAD)).unwrap();
    for command in [&RESUME[..], &UNIT, &["solve", GAME, "--run-dir", "d"]] {
        let said = fails(at, command, "a folder");
        for part in ["d/1-1-2-2.sector", "directory", "move it elsewhere"] {
            assert!(said.contains(part), "{command:?}: {said}");
        }
    }
    fs::remove_dir(path_of(at, BAD)).unwrap();
    ends(at, 0, &UNIT);
    assert_same_files(&kept(at), &whole, "the folder moved away");
}

/// The manifest is lost, but the sectors are not.
#[test]
fn sectors_outlive_their_manifest() {
    let dir = solved();
    let at = dir.path();
    let whole = kept(at);
    let manifest = at.join("d/sectors.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let solve = "'nerode solve morris:nine,stones=3 --sector 0-0-3-3 --run-dir d' creates a new one";
    for (damage, contents, said) in [
        ("cut", Some(text[..300].to_string()), "sectors.json: it is truncated"),
        ("empty", Some(String::new()), "sectors.json: it is truncated"),
        ("no JSON", Some("sectors".into()), "sectors.json: it is not valid JSON"),
        ("changed", Some(text.replace("stones=3", "stones=4")), "the file was changed"),
        ("missing", None, "its sectors.json is missing"),
        ("version", Some(text.replace("\"format_version\": 2", "\"format_version\": 3")), "format version 3"),
    ] {
        match &contents {
            Some(contents) => fs::write(&manifest, contents).unwrap(),
            None => fs::remove_file(&manifest).unwrap(),
        }
        let mut readers: Vec<&[&str]> =
            vec![&["query", "d", POSITION], &["stats", "d"], &["verify", "d"], &EXPORT, &RESUME];
        if contents.is_some() {
            // Without a manifest, these commands create a new one.
            readers.extend([&UNIT[..], &["plan", GAME, "--run-dir", "d"]]);
        }
        for command in readers {
            let error = fails(at, command, damage);
            let advice = if damage == "version" { said } else { solve };
            for part in [said, advice] {
                assert!(error.contains(part), "{damage}, {command:?}: {error} does not contain: {part}");
            }
        }
        if contents.is_some() {
            fs::remove_file(&manifest).unwrap();
        }
        let solved = json(at, &["solve", GAME, "--sector", "0-0-3-3", "--run-dir", "d"]);
        assert_eq!(solved["solved_units"], 0, "{damage}");
        assert_same_files(&kept(at), &whole, damage);
    }
}

/// For sectors as sets, all missing or damaged files are recomputed.
#[test]
#[ignore = "slow: .ci/slow"]
fn sectors_as_sets_are_made_again() {
    let dir = scratch();
    let at = dir.path();
    let solve = ["solve", "morris:six", "--engine", "sets", "--sector", "3-3-0-0", "--run-dir", "d"];
    ends(at, 0, &solve);
    let whole = kept(at);
    for (file, len) in
        [("3-3-002.dfa", None), ("3-3-002.dfa", Some(20)), ("3-3-002.dfa", Some(0)), ("3-3.json", Some(50))]
    {
        let path = at.join("d").join(file);
        match len {
            None => fs::remove_file(&path).unwrap(),
            Some(len) => fs::write(&path, &whole[&format!("/{file}")][..len]).unwrap(),
        }
        for command in [&["stats", "d"][..], &solve] {
            let said = fails(at, command, file);
            for part in [file, "'nerode resume d' recomputes it"] {
                assert!(said.contains(part), "{file} {len:?}, {command:?}: {said}");
            }
        }
        ends(at, 0, &RESUME);
        assert_same_files(&kept(at), &whole, file);
    }
}

/// Errors are also printed as documents.
#[test]
fn bad_files_are_told_in_json() {
    let dir = solved();
    let at = dir.path();
    fs::write(path_of(at, BAD), "").unwrap();
    let output = run_program(at, &["stats", "d", "--json"]);
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((output.status.code(), &error["command"]), (Some(2), &"stats".into()));
    assert!(error["error"]["message"].as_str().unwrap().contains("d/1-1-2-2.sector: truncated"), "{error}");
    assert_eq!(error["error"]["hint"], "'nerode resume d' recomputes it");
}

/// Runs the program with a file size limit of `blocks` blocks of 512 bytes, above which writing fails as on a full
/// disk.
#[cfg(target_os = "linux")]
fn without_room(at: &Path, blocks: u32, arguments: &[&str]) -> String {
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let command = ["-c", &limited, program().get_program().to_str().unwrap()].map(String::from);
    let output =
        std::process::Command::new("sh").current_dir(at).args(command).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    said
}

/// There is space for the first file, but not for the next one.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_loses_nothing_that_is_finished() {
    let dir = scratch();
    let at = dir.path();
    let solve = |dir| ["solve", "morris:six", "--sector", "4-3-0-0", "--run-dir", dir];
    ends(at, 0, &solve("whole"));
    let said = without_room(at, 16, &solve("d"));
    for part in [
        "3-4-0-0.sector",
        "d contains 1 of 2 work units",
        "completed work is kept",
        "'nerode resume d' resumes it",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let first = fs::read(at.join("d/3-3-0-0.sector")).unwrap();
    let said = without_room(at, 16, &RESUME);
    assert!(said.contains("d contains 1 of 2 work units") && said.contains("'nerode resume d'"), "{said}");
    let said = without_room(at, 16, &["unit", "morris:six", "4-3-0-0", "--run-dir", "d"]);
    assert!(said.contains("3-4-0-0.sector") && said.contains("free disk space"), "{said}");
    assert!(fs::read(at.join("d/3-3-0-0.sector")).unwrap() == first);
    ends(at, 0, &RESUME);
    let without_locks = |dir: &str| {
        let mut found = files(&at.join(dir));
        found.retain(|name, _| !name.starts_with("/locks"));
        found
    };
    assert_same_files(&without_locks("d"), &without_locks("whole"), "once there is room");
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_onto_a_full_disk_keeps_the_files_that_are_whole() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:nine", "--sector", "4-3-0-0", "--run-dir", "d"]);
    let said = without_room(at, 1000, &EXPORT);
    for part in [
        "malom has 1 of 3 files",
        "completed work is kept",
        "'nerode export d --format sec --out malom' resumes it",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let names: Vec<String> = files(&at.join("malom")).into_keys().collect();
    assert_eq!(names, ["/nerode-export.json", "/std_3_3_0_0.sec"]);
    assert!(ends(at, 0, &EXPORT).contains("of which 1 already existed intact"));
}
