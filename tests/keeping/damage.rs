//! Damaged, truncated, foreign and missing files of a run: each is rejected with an error that names the file. None is accepted,
//! and nothing panics.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::program::run_program;
use crate::common::{Plan, boards, edit_manifest, files, game, scratch, set_names, solve_in, solved, stride};
use nerode_games::Side;
use nerode_solver::archive::Contents;
use nerode_solver::archive::run_dir::{Progress, Request, RunDir, SetEntry};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::{Error, Result};
use tempfile::TempDir;

/// The contents of a manifest.
type Manifest = (Request, Progress, Vec<(String, SetEntry)>);

/// Opens a run and reads everything in it: every set, and the value of every position.
fn read_all(path: &Path) -> Result<Manifest> {
    let solution = StoredRun::open(path)?;
    for (_, entry) in solution.run.sets() {
        solution.run.read(entry)?;
    }
    for board in boards(solution.game.as_ref()) {
        for side in Side::BOTH {
            solution.get(&board, side)?;
        }
    }
    let run = &solution.run;
    let sets = run.sets().map(|(name, entry)| (name.to_string(), entry.clone())).collect();
    Ok((run.request().clone(), *run.progress(), sets))
}

/// Solves a tiny run with each method.
fn tiny() -> [TempDir; 2] {
    let plans = [Plan::RETROGRADE, Plan::meet(Some(1), None)];
    plans.map(|plan| {
        let dir = scratch();
        solve_in(dir.path(), &game("nim:2x2"), plan).unwrap();
        dir
    })
}

/// Returns the files of a run with their paths.
fn paths(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    files(dir).into_iter().map(|(name, bytes)| (dir.join(&name[1..]), bytes)).collect()
}

fn is_manifest(path: &Path) -> bool {
    path.file_name().unwrap() == "manifest.json"
}

/// Asserts that the error reports a damaged file and names it.
fn assert_corrupt(result: Result<Manifest>, path: &Path, what: &str) {
    let named = match &result {
        Err(Error::Corrupt { path, .. }) => path,
        Err(Error::Dfa(nerode_dfa::Error::Corrupt { path, .. })) => path,
        Err(Error::WrongVersion { path, .. }) => path,
        other => panic!("{what}: {other:?}"),
    };
    assert_eq!(named, path, "{what}");
    assert!(result.unwrap_err().to_string().contains(path.to_str().unwrap()), "{what}");
}

