//! Values folders: the same answers as the sets they were made from; damaged, foreign and outdated ones are not believed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fs;
use std::path::Path;

use common::program::{ends, json, program, refused, with_run};
use common::{Plan, boards, files, game, scratch, solve_in, solved};
use nerode::error::Error;
use nerode::rules::Resources;
use nerode::run_dir::Kind;
use nerode::solution::{Known, Solution};
use nerode::values::{FOLDER, Values, write_maps};
use nerode::verify::values;
use nerode_dfa::ValueMap;
use nerode_games::Side;

/// What a run answers for every position.
fn answers(solution: &Solution) -> Vec<Known> {
    let all = boards(solution.game.as_ref());
    all.flat_map(|board| Side::BOTH.map(|side| solution.get(&board, side).unwrap())).collect()
}

fn attach(solution: &Solution, depths: bool) {
    let folder = solution.run.path().join(FOLDER);
    write_maps(solution, &folder, depths, true, &Resources::default()).unwrap();
}

#[test]
fn the_folder_answers_as_the_sets_do() {
    let plans = [Plan::RETROGRADE, Plan::retrograde(2)];
    for spec in ["nim:2x3", "tictactoe:3x2,k=2", "breakthrough:2x4"] {
        for plan in plans {
            let (dir, solution) = solved(spec, None, plan);
            let expected = answers(&solution);
            for depths in [true, false] {
                attach(&solution, depths);
                let with_values = Solution::open(dir.path()).unwrap();
                assert_eq!(answers(&with_values), expected, "{spec} {plan:?} {depths}");
                assert_eq!(with_values.values_problem(), None);
                let values = Values::open(&dir.path().join(FOLDER)).unwrap();
                let report = values::check(&values, &solution, &Resources::default()).unwrap();
                let positions = 2 * solution.game.shape().num_words().unwrap();
                assert_eq!((report.checked, report.mismatches), (positions, 0), "{spec} {plan:?}");
            }
            // Depths need no set: they are all in the folder.
            attach(&solution, true);
            fs::remove_dir_all(dir.path().join("sets")).unwrap();
            assert_eq!(answers(&Solution::open(dir.path()).unwrap()), expected);
        }
    }
}

#[test]
fn damaged_folders_are_left_aside_and_named() {
    let (dir, solution) = solved("nim:2x2", None, Plan::RETROGRADE);
    attach(&solution, true);
    let folder = dir.path().join(FOLDER);
    let expected = answers(&solution);
    for (name, bytes) in files(&folder) {
        let path = folder.join(&name[1..]);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x01;
            fs::write(&path, &changed).unwrap();
            let opened = Solution::open(dir.path()).unwrap();
            assert_eq!(answers(&opened), expected, "{name} byte {at}");
            let problem = opened.values_problem().unwrap_or_else(|| panic!("{name} byte {at} unnoticed"));
            assert!(problem.contains(path.to_str().unwrap()), "{problem}");
        }
        fs::remove_file(&path).unwrap();
        let opened = Solution::open(dir.path()).unwrap();
        assert_eq!(answers(&opened), expected);
        assert_eq!(opened.values_problem().is_some(), name != "/values.json");
        fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(Solution::open(dir.path()).unwrap().values_problem(), None);
}

#[test]
fn values_of_another_run_are_left_aside() {
    let (dir, solution) = solved("nim:2x2", None, Plan::retrograde(1));
    attach(&solution, true);
    let other = scratch();
    solve_in(other.path(), &game("nim:2x2"), Plan::RETROGRADE).unwrap();
    fs::create_dir(other.path().join(FOLDER)).unwrap();
    for (name, bytes) in files(&dir.path().join(FOLDER)) {
        fs::write(other.path().join(FOLDER).join(&name[1..]), bytes).unwrap();
    }
    let opened = Solution::open(other.path()).unwrap();
    assert!(answers(&opened).iter().all(|known| known.value.is_some()));
    let problem = opened.values_problem().unwrap();
    assert!(problem.contains("not those of the run") && problem.contains("nerode compact"), "{problem}");
    let values = Values::open(&dir.path().join(FOLDER)).unwrap();
    let result = values::check(&values, &opened, &Resources::default());
    assert!(matches!(result, Err(Error::RunDir { .. })), "{result:?}");
}

