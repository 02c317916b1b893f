//! Values folders: they give the same answers as the sets from which they were made, and damaged, foreign and outdated folders
//! are rejected.

use std::fs;
use std::path::Path;

use crate::common::program::{ends, json, program, refused, with_run};
use crate::common::{Plan, boards, files, game, scratch, solve_in, solved, toggled};
use nerode_dfa::ValueMap;
use nerode_games::Side;
use nerode_solver::archive::compact::{write_care, write_maps};
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::{FOLDER, Values, set_name};
use nerode_solver::check::values;
use nerode_solver::error::Error;
use nerode_solver::outcome::Outcome;
use nerode_solver::solve::resources::Resources;

/// Returns the answers of a run for every position.
fn answers(solution: &StoredRun) -> Vec<Outcome> {
    let all = boards(solution.game.as_ref());
    all.flat_map(|board| Side::BOTH.map(|side| solution.get(&board, side).unwrap())).collect()
}

fn attach(solution: &StoredRun, depths: bool) {
    let folder = solution.run.path().join(FOLDER);
    write_maps(solution, &folder, depths, true, &Resources::default(), &mut |_, _| ()).unwrap();
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
                let with_values = StoredRun::open(dir.path()).unwrap();
                assert_eq!(answers(&with_values), expected, "{spec} {plan:?} {depths}");
                assert_eq!(with_values.values_problem(), None);
                let values = Values::open(&dir.path().join(FOLDER)).unwrap();
                let report = values::check(&values, &solution, &Resources::default()).unwrap();
                let unknown: u128 = Side::BOTH.map(|side| solution.num_unknown(side).unwrap()).iter().sum();
                let positions = 2 * solution.game.shape().num_words().unwrap() - unknown;
                assert_eq!((report.checked, report.mismatches), (positions, 0), "{spec} {plan:?}");
            }
            // Depths do not require the sets, because the folder contains all of them.
            attach(&solution, true);
            fs::remove_dir_all(dir.path().join("sets")).unwrap();
            assert_eq!(answers(&StoredRun::open(dir.path()).unwrap()), expected);
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
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
            let opened = StoredRun::open(dir.path()).unwrap();
            assert_eq!(answers(&opened), expected, "{name} byte {at}");
            let problem = opened.values_problem().unwrap_or_else(|| panic!("{name} byte {at} unnoticed"));
            assert!(problem.contains(path.to_str().unwrap()), "{problem}");
        }
        fs::remove_file(&path).unwrap();
        let opened = StoredRun::open(dir.path()).unwrap();
        assert_eq!(answers(&opened), expected);
        assert_eq!(opened.values_problem().is_some(), name != "/values.json");
        fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(StoredRun::open(dir.path()).unwrap().values_problem(), None);
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
    let opened = StoredRun::open(other.path()).unwrap();
    assert!(answers(&opened).iter().all(|known| known.value().is_some()));
    let problem = opened.values_problem().unwrap();
    assert!(problem.contains("do not match the run") && problem.contains("recreate them"), "{problem}");
    let values = Values::open(&dir.path().join(FOLDER)).unwrap();
    let result = values::check(&values, &opened, &Resources::default());
    assert!(matches!(result, Err(Error::Outdated { .. })), "{result:?}");
}

fn replace_map(folder: &Path, map: &ValueMap) {
    replace_file(folder, "values-P1.map", &map.to_bytes().unwrap());
}

/// Replaces a file and updates the manifest accordingly, as if a faulty builder had written it.
fn replace_file(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).unwrap();
    let manifest = folder.join("values.json");
    let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    value["files"][name]["blake3"] = blake3::hash(bytes).to_hex().to_string().into();
    value["files"][name]["bytes"] = bytes.len().into();
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
        let right = Values::open(&folder).unwrap();
        let right = right.map(Side::P1).unwrap();
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
        let values = Values::open(&folder).unwrap();
        let result = values.map(Side::P1);
        assert!(matches!(result, Err(Error::Corrupt { .. })), "{result:?}");
    }
}