/// Changes every eleventh byte, or every byte if tests are exhaustive.
#[test]
#[ignore = "slow: .ci/slow"]
fn changed_bytes_are_noticed() {
    for dir in tiny() {
        let good = read_all(dir.path()).unwrap();
        for (path, bytes) in paths(dir.path()) {
            // These masks flip the lowest bit, the highest bit, and turn a space into a line feed.
            for (from, mask) in [0x01, 0x80, 0x2A].into_iter().enumerate() {
                for at in (from % stride(11)..bytes.len()).step_by(stride(11)) {
                    let mut changed = bytes.clone();
                    changed[at] ^= mask;
                    fs::write(&path, &changed).unwrap();
                    let what = format!("{} byte {at} xor {mask:#x}", path.display());
                    match read_all(dir.path()) {
                        // White space in the manifest is not significant.
                        Ok(found) => {
                            let blank = |byte: u8| byte.is_ascii_whitespace();
                            assert!(is_manifest(&path) && blank(bytes[at]) && blank(changed[at]), "{what}");
                            assert_eq!(found, good, "{what}");
                        }
                        refused => assert_corrupt(refused, &path, &what),
                    }
                }
            }
            fs::write(&path, &bytes).unwrap();
        }
        assert_eq!(read_all(dir.path()).unwrap(), good);
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn every_truncation_and_extension_is_noticed() {
    for dir in tiny() {
        let good = read_all(dir.path()).unwrap();
        for (path, bytes) in paths(dir.path()) {
            for len in (0..bytes.len()).rev().step_by(stride(3)) {
                fs::write(&path, &bytes[..len]).unwrap();
                let what = format!("{} cut to {len} of {}", path.display(), bytes.len());
                match read_all(dir.path()) {
                    // Only the final line feed of the manifest is missing.
                    Ok(found) => {
                        assert!(is_manifest(&path) && len + 1 == bytes.len(), "{what}");
                        assert_eq!(found, good, "{what}");
                    }
                    refused => assert_corrupt(refused, &path, &what),
                }
            }
            for tail in [&b"x"[..], b"\0", b"{}", &bytes] {
                fs::write(&path, [&bytes, tail].concat()).unwrap();
                assert_corrupt(read_all(dir.path()), &path, "extended");
            }
            fs::write(&path, &bytes).unwrap();
        }
    }
}

#[test]
fn every_missing_file_is_noticed() {
    for dir in tiny() {
        for (path, bytes) in paths(dir.path()) {
            fs::remove_file(&path).unwrap();
            match read_all(dir.path()) {
                Err(Error::OtherContents { path: named, .. }) if is_manifest(&path) => {
                    assert_eq!(named, dir.path());
                }
                Err(Error::Io { path: named, source }) => {
                    assert_eq!((named, source.kind()), (path.clone(), std::io::ErrorKind::NotFound));
                }
                other => panic!("without {}: {other:?}", path.display()),
            }
            fs::write(&path, &bytes).unwrap();
        }
    }
}

/// Swaps every pair of different set files of a run.
#[test]
fn files_in_the_wrong_place_are_noticed() {
    let dir = scratch();
    solve_in(dir.path(), &game("tictactoe:2x2,k=2"), Plan::RETROGRADE).unwrap();
    let all: Vec<_> = paths(dir.path()).into_iter().filter(|(path, _)| !is_manifest(path)).collect();
    for (path, bytes) in &all {
        for (_, other) in all.iter().filter(|(_, other)| other != bytes) {
            fs::write(path, other).unwrap();
            assert_corrupt(read_all(dir.path()), path, "another file's bytes");
        }
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn sets_of_another_game_are_refused() {
    let (home, _) = solved("tictactoe:2x2,k=2", None, Plan::RETROGRADE);
    let (foreign, _) = solved("nim:2x2", None, Plan::RETROGRADE);
    let file = |dir: &TempDir| dir.path().join("sets/L-P1-000.dfa");
    fs::copy(file(&foreign), file(&home)).unwrap();
    assert_corrupt(read_all(home.path()), &file(&home), "another game's set");

    // Combines the manifest of one game with the sets of another, and edits a manifest to name other rules.
    let (home, _) = solved("tictactoe:2x2,k=2", None, Plan::RETROGRADE);
    fs::copy(foreign.path().join("manifest.json"), home.path().join("manifest.json")).unwrap();
    assert!(read_all(home.path()).is_err());
    let (home, _) = solved("tictactoe:2x2,k=2", None, Plan::RETROGRADE);
    edit_manifest(home.path(), |manifest| manifest["request"]["fingerprint"] = "0123456789abcdef".into());
    let error = read_all(home.path()).unwrap_err().to_string();
    assert!(error.contains("rules") && error.contains("0123456789abcdef"), "{error}");
    edit_manifest(home.path(), |manifest| manifest["request"]["game"] = "chequers:8x8".into());
    let error = read_all(home.path()).unwrap_err().to_string();
    assert!(error.contains("chequers"), "{error}");
}

#[test]
fn other_versions_are_refused_by_their_number() {
    let [dir, _] = tiny();
    edit_manifest(dir.path(), |manifest| manifest["format_version"] = 77.into());
    let error = read_all(dir.path()).unwrap_err().to_string();
    assert!(error.contains("version") && error.contains("77"), "{error}");

    // Tests an automaton file of another version with matching digests.
    let [dir, _] = tiny();
    let name = set_names(dir.path())[0];
    let path = dir.path().join(format!("sets/{name}.dfa"));
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 77;
    let body = bytes.len() - 32;
    let digest = *blake3::hash(&bytes[..body]).as_bytes();
    bytes[body..].copy_from_slice(&digest);
    redigested(dir.path(), &name.to_string(), &bytes);
    match read_all(dir.path()) {
        Err(Error::Dfa(nerode_dfa::Error::Version { found: 77, path: named, .. })) => assert_eq!(named, path),
        other => panic!("{other:?}"),
    }
}

/// Writes `bytes` as the file of a set, and updates the digest in the manifest.
fn redigested(dir: &Path, name: &str, bytes: &[u8]) {
    edit_manifest(dir, |manifest| {
        let entry = &mut manifest["sets"][name];
        fs::write(dir.join(entry["file"].as_str().unwrap()), bytes).unwrap();
        entry["blake3"] = blake3::hash(bytes).to_hex().to_string().into();
        entry["bytes"] = bytes.len().into();
    });
}

/// If all digests are adjusted to changed bytes, the result is an automaton or an error, never a panic.
#[test]
fn changed_bytes_with_agreeing_digests_do_not_panic() {
    let [dir, _] = tiny();
    let mut accepted = 0;
    for name in set_names(dir.path()).into_iter().take(6) {
        let name = name.to_string();
        let path = dir.path().join(format!("sets/{name}.dfa"));
        let Ok(good) = fs::read(&path) else { continue };
        let body = good.len() - 32;
        for at in 0..body {
            for mask in [0x01, 0x02, 0x80, 0xFF] {
                let mut bytes = good.clone();
                bytes[at] ^= mask;
                let digest = *blake3::hash(&bytes[..body]).as_bytes();
                bytes[body..].copy_from_slice(&digest);
                redigested(dir.path(), &name, &bytes);
                accepted += u32::from(read_all(dir.path()).is_ok());
            }
        }
        redigested(dir.path(), &name, &good);
    }
    // Some of these files may be automata of other sets. The test only requires that the others are rejected without a panic.
    assert!(accepted < 500, "{accepted} accepted");
}

#[test]
fn a_manifest_cannot_lead_out_of_its_directory() {
    let outside = scratch();
    let dir = outside.path().join("run");
    solve_in(&dir, &game("nim:2x2"), Plan::RETROGRADE).unwrap();
    let name = set_names(&dir)[0].to_string();
    fs::copy(dir.join(format!("sets/{name}.dfa")), outside.path().join("x.dfa")).unwrap();
    let absolute = outside.path().join("x.dfa");
    for file in [
        "../x.dfa",
        "sets/../../x.dfa",
        "sets/..",
        "sets/../manifest.json",
        "x.dfa",
        "",
        absolute.to_str().unwrap(),
    ] {
        let good = fs::read(dir.join("manifest.json")).unwrap();
        edit_manifest(&dir, |manifest| manifest["sets"][&name]["file"] = file.into());
        match RunDir::open(&dir) {
            Err(Error::Corrupt { path, reason }) => {
                assert_eq!(path, dir.join("manifest.json"));
                assert!(reason.contains("not a file of this run"), "{file}: {reason}");
            }
            other => panic!("'{file}': {other:?}"),
        }
        fs::write(dir.join("manifest.json"), good).unwrap();
    }
}

#[test]
fn what_is_no_run_is_called_so() {
    let dir = scratch();
    assert!(matches!(RunDir::open(dir.path()), Err(Error::OtherContents { .. })));
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let kinds = [std::io::ErrorKind::NotFound, std::io::ErrorKind::NotADirectory];
    for (path, kind) in [dir.path().join("absent"), file].iter().zip(kinds) {
        let refused = RunDir::open(path);
        assert!(
            matches!(&refused, Err(Error::Io { source, .. }) if source.kind() == kind),
            "{}",
            path.display()
        );
    }
    let only_version = format!("{{\"format_version\": {}}}", Contents::Run.version());
    for text in ["", "null", "[]", "{}", &only_version, "{\"format_version\": \"1\"}", "\u{feff}{}"] {
        fs::write(dir.path().join("manifest.json"), text).unwrap();
        assert!(matches!(RunDir::open(dir.path()), Err(Error::Corrupt { .. })), "{text}");
    }
    fs::remove_file(dir.path().join("manifest.json")).unwrap();
    fs::create_dir(dir.path().join("manifest.json")).unwrap();
    assert!(RunDir::open(dir.path()).is_err());
}

/// The program names the damaged file, exits with 2, and prints no result.
#[test]
fn the_program_names_the_damaged_file() {
    let [dir, _] = tiny();
    let (path, bytes) =
        paths(dir.path()).into_iter().rfind(|(path, _)| path.to_str().unwrap().contains("W-P1")).unwrap();
    let mut changed = bytes;
    changed[20] ^= 4;
    fs::write(&path, changed).unwrap();
    let file = path.file_name().unwrap().to_str().unwrap();
    for arguments in [&["verify", "."][..], &["verify", ".", "--sample", "9"], &["query", ".", "1/2"]] {
        let output = run_program(dir.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(file) && output.stdout.is_empty(), "{arguments:?}: {errors}");
    }
}
