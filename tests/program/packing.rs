//! The command `pack` for sectors: derived sectors, automatic checks, damage, two packers, replacement.

use std::fs::{self, File};
use std::path::Path;

use crate::common::program::{ends, json, refused};
use crate::common::scratch;

/// A position with three stones each.
const POSITION: &str = "OO*O@***/@***@*** w 0-0";
/// A position with four stones against three.
const FOUR: &str = "OO*O@***/@O**@*** w 0-0";

fn solved(at: &Path) {
    ends(at, 0, &["solve", "morris:six", "--sector", "4-3-0-0", "--run-dir", "six"]);
}

fn category(at: &Path, from: &str, position: &str) -> serde_json::Value {
    json(at, &["query", from, position, "--any"])["category"].clone()
}

#[test]
fn a_look_ahead_leaves_sectors_out_and_answers_as_before() {
    let dir = scratch();
    let at = dir.path();
    solved(at);
    let all = json(at, &["pack", "six", "--out", "all"]);
    let ahead = json(at, &["pack", "six", "--out", "ahead", "--look-ahead", "1"]);
    assert_eq!((&all["orbits"], &all["look_ahead"]), (&ahead["orbits"], &0.into()));
    assert!(ahead["bytes"].as_u64() < all["bytes"].as_u64());
    let derived = ahead["sectors"].as_array().unwrap().iter().find(|sector| sector["bytes"] == 0).unwrap();
    assert_eq!((&derived["sector"], &derived["how"]), (&"4-3-0-0".into(), &"derived, 1 ply ahead".into()));
    assert!(!at.join("ahead/4-3-0-0.packed").exists() && at.join("ahead/3-4-0-0.packed").exists());
    let moves = json(at, &["query", "six", FOUR, "--any"])["moves"].clone();
    for after in moves.as_array().unwrap().iter().map(|turn| turn["position"].as_str().unwrap()) {
        for from in ["all", "ahead"] {
            assert_eq!(category(at, from, after), category(at, "six", after), "{from} {after}");
        }
    }
    let checked = json(at, &["verify", "ahead", "--sample", "500"]);
    assert_eq!(
        (&checked["mismatches"], &checked["checks"]),
        (&"0".into(), &serde_json::json!(["files", "sample"]))
    );
    assert!(checked["checked"].as_str().unwrap().parse::<u64>().unwrap() >= 500);
    assert!(refused(at, &["verify", "ahead", "--explicit"]).contains("--sample"));
}

#[test]
fn what_another_database_has_is_copied() {
    let dir = scratch();
    let at = dir.path();
    solved(at);
    ends(at, 0, &["pack", "six", "--out", "all"]);
    ends(at, 0, &["pack", "six", "--out", "ahead", "--look-ahead", "1"]);
    ends(at, 0, &["pack", "six", "--out", "again", "--look-ahead", "1", "--reuse", "all"]);
    for file in ["packed.json", "3-4-0-0.packed"] {
        let read = |folder: &str| fs::read(at.join(folder).join(file)).unwrap();
        assert!(read("again") == read("ahead"), "{file}");
    }
    // A database with fewer files is reused for those that it contains.
    ends(at, 0, &["pack", "six", "--out", "whole", "--reuse", "again"]);
    assert!(fs::read(at.join("whole/packed.json")).unwrap() == fs::read(at.join("all/packed.json")).unwrap());
    // The file is copied instead of recomputed, and damage in it is noticed.
    let file = at.join("all/3-4-0-0.packed");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).unwrap();
    let said = refused(at, &["pack", "six", "--out", "more", "--reuse", "all"]);
    assert!(said.contains("3-4-0-0.packed") && said.contains("digest"), "{said}");
    ends(at, 0, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "three"]);
    let said = refused(at, &["pack", "three", "--out", "other", "--reuse", "again"]);
    assert!(said.contains("rules") || said.contains("game"), "{said}");
}

