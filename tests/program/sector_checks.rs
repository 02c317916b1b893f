//! The record of `--check` in a directory of sectors.

use std::fs;
use std::path::Path;

use crate::common::program::{ends, json};
use crate::common::scratch;

const SOLVE: [&str; 6] = ["solve", "morris:six", "--sector", "4-3-0-0", "--run-dir", "d"];
const UNIT: [&str; 5] = ["unit", "morris:six", "3-3-0-0", "--run-dir", "d"];

fn remove(at: &Path, sector: &str) {
    fs::remove_file(at.join("d").join(format!("{sector}.sector"))).unwrap();
}

/// Returns the number of orbits that a call with `--check` finds unchecked.
fn unchecked(at: &Path) -> String {
    let said = json(at, &[&SOLVE[..], &["--check"]].concat());
    said["checked_orbits"].as_str().unwrap().to_string()
}

#[test]
fn a_directory_made_with_check_goes_on_checking() {
    let dir = scratch();
    let at = dir.path();
    let solved = json(at, &[&SOLVE[..], &["--check"]].concat());
    assert_eq!(solved["checked_orbits"], solved["solved_orbits"]);
    assert!(ends(at, 0, &["info", "d"]).contains("checked by forward play"));
    // Later sectors are checked without a further request: by resume, by unit, and by a solve of more sectors.
    remove(at, "3-3-0-0");
    let resumed = json(at, &["resume", "d"]);
    assert_eq!(
        (&resumed["solved_units"], &resumed["checked_orbits"]),
        (&1.into(), &resumed["solved_orbits"])
    );
    remove(at, "3-3-0-0");
    ends(at, 0, &UNIT);
    assert_eq!(unchecked(at), "0");
    let more = json(at, &["solve", "morris:six", "--sector", "4-4-0-0", "--run-dir", "d"]);
    assert_ne!(more["solved_orbits"], "0");
    assert_eq!(more["checked_orbits"], more["solved_orbits"]);
    // The record survives the removal of a sector.
    ends(at, 0, &["resume", "d", "--without", "4-4-0-0"]);
    remove(at, "3-3-0-0");
    assert_ne!(json(at, &["resume", "d"])["checked_orbits"], "0");
}

#[test]
fn a_directory_made_without_check_stays_as_it_is() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &SOLVE);
    let manifest = || fs::read_to_string(at.join("d/sectors.json")).unwrap();
    let before = manifest();
    assert!(!before.contains("\"check\""), "as written by earlier versions: {before}");
    assert!(!ends(at, 0, &["info", "d"]).contains("checked by forward play"));
    remove(at, "3-3-0-0");
    let resumed = json(at, &["resume", "d"]);
    assert_eq!((&resumed["solved_units"], &resumed["checked_orbits"]), (&1.into(), &"0".into()));
    remove(at, "3-3-0-0");
    ends(at, 0, &UNIT);
    assert_eq!(manifest(), before);
    // If checks are requested later, the existing sectors are checked, and this is recorded.
    assert_ne!(unchecked(at), "0");
    assert_eq!(unchecked(at), "0");
    remove(at, "3-3-0-0");
    assert_ne!(json(at, &["resume", "d"])["checked_orbits"], "0");
}
