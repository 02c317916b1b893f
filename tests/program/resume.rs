//! Interrupted, truncated, missing or damaged files: `resume` and `solve --resume` continue the work and repair them.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::program::{ends, json, list, program, refused, run_program};
use crate::common::{Files, assert_same_files, files, scratch};

/// Runs the program and sends it a signal once `ready` returns `true`.
#[cfg(unix)]
fn interrupted(at: &Path, arguments: &[&str], ready: impl Fn() -> bool) -> (i32, String) {
    let child = program()
        .current_dir(at)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !ready() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Defect 5: a game that is too large for sets and for a table is solved by sectors, after an estimate.
#[cfg(unix)]
#[test]
fn a_large_morris_game_is_solved_by_sectors_after_an_estimate() {
    let dir = scratch();
    let folder = dir.path().join("runs/morris_nine");
    let command = ["solve", "morris:nine", "--anyway"];
    let (code, errors) = interrupted(dir.path(), &command, || folder.join("4-3-0-0.sector").exists());
    assert_eq!(code, 130, "{errors}");
    for part in ["work units to solve", "on disk", "memory", "interrupted", "nerode resume runs/morris_nine"]
    {
        assert!(errors.contains(part), "no '{part}' in {errors}");
    }
    let info = json(dir.path(), &["info", "runs/morris_nine"]);
    assert_eq!(
        (&info["finished"], &info["continue_with"]),
        (&false.into(), &"nerode resume runs/morris_nine".into())
    );
}

/// A hopeless solve prints a warning, starts, and stops when memory is exhausted. It then reports the data on disk
/// and how to continue.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_hopeless_solve_stops_cleanly() {
    let dir = scratch();
    let arguments = ["solve", "breakthrough:8x8", "--method", "retrograde", "--memory", "64MiB"];
    let errors = refused_later(dir.path(), &arguments);
    for part in [
        "note: breakthrough:8x8 may be out of reach here",
        "there is no estimate of memory, disk and time",
        "the solve starts anyway",
        "runs/breakthrough_8x8 contains retrograde plies 0 to",
        "'nerode resume runs/breakthrough_8x8'",
        "--memory",
    ] {
        assert!(errors.contains(part), "no '{part}' in {errors}");
    }
    assert_eq!(json(dir.path(), &["info", "runs/breakthrough_8x8"])["finished"], false);
}