/// Replaces the automaton of P1, with a manifest that agrees: what a faulty builder would have left behind.
fn replace_map(folder: &Path, map: &ValueMap) {
    let bytes = map.to_bytes().unwrap();
    fs::write(folder.join("values-P1.map"), &bytes).unwrap();
    let manifest = folder.join("values.json");
    let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    value["files"]["values-P1.map"]["blake3"] = blake3::hash(&bytes).to_hex().to_string().into();
    let fields = value.as_object_mut().unwrap();
    fields.remove("blake3");
    let digest = blake3::hash(&serde_json::to_vec(fields).unwrap()).to_hex().to_string();
    fields.insert("blake3".into(), digest.into());
    fs::write(&manifest, value.to_string()).unwrap();
}

#[test]
fn verify_finds_every_wrong_code() {
    for plan in [Plan::RETROGRADE, Plan::retrograde(1)] {
        let (dir, solution) = solved("nim:2x2", None, plan);
        attach(&solution, true);
        let folder = dir.path().join(FOLDER);
        let right = Values::open(&folder).unwrap().map(Side::P1).unwrap();
        for board in boards(solution.game.as_ref()) {
            let word = solution.game.word_of(&board);
            for wrong in right.codes().into_iter().filter(|code| *code != right.get(&word)) {
                let one = nerode_dfa::Dfa::word(right.shape(), &word).unwrap();
                let mut levels = vec![(wrong, one)];
                levels.extend(right.codes().iter().map(|&code| (code, right.select(|c| c == code).unwrap())));
                replace_map(&folder, &ValueMap::from_levels(right.shape(), &levels, u64::MAX).unwrap());
                let values = Values::open(&folder).unwrap();
                let report = values::check(&values, &solution, &Resources::default()).unwrap();
                assert!(report.mismatches > 0, "{board:?} with code {wrong}");
                assert!(report.first_mismatch.unwrap().contains("do not agree"));
            }
        }
        let other = nerode_dfa::Dfa::full(&nerode_dfa::Shape::uniform(2, 2).unwrap());
        replace_map(&folder, &ValueMap::from_levels(other.shape(), &[(1, other.clone())], u64::MAX).unwrap());
        let result = Values::open(&folder).unwrap().map(Side::P1);
        assert!(matches!(result, Err(Error::Corrupt { .. })), "{result:?}");
    }
}

#[test]
fn what_cannot_be_made_is_refused() {
    let (dir, solution) = solved("tictactoe:3x2,k=2", None, Plan::meet(None, None));
    let make = |path: &Path, overwrite| write_maps(&solution, path, true, overwrite, &Resources::default());
    assert!(matches!(make(&dir.path().join(FOLDER), false), Err(Error::Unsupported(_))));
    assert!(matches!(make(dir.path(), true), Err(Error::RunDir { .. })), "a run is not replaced by values");
    let (dir, solution) = solved("nim:2x2", None, Plan::RETROGRADE);
    attach(&solution, true);
    let again = write_maps(&solution, &dir.path().join(FOLDER), true, false, &Resources::default());
    assert!(again.unwrap_err().to_string().contains("--overwrite"));
    assert!(solution.run.get(nerode::run_dir::SetName { kind: Kind::W, side: Side::P1, ply: 0 }).is_ok());
}

#[test]
fn the_program_makes_checks_and_uses_values() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let before = ends(dir.path(), 0, &["query", "run", "start"]);
    let made = json(dir.path(), &["compact", "run", "--overwrite"]);
    assert_eq!((&made["depths"], &made["folder"]), (&true.into(), &"run/values".into()));
    assert!(made["files"]["values-P2.map"]["num_states"].as_u64().unwrap() > 0);
    assert_eq!(ends(dir.path(), 0, &["query", "run", "start"]), before);
    let verified = json(dir.path(), &["verify", "run"]);
    assert_eq!(verified["checks"], serde_json::json!(["values", "one-ply"]));
    assert_eq!((&verified["mismatches"], &verified["checked"]), (&"0".into(), &"64".into()));
    assert!(refused(dir.path(), &["compact", "run"]).contains("--overwrite"));
    let text = ends(dir.path(), 0, &["compact", "run", "--no-depths", "--out", "elsewhere"]);
    assert!(text.contains("without depths in elsewhere") && text.contains("values-P1.map"), "{text}");
    let verified = json(dir.path(), &["verify", "run", "--values", "elsewhere"]);
    assert_eq!(verified["checks"], serde_json::json!(["values"]));
    // Damage is told and does not matter.
    let map = dir.path().join("run/values/values-P1.map");
    fs::write(&map, b"something else").unwrap();
    let output = program().current_dir(dir.path()).args(["query", "run", "start"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), before);
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.starts_with("warning: ") && warning.contains("values-P1.map"), "{warning}");
    assert!(refused(dir.path(), &["verify", "run"]).contains("values-P1.map"));
}