#[test]
fn depths_are_kept_on_request() {
    let dir = scratch();
    let at = dir.path();
    solved(at);
    for ahead in ["0", "1"] {
        let out = format!("deep{ahead}");
        let packed = json(
            at,
            &["pack", "six", "--depths", "--look-ahead", ahead, "--out", &out, "--sector", "4-3-0-0"],
        );
        assert_eq!(packed["depths"], true);
        for sector in packed["sectors"].as_array().unwrap() {
            // In a derived sector, a sample is looked up.
            let is_all = sector["looked_up"] == sector["orbits"];
            assert_eq!(is_all, sector["bytes"] != 0, "{sector}");
        }
        for position in [POSITION, FOUR] {
            let [deep, exact] = [out.as_str(), "six"]
                .map(|from| json(at, &["query", from, position, "--any"])["dtw"].clone());
            assert!(deep == exact, "{ahead} {position} {deep} {exact}");
        }
        let checked = json(at, &["verify", &out, "--sample", "500"]);
        assert_eq!(checked["mismatches"], "0");
        assert!(json(at, &["info", &out])["progress"].as_str().unwrap().contains("with depths"));
    }
    // Files without depths cannot be reused.
    ends(at, 0, &["pack", "six", "--out", "flat"]);
    ends(at, 0, &["pack", "six", "--depths", "--out", "deep", "--reuse", "flat"]);
    let bytes = |folder: &str| fs::read(at.join(folder).join("3-3-0-0.packed")).unwrap();
    assert!(bytes("deep") == bytes("deep0") && bytes("deep") != bytes("flat"));
}

#[test]
fn a_damaged_database_answers_nothing() {
    let dir = scratch();
    let at = dir.path();
    solved(at);
    ends(at, 0, &["pack", "six", "--out", "packed"]);
    let file = at.join("packed/3-3-0-0.packed");
    let good = fs::read(&file).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 4;
    fs::write(&file, &bad).unwrap();
    for command in [&["verify", "packed"][..], &["query", "packed", POSITION, "--any"]] {
        let said = refused(at, command);
        assert!(said.contains("3-3-0-0.packed") && said.contains("digest"), "{said}");
    }
    fs::write(&file, &good[..good.len() / 2]).unwrap();
    assert!(refused(at, &["info", "packed"]).contains("truncated"));
    fs::remove_file(&file).unwrap();
    assert!(refused(at, &["query", "packed", POSITION, "--any"]).contains("3-3-0-0.packed"));
}

#[test]
fn a_database_stays_until_the_new_one_is_there() {
    let dir = scratch();
    let at = dir.path();
    solved(at);
    ends(at, 0, &["pack", "six", "--out", "packed"]);
    let before = fs::read(at.join("packed/packed.json")).unwrap();
    assert!(refused(at, &["pack", "six", "--out", "packed"]).contains("--overwrite"));
    // Another process is packing.
    fs::create_dir(at.join("packed.part")).unwrap();
    let lock = File::create(at.join("packed.part/lock")).unwrap();
    lock.lock().unwrap();
    let said = refused(at, &["pack", "six", "--out", "packed", "--overwrite"]);
    assert!(said.contains("packed.part"), "{said}");
    assert!(fs::read(at.join("packed/packed.json")).unwrap() == before);
    lock.unlock().unwrap();
    // A damaged sector stops packing, and the database is kept.
    let sector = at.join("six/4-3-0-0.sector");
    let good = fs::read(&sector).unwrap();
    fs::write(&sector, &good[..good.len() - 50]).unwrap();
    refused(at, &["pack", "six", "--out", "packed", "--overwrite"]);
    assert!(fs::read(at.join("packed/packed.json")).unwrap() == before);
    fs::write(&sector, &good).unwrap();
    // Sectors packed before are not packed again.
    let info = json(at, &["info", "packed.part"]);
    assert_eq!(info["finished"], false, "{info}");
    fs::write(at.join("packed/notes.txt"), "mine").unwrap();
    ends(at, 0, &["pack", "six", "--out", "packed", "--overwrite", "--look-ahead", "1"]);
    assert!(fs::read(at.join("packed/packed.json")).unwrap() != before);
    assert!(!at.join("packed.part").exists());
    assert_eq!(fs::read_to_string(at.join("packed.old/notes.txt")).unwrap(), "mine");
    assert!(!at.join("packed.old/packed.json").exists());
    assert!(refused(at, &["resume", "packed"]).contains("packed"));
}