/// Returns the output of a command that starts its work and fails.
fn refused_later(at: &Path, arguments: &[&str]) -> String {
    let output = run_program(at, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Defect 13: the message names the command that continues, and this command works. A table cannot be continued,
/// which the message states.
#[cfg(unix)]
#[test]
#[ignore = "slow: .ci/slow"]
fn an_interrupted_command_names_the_one_that_continues() {
    let dir = scratch();
    let at = dir.path();
    let solve = ["solve", "breakthrough:4x6", "--method", "retrograde", "--threads", "1"];
    let sets = at.join("runs/breakthrough_4x6/sets");
    let (code, errors) = interrupted(at, &solve, || sets.join("W-P1-003.dfa").exists());
    assert_eq!(code, 130, "{errors}");
    assert!(errors.contains("contains retrograde plies 0 to"), "{errors}");
    assert!(errors.contains("'nerode resume runs/breakthrough_4x6'"), "{errors}");
    let six = ["solve", "morris:six", "--sector", "start", "--threads", "1"];
    let (code, errors) = interrupted(at, &six, || at.join("runs/morris_six/4-3-0-0.sector").exists());
    assert_eq!(code, 130, "{errors}");
    assert!(errors.contains("work units") && errors.contains("'nerode resume runs/morris_six'"), "{errors}");
    let solved = json(at, &["resume", "runs/morris_six"]);
    assert_eq!(solved["start"]["category"], "draw");
    let table = ["solve", "breakthrough:4x4", "--engine", "table", "--threads", "1", "--out", "t.tbl"];
    let (code, errors) = interrupted(at, &table, || {
        std::thread::sleep(Duration::from_millis(300));
        true
    });
    assert_eq!(code, 130, "{errors}");
    assert!(errors.contains("a table cannot be resumed") && !errors.contains("--resume"), "{errors}");
    assert!(!at.join("t.tbl").exists());
}

/// Returns the files of a run of `spec` with `options`.
fn whole(spec: &str, options: &[&str]) -> Files {
    let dir = scratch();
    ends(dir.path(), 0, &[&["solve", spec, "--run-dir", "run"], options].concat());
    files(&dir.path().join("run"))
}

/// Defect 7: a request for more plies continues from the existing ones, with the same bytes as a run that requested
/// them at once.
#[test]
fn more_plies_extend_a_run() {
    for method in ["retrograde", "meet"] {
        let spec = "breakthrough:2x6";
        let by = ["--method", method];
        let begun = |plies: &str| {
            let dir = scratch();
            ends(dir.path(), 0, &[&["solve", spec, "--run-dir", "run", "--plies", plies], &by[..]].concat());
            dir
        };
        let six = whole(spec, &[&by[..], &["--plies", "6"]].concat());
        let to_the_end = whole(spec, &by);
        // By 'resume' and by 'solve --resume', to six plies and to the end.
        let dir = begun("4");
        ends(dir.path(), 0, &["resume", "run", "--plies", "6"]);
        assert_same_files(&files(&dir.path().join("run")), &six, &format!("{method}, to six plies"));
        assert!(refused(dir.path(), &["resume", "run", "--plies", "5"]).contains("already goes to ply 6"));
        ends(dir.path(), 0, &["resume", "run", "--plies", "end"]);
        assert_same_files(&files(&dir.path().join("run")), &to_the_end, &format!("{method}, to the end"));
        let dir = begun("4");
        let solve = [&["solve", spec, "--run-dir", "run", "--resume"], &by[..]].concat();
        ends(dir.path(), 0, &[&solve[..], &["--plies", "6"]].concat());
        assert_same_files(&files(&dir.path().join("run")), &six, &format!("{method}, solved to six"));
        // If no method is given, that of the run is used.
        ends(dir.path(), 0, &["solve", spec, "--run-dir", "run", "--resume"]);
        assert_same_files(
            &files(&dir.path().join("run")),
            &to_the_end,
            &format!("{method}, solved to the end"),
        );
    }
}

/// Defect 12: a missing or damaged file of a run is detected and recomputed, regardless of its contents.
#[test]
#[ignore = "slow: .ci/slow"]
fn files_of_a_run_that_are_missing_or_damaged_are_made_again() {
    for (spec, options) in [
        ("breakthrough:2x5", &["--method", "retrograde"][..]),
        ("breakthrough:2x5", &["--method", "retrograde", "--chains", "one"]),
        ("breakthrough:2x5", &["--method", "retrograde", "--plies", "3"]),
        ("breakthrough:2x4", &["--method", "meet", "--backward-plies", "2"]),
        ("tictactoe:2x3,k=2", &["--method", "meet", "--admissible-from", "2"]),
    ] {
        let dir = scratch();
        let at = dir.path();
        let run = at.join("run");
        ends(at, 0, &[&["solve", spec, "--run-dir", "run"], options].concat());
        let whole = files(&run);
        assert!(refused_nothing(at), "{spec} {options:?}");
        let sets: Vec<&String> = whole.keys().filter(|name| name.ends_with(".dfa")).collect();
        for name in &sets {
            fs::remove_file(run.join(name.trim_start_matches('/'))).unwrap();
            let mended = json(at, &["resume", "run"]);
            assert_eq!(list(&mended["mended"]).len(), 1, "{spec} {options:?} {name}");
            assert_same_files(&files(&run), &whole, &format!("{spec} {options:?} without {name}"));
        }
        // All files at once, each in a different way, and also with 'solve --resume'.
        for (n, name) in sets.iter().enumerate() {
            let path = run.join(name.trim_start_matches('/'));
            let mut bytes = whole[*name].clone();
            match n % 3 {
                0 => fs::remove_file(&path).unwrap(),
                1 => {
                    bytes[0] ^= 1;
                    fs::write(&path, &bytes).unwrap();
                }
                _ => fs::write(&path, &bytes[1..]).unwrap(),
            }
        }
        ends(at, 0, &[&["solve", spec, "--run-dir", "run", "--resume"], options].concat());
        assert_same_files(&files(&run), &whole, &format!("{spec} {options:?}, all files"));
    }
}

/// Returns `true` if the command reports that nothing remains to be done in a finished run.
fn refused_nothing(at: &Path) -> bool {
    let output = run_program(at, &["resume", "run"]);
    output.status.success() && String::from_utf8_lossy(&output.stderr).contains("there is nothing to do")
}

/// A writer may be killed before the directory has its first manifest.
#[test]
fn what_is_left_of_the_first_manifest_goes() {
    let dir = scratch();
    let at = dir.path();
    let unit = ["unit", "morris:three", "3-3-0-0", "--run-dir", "tables"];
    let sets = ["solve", "morris:three", "--engine", "sets", "--sector", "3-3-0-0", "--run-dir", "sets"];
    let run = ["solve", "breakthrough:2x4", "--run-dir", "run"];
    for (command, manifest) in
        [(&unit[..], "tables/sectors.json"), (&sets, "sets/sector-sets.json"), (&run, "run/manifest.json")]
    {
        let left = at.join(format!("{manifest}.unfinished-1-0.tmp"));
        fs::create_dir(left.parent().unwrap()).unwrap();
        fs::write(&left, "{").unwrap();
        ends(at, 0, command);
        assert!(at.join(manifest).exists() && !left.exists(), "{manifest}");
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn files_of_sectors_that_are_missing_or_damaged_are_made_again() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:six", "--sector", "4-3-0-0", "--run-dir", "tables"]);
    ends(at, 0, &["solve", "morris:six", "--engine", "sets", "--sector", "4-3-0-0", "--run-dir", "sets"]);
    let before = files(at);
    for (name, gone) in [
        ("tables/3-3-0-0.sector", false),
        ("tables/4-3-0-0.sector", true),
        ("sets/3-3-001.dfa", true),
        ("sets/4-3-001.dfa", false),
        ("sets/4-3.json", true),
    ] {
        let path = at.join(name);
        if gone {
            // This is the state after a writer was killed before it renamed the file to its final name.
            fs::rename(&path, at.join(format!("{name}.unfinished-1-0.tmp"))).unwrap();
        } else {
            let mut bytes = fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(&path, bytes).unwrap();
        }
        let folder = name.split('/').next().unwrap();
        ends(at, 0, &["resume", folder]);
        assert_same_files(&files(at), &before, name);
    }
    for folder in ["tables", "sets"] {
        let output = run_program(at, &["resume", folder]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("there is nothing to do"), "{folder}");
    }
    assert!(refused(at, &["resume", "tables", "--plies", "3"]).contains("--plies"));
    assert!(refused(at, &["resume", "absent"]).contains("absent"));
}
