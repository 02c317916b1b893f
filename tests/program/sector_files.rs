//! Folders of Malom's files: written, resumed, read back, compared.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::program::{ends, json, list, refused, run_program};
use crate::common::scratch;

/// Creates a directory of four sectors, and Malom's files of them.
fn exported() -> tempfile::TempDir {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:nine", "--sector", "4-3-0-0", "--run-dir", "nine"]);
    ends(at, 0, &["export", "nine", "--format", "sec", "--out", "malom"]);
    dir
}

const EXPORT: [&str; 6] = ["export", "nine", "--format", "sec", "--out", "malom"];
const NAMES: [&str; 3] = ["std_3_3_0_0.sec", "std_3_4_0_0.sec", "std_4_3_0_0.sec"];

fn file(at: &Path, name: &str) -> PathBuf {
    at.join("malom").join(name)
}

/// Returns the names of the files that an export wrote instead of skipping them.
fn written(at: &Path, command: &[&str]) -> Vec<String> {
    let said = json(at, command);
    let files = list(&said["files"]).iter().filter(|line| line["written"] == true);
    let name = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().to_string();
    let mut names: Vec<String> = files.map(|line| name(line["file"].as_str().unwrap())).collect();
    names.sort();
    names
}

fn noted(at: &Path, command: &[&str]) -> String {
    let output = run_program(at, command);
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
#[ignore = "slow: .ci/slow"]
fn an_export_passes_over_what_is_whole_and_makes_the_rest_again() {
    let dir = exported();
    let at = dir.path();
    let whole = NAMES.map(|name| fs::read(file(at, name)).unwrap());
    assert!(written(at, &EXPORT).is_empty());
    assert!(ends(at, 0, &EXPORT).contains("3 files, "));
    assert!(ends(at, 0, &EXPORT).contains("of which 3 already existed intact"));
    // Truncated, with other contents, missing.
    fs::write(file(at, NAMES[0]), &whole[0][..1000]).unwrap();
    let mut other = whole[1].clone();
    other[5] ^= 1;
    fs::write(file(at, NAMES[1]), &other).unwrap();
    assert_eq!(written(at, &EXPORT), NAMES[..2]);
    fs::remove_file(file(at, NAMES[2])).unwrap();
    assert_eq!(written(at, &EXPORT), NAMES[2..]);
    assert_eq!(NAMES.map(|name| fs::read(file(at, name)).unwrap()), whole);
}

#[test]
#[ignore = "slow: .ci/slow"]
fn an_export_takes_no_file_of_others_for_its_own() {
    let dir = exported();
    let at = dir.path();
    // The files of these rules have the same names.
    let other = ["export", "draw", "--format", "sec", "--out", "malom", "--sector", "3-3-0-0"];
    ends(at, 0, &["solve", "morris:nine,fullboard=draw", "--sector", "3-3-0-0", "--run-dir", "draw"]);
    assert!(refused(at, &other).contains("a file with this name already exists"));
    assert_eq!(written(at, &[&other[..], &["--overwrite"]].concat()), NAMES[..1]);
    assert!(refused(at, &EXPORT).contains("std_3_3_0_0.sec"));
    fs::create_dir(at.join("new")).unwrap();
    fs::write(at.join("new/std_4_3_0_0.sec"), "a file of somebody").unwrap();
    let new = ["export", "nine", "--format", "sec", "--out", "new"];
    assert!(refused(at, &new).contains("--overwrite"));
    assert_eq!(fs::read_dir(at.join("new")).unwrap().count(), 1, "refused before anything is written");
    assert_eq!(written(at, &[&new[..], &["--overwrite"]].concat()).len(), 3);
}

/// Temporary files of a killed export are removed; its finished files are kept.
#[test]
#[ignore = "slow: .ci/slow"]
fn an_export_goes_on_after_a_killed_one() {
    let dir = exported();
    let at = dir.path();
    fs::remove_file(file(at, NAMES[1])).unwrap();
    let left = file(at, "std_3_4_0_0.sec.unfinished-1-0.tmp");
    fs::write(&left, "part").unwrap();
    assert_eq!(written(at, &EXPORT), NAMES[1..2]);
    assert!(!left.exists());
}

#[test]
fn a_folder_is_imported_and_what_is_there_is_passed_over() {
    let dir = exported();
    let at = dir.path();
    fs::write(file(at, "lask_3_3_0_0.sec"), "of another game").unwrap();
    let import = ["import", "morris:nine", "malom", "--run-dir", "back"];
    assert_eq!(list(&json(at, &import)["sectors"]).len(), 3);
    for name in ["3-3-0-0", "3-4-0-0", "4-3-0-0"] {
        let read = |dir: &str| fs::read(at.join(dir).join(format!("{name}.sector"))).unwrap();
        assert!(read("back") == read("nine"), "{name}");
    }
    let again = json(at, &import);
    assert_eq!((list(&again["sectors"]).len(), list(&again["skipped"]).len()), (0, 3));
    assert!(noted(at, &import).contains("3 sectors already exist with the same values"));
    let one = ["import", "morris:nine", "malom/std_3_3_0_0.sec", "--run-dir", "back"];
    assert!(noted(at, &one).contains("1 sector already exists"));
    let lasker = refused(at, &["import", "morris:morabaraba", "malom", "--run-dir", "mora"]);
    assert!(lasker.contains("mora_W_B_WF_BF") && lasker.contains("lask, std"), "{lasker}");
    // The second file of the folder is truncated.
    let second = file(at, NAMES[1]);
    let whole = fs::read(&second).unwrap();
    fs::write(&second, &whole[..whole.len() - 1]).unwrap();
    let cut = refused(at, &["import", "morris:nine", "malom", "--run-dir", "part"]);
    for part in ["std_3_4_0_0.sec", "truncated", "files imported before it: 1 of 3"] {
        assert!(cut.contains(part), "{part}: {cut}");
    }
    assert!(at.join("part/3-3-0-0.sector").exists());
    fs::write(&second, whole).unwrap();
    // A draw is changed to a loss.
    let path = file(at, NAMES[0]);
    let mut bytes = fs::read(&path).unwrap();
    let slots = bytes.len() - 4;
    let draw = bytes[..slots].iter().position(|&byte| byte >= 195).unwrap();
    bytes[draw] = 4;
    fs::write(&path, &bytes).unwrap();
    let differs = refused(at, &import);
    for part in ["std_3_3_0_0.sec", "3-3-0-0.sector", "differ in 16 positions", "--overwrite"] {
        assert!(differs.contains(part), "{part}: {differs}");
    }
    assert_eq!(list(&json(at, &[&import[..], &["--overwrite"]].concat())["sectors"]).len(), 3);
}

#[test]
#[ignore = "slow: .ci/slow"]
fn sectors_are_compared_with_several_files_and_folders() {
    let dir = exported();
    let at = dir.path();
    let compared = |arguments: &[&str]| list(&json(at, arguments)["files"]).len();
    assert_eq!(compared(&["verify", "nine", "--table", "malom"]), 3);
    let [first, second] = ["malom/std_3_3_0_0.sec", "malom/std_3_4_0_0.sec"];
    assert_eq!(compared(&["verify", "nine", "--table", first, second]), 2);
    assert_eq!(compared(&["verify", "nine", "--table", first, "--table", second]), 2);
    assert_eq!(compared(&["verify", "--table", first, "nine"]), 1);
    assert!(
        ends(at, 0, &["verify", "nine", "--table", "malom"])
            .contains("std_4_3_0_0.sec: 12 113 640 positions checked, 0 mismatches")
    );
    refused(at, &["verify", "nine", "malom"]);
    fs::remove_file(at.join("nine/3-4-0-0.sector")).unwrap();
    assert!(noted(at, &["verify", "nine", "--table", "malom"]).contains("1 file is skipped"));
    assert!(refused(at, &["verify", "nine", "--table", second]).contains("3-4-0-0"));
}

#[test]
fn a_folder_of_malom_s_files_is_known_as_one() {
    let dir = exported();
    for arguments in
        [&["info", "malom"][..], &["query", "malom", "start"], &["info", "malom/std_3_3_0_0.sec"]]
    {
        let said = refused(dir.path(), arguments);
        assert!(said.contains("nerode import morris:nine malom"), "{arguments:?}: {said}");
    }
}