/// Checks the value of every covered position, and asserts that the folder covers exactly the care set.
fn assert_covers(values: &Values, solution: &StoredRun, care: impl Fn(&[u8], Side) -> bool) {
    let (mut covered, mut outside) = (0, 0);
    for board in boards(solution.game.as_ref()) {
        let word = solution.game.word_of(&board);
        for side in Side::BOTH {
            let expected = solution.get(&board, side).unwrap().value();
            match values.get(&word, side).unwrap() {
                Some(known) => {
                    assert_eq!((known.value(), known.depth()), (expected, None), "{board:?} {side}")
                }
                None => outside += 1,
            }
            let cared = care(&board, side);
            assert_eq!(values.get(&word, side).unwrap().is_some(), cared, "{board:?} {side}");
            covered += usize::from(cared);
        }
    }
    assert!(covered > 0 && outside > 0, "{covered} and {outside}");
}

fn count(board: &[u8], letter: u8) -> usize {
    board.iter().filter(|&&l| l == letter).count()
}

#[test]
fn restricted_sets_are_right_on_the_care_set() {
    let fair = |board: &[u8], side: Side| count(board, 1) == count(board, 2) + side.index();
    let few = |board: &[u8], _: Side| count(board, 1) <= 4 && count(board, 2) <= 4;
    type Care<'a> = &'a dyn Fn(&[u8], Side) -> bool;
    let games: [(&str, Care<'_>); 2] = [("tictactoe:3x3", &fair), ("breakthrough:2x5", &few)];
    for (spec, care) in games {
        for plan in [Plan::RETROGRADE, Plan::retrograde(2)] {
            let (_run, solution) = solved(spec, None, plan);
            let dir = scratch();
            let manifest = write_care(&solution, dir.path(), false, &Resources::default()).unwrap();
            assert_eq!((manifest.care(), manifest.has_depths()), (Some("admissible"), false));
            for kind in [Kind::W, Kind::L, Kind::D] {
                for side in Side::BOTH {
                    let before = solution.entry(kind, side, solution.last_ply()).unwrap();
                    let name = set_name(kind, side);
                    let (_, entry) = manifest.files().find(|(file, _)| *file == name).unwrap();
                    assert!(entry.stored().bytes() <= before.stored().bytes());
                }
            }
            let values = Values::open(dir.path()).unwrap();
            assert_covers(&values, &solution, care);
            let report = values::check(&values, &solution, &Resources::default()).unwrap();
            let covered: u128 = Side::BOTH.iter().map(|&s| values.care(s).unwrap().count().unwrap()).sum();
            assert_eq!((report.checked, report.mismatches), (covered, 0));
        }
    }
    // The rules of nim exclude no board.
    let (_run, solution) = solved("nim:2x2", None, Plan::RETROGRADE);
    let dir = scratch();
    let refused = write_care(&solution, dir.path(), false, &Resources::default());
    assert!(refused.unwrap_err().to_string().contains("no care set"));
    assert!(!Values::exists(dir.path()));
}

#[test]
fn the_certificate_fails_for_any_covered_word_that_is_wrong() {
    let (_run, solution) = solved("tictactoe:2x2,k=2", None, Plan::RETROGRADE);
    let dir = scratch();
    write_care(&solution, dir.path(), false, &Resources::default()).unwrap();
    let values = Values::open(dir.path()).unwrap();
    let care = values.care(Side::P1).unwrap();
    let sets = [Kind::W, Kind::L, Kind::D]
        .map(|kind| (set_name(kind, Side::P1), values.set(kind, Side::P1).unwrap()));
    for (name, set) in sets.iter().chain([&("care-P1.dfa".to_string(), care)]) {
        for board in boards(solution.game.as_ref()) {
            let word = solution.game.word_of(&board);
            replace_file(dir.path(), name, &toggled(set, &word).to_bytes().unwrap());
            let changed = Values::open(dir.path()).unwrap();
            let report = values::check(&changed, &solution, &Resources::default()).unwrap();
            let matters = name.starts_with("care") || care.contains(&word);
            assert_eq!(report.mismatches > 0, matters, "{name} {board:?}");
        }
        replace_file(dir.path(), name, &set.to_bytes().unwrap());
    }
}

#[test]
fn the_program_answers_not_covered_outside_the_care_set() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let errors = refused(dir.path(), &["pack", "run", "--care", "admissible"]);
    assert!(errors.contains("--out"), "{errors}");
    let made = json(dir.path(), &["pack", "run", "--care", "admissible", "--out", "legal"]);
    assert_eq!((&made["care"], &made["depths"]), (&"admissible".into(), &false.into()));
    let (after, before) = (&made["files"]["W-P1.dfa"], &made["restricted"]["W-P1.dfa"]);
    assert!(after["bytes"].as_u64() < before["bytes"].as_u64(), "{made}");
    let text = ends(dir.path(), 0, &["pack", "run", "--care", "admissible", "--out", "legal", "--overwrite"]);
    assert!(
        text.contains("on the admissible positions in legal") && text.contains("states in run"),
        "{text}"
    );
    let start = json(dir.path(), &["query", "legal", "start"]);
    assert_eq!((&start["category"], &start["dtw"]), (&"draw".into(), &serde_json::Value::Null));
    // No play reaches a position where one side is two marks ahead, or any position after it.
    let outside = json(dir.path(), &["query", "legal", "XX1/3/3 O", "--any"]);
    assert_eq!(outside["category"], "not covered");
    assert!(outside["moves"].as_array().unwrap().iter().all(|line| line["category"] == "not covered"));
    let text = ends(dir.path(), 0, &["query", "legal", "XX1/3/3 O", "--any"]);
    assert!(text.contains("P2 to move: not covered"), "{text}");
    let verified = json(dir.path(), &["verify", "run", "--values", "legal"]);
    assert_eq!(
        (&verified["mismatches"], &verified["checked"]),
        (&"0".into(), &ADMISSIBLE_BOARDS.to_string().into())
    );
}

/// The number of boards of nine cells with equally many X and O, or one X more: sums of 9! / (x! o! (9-x-o)!).
const ADMISSIBLE_BOARDS: u32 = (1 + 72 + 756 + 1680 + 630) + (9 + 252 + 1260 + 1260 + 126);

#[test]
fn what_cannot_be_made_is_refused() {
    let (dir, solution) = solved("tictactoe:3x2,k=2", None, Plan::meet(None, None));
    let make = |path: &Path, overwrite| {
        write_maps(&solution, path, true, overwrite, &Resources::default(), &mut |_, _| ())
    };
    assert!(matches!(make(&dir.path().join(FOLDER), false), Err(Error::WrongRun { .. })));
    assert!(
        matches!(make(dir.path(), true), Err(Error::OtherContents { .. })),
        "values must not replace a run"
    );
    let (dir, solution) = solved("nim:2x2", None, Plan::RETROGRADE);
    attach(&solution, true);
    let again =
        write_maps(&solution, &dir.path().join(FOLDER), true, false, &Resources::default(), &mut |_, _| ());
    assert!(matches!(again, Err(Error::Occupied { .. })));
    assert!(
        solution
            .run
            .get(nerode_solver::archive::run_dir::SetName { kind: Kind::W, side: Side::P1, ply: 0 })
            .is_ok()
    );
}

#[test]
fn the_program_makes_checks_and_uses_values() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let before = ends(dir.path(), 0, &["query", "run", "start"]);
    let made = json(dir.path(), &["pack", "run", "--overwrite"]);
    assert_eq!((&made["depths"], &made["folder"]), (&true.into(), &"run/values".into()));
    assert!(made["files"]["values-P2.map"]["num_states"].as_u64().unwrap() > 0);
    assert_eq!(ends(dir.path(), 0, &["query", "run", "start"]), before);
    let verified = json(dir.path(), &["verify", "run"]);
    assert_eq!(verified["checks"], serde_json::json!(["values", "one-ply"]));
    assert_eq!((&verified["mismatches"], &verified["checked"]), (&"0".into(), &"32".into()));
    assert!(refused(dir.path(), &["pack", "run"]).contains("--overwrite"));
    let text = ends(dir.path(), 0, &["pack", "run", "--no-depths", "--out", "elsewhere"]);
    assert!(text.contains("without depths in elsewhere") && text.contains("values-P1.map"), "{text}");
    let verified = json(dir.path(), &["verify", "run", "--values", "elsewhere"]);
    assert_eq!(verified["checks"], serde_json::json!(["values"]));
    // Damage is reported but does not change the answers.
    let map = dir.path().join("run/values/values-P1.map");
    fs::write(&map, b"something else").unwrap();
    let output = program().current_dir(dir.path()).args(["query", "run", "start"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), before);
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.starts_with("warning: ") && warning.contains("values-P1.map"), "{warning}");
    assert!(refused(dir.path(), &["verify", "run"]).contains("values-P1.map"));
}
