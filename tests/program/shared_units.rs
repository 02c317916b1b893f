//! The options `solve --units-by others` and `nerode unit RUN`: units computed by processes other than the solver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::{ends, json, list, program, refused, run_program};
use crate::common::{Files, assert_same_files, files, scratch};
use chacha20::ChaCha12Rng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;

const SOLVE: [&str; 7] =
    ["solve", "breakthrough:4x4", "--engine", "sets", "--method", "retrograde", "--resume"];
const UNITS: [&str; 7] = ["--run-dir", "run", "--units=30", "--backend", "passes", "--threads", "1"];
/// A time limit that no step exceeds.
const LONGEST: Duration = Duration::from_secs(300);

/// Returns the files of a run that one process solves without interruption.
fn in_one_process() -> Files {
    let whole = scratch();
    ends(whole.path(), 0, &[&SOLVE[..], &["--run-dir", "run"]].concat());
    files(&whole.path().join("run"))
}

fn begin(at: &Path, arguments: &[&str]) -> Child {
    let mut command = program();
    command.current_dir(at).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Starts a solve whose units are computed by `by`.
fn begin_solve(at: &Path, by: &str) -> Child {
    begin(at, &[&SOLVE[..], &UNITS, &["--units-by", by]].concat())
}

fn end(mut child: Child) {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > LONGEST {
            child.kill().unwrap();
            panic!("a process does not terminate");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
}

fn assert_solved(at: &Path, expected: &Files, what: &str) {
    assert_eq!(json(at, &["info", "run"])["finished"], true, "{what}");
    assert_same_files(&files(&at.join("run")), expected, what);
}

/// Waits until a run has at least `least` open units of one image, and returns their names.
fn open_units(at: &Path, least: usize) -> Vec<String> {
    let begun = Instant::now();
    while begun.elapsed() < LONGEST {
        if at.join("run/manifest.json").exists() {
            let output = run_program(at, &["unit", "run", "--list", "--json"]);
            if output.status.success() {
                let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let open = list(&said["units"]).iter().filter(|unit| unit["state"] == "open");
                let names: Vec<String> = open.map(|unit| unit["unit"].as_str().unwrap().into()).collect();
                if names.len() >= least {
                    return names;
                }
                // This image has fewer units, but the next one may have more.
                names.iter().for_each(|name| drop(ends(at, 0, &["unit", "run", "--unit", name])));
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no open units");
}

/// Starts a solve that waits for units, and returns it with their names.
fn waiting(least: usize) -> (TempDir, Child, Vec<String>) {
    let dir = scratch();
    let solve = begin_solve(dir.path(), "others");
    let names = open_units(dir.path(), least);
    (dir, solve, names)
}

fn folder(at: &Path, unit: &str) -> PathBuf {
    at.join("run/units").join(unit.split_once('/').unwrap().0)
}

#[test]
#[ignore = "slow: .ci/slow"]
fn other_processes_do_the_units_and_one_of_them_is_killed() {
    let mut rng = ChaCha12Rng::seed_from_u64(26);
    let expected = in_one_process();
    for by in ["others", "anyone", "others"] {
        let dir = scratch();
        let at = dir.path();
        let mut solve = begin_solve(at, by);
        while !at.join("run/units").exists() && solve.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(100));
        }
        let wait = ["unit", "run", "--wait", "--threads", "1"];
        let stays = begin(at, &wait);
        let mut kills = 0;
        while solve.try_wait().unwrap().is_none() {
            let mut worker = begin(at, &wait);
            std::thread::sleep(Duration::from_millis(rng.random_range(1..120)));
            worker.kill().unwrap();
            worker.wait().unwrap();
            kills += 1;
        }
        end(solve);
        end(stays);
        assert!(kills > 0, "no worker was killed");
        assert_solved(at, &expected, &format!("units by {by}, {kills} killed"));
    }
}

/// A worker may start before the solve, in which case it also waits for the run.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_worker_may_be_there_before_the_solve() {
    let expected = in_one_process();
    let dir = scratch();
    let at = dir.path();
    let early = begin(at, &["unit", "run", "--wait", "--threads", "1"]);
    std::thread::sleep(Duration::from_millis(300));
    end(begin_solve(at, "others"));
    end(early);
    assert_solved(at, &expected, "a worker that came first");
}

/// Units whose files are missing cannot be computed. A solve that waits for them reports this, and continues when it
/// is resumed.
#[test]
fn a_solve_whose_units_were_removed_does_not_wait_for_them() {
    let expected = in_one_process();
    let (dir, mut solve, names) = waiting(2);
    let at = dir.path();
    fs::remove_dir_all(folder(at, &names[0])).unwrap();
    let begun = Instant::now();
    while solve.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < LONGEST, "the solve waits for ever");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!solve.wait().unwrap().success());
    ends(at, 0, &["resume", "run", "--threads", "1"]);
    assert_solved(at, &expected, "gone on with after its units were removed");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn one_unit_is_done_twice_at_once_and_again() {
    let expected = in_one_process();
    let (dir, solve, names) = waiting(2);
    let at = dir.path();
    let one = ["unit", "run", "--unit", &names[0]];
    let twice = [begin(at, &one), begin(at, &one), begin(at, &one)];
    twice.into_iter().for_each(end);
    let said = json(at, &one);
    assert_eq!(list(&said["units"])[0]["state"], "there");
    ends(at, 0, &["unit", "run", "--wait"]);
    end(solve);
    assert_solved(at, &expected, "a unit done by several at once");
    // Its ply has been written, so nothing remains to be done, which is not an error.
    assert_eq!(list(&json(at, &one)["units"])[0]["state"], "gone");
    assert!(ends(at, 0, &["unit", "run"]).starts_with("0 units, the run is finished"));
}

/// With many units, merges of their fragments are distributed too. Some of them are computed twice at the same time,
/// and repeated.
#[test]
#[ignore = "slow: .ci/slow"]
fn others_merge_fragments_too() {
    let expected = in_one_process();
    for by in ["others", "anyone"] {
        let dir = scratch();
        let at = dir.path();
        let units = ["--run-dir", "run", "--units=2", "--backend", "passes", "--threads", "1"];
        let solve = begin(at, &[&SOLVE[..], &units, &["--units-by", by]].concat());
        let all = ["unit", "run", "--threads", "1", "--json"];
        let mut merged = 0;
        while solve_waits(at) {
            let mut beside = begin(at, &all);
            let said = run_program(at, &all);
            beside.wait().unwrap();
            // Before the run exists, the command fails.
            let Ok(said) = serde_json::from_slice::<serde_json::Value>(&said.stdout) else { continue };
            let merges = list(&said["units"]).iter().filter(|unit| unit["merges"].as_u64() > Some(1));
            merged += merges.filter(|unit| unit["state"] == "done").count();
        }
        end(solve);
        // The other process also computes merges, but their number depends on chance.
        assert!(by == "anyone" || merged > 0, "{merged} merges by other processes");
        assert_solved(at, &expected, &format!("{merged} merges, units by {by}"));
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn what_a_unit_lacks_is_told_and_mended() {
    let expected = in_one_process();
    let (dir, mut solve, names) = waiting(2);
    let at = dir.path();
    let (folder, one) = (folder(at, &names[0]), ["unit", "run", "--unit", &names[0]]);
    let other_version = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[8] += 1;
        bytes
    };
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let (image, number) = names[0].rsplit_once('/').unwrap();
    let number: usize = number.parse().unwrap();
    let file = |kind: &str| folder.join(format!("{kind}-{number:06}"));
    let (units, input, fragment) = (folder.join("list"), file("input"), file("unit"));
    for (path, damage, said) in [
        (&input, Some(&other_version as &dyn Fn(&[u8]) -> Vec<u8>), "use the program that wrote it"),
        (&input, Some(&half), "stop and resume the solve"),
        (&input, None, "it is missing; stop and resume the solve"),
        (&units, Some(&other_version), "use the program that wrote it"),
        (&units, Some(&half), "stop and resume the solve"),
    ] {
        let whole = fs::read(path).unwrap();
        match damage {
            Some(damage) => fs::write(path, damage(&whole)).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        let told = refused(at, &one);
        assert!(told.contains(said), "{}: {told}", path.display());
        fs::write(path, whole).unwrap();
    }
    // A damaged input does not affect the other units.
    let whole = fs::read(&input).unwrap();
    fs::write(&input, half(&whole)).unwrap();
    assert!(refused(at, &["unit", "run"]).contains("stop and resume the solve"));
    let all = json(at, &["unit", "run", "--list"]);
    let of_image =
        |unit: &&serde_json::Value| unit["merges"] == 1 && unit["unit"].as_str().unwrap().starts_with(image);
    let states: Vec<_> =
        list(&all["units"]).iter().filter(of_image).map(|unit| unit["state"].clone()).collect();
    let open = |state: &serde_json::Value| state == "open";
    assert_eq!(states.iter().position(open), Some(number));
    assert_eq!(states.iter().filter(|state| open(state)).count(), 1);
    fs::write(&input, whole).unwrap();
    for (name, said) in
        [("nonsense", "is not the name of a unit"), (&format!("{}999", names[0]), "there is no unit")]
    {
        assert!(refused(at, &["unit", "run", "--unit", name]).contains(said), "{name}");
    }
    solve.kill().unwrap();
    solve.wait().unwrap();
    // An incomplete fragment is recomputed by the next process that finds it.
    ends(at, 0, &one);
    let whole = fs::read(&fragment).unwrap();
    fs::write(&fragment, half(&whole)).unwrap();
    ends(at, 0, &one);
    assert_eq!(fs::read(&fragment).unwrap(), whole);
    // The solve was killed. It resumes without the plan, with an incomplete input and a damaged fragment.
    fs::write(&fragment, other_version(&whole)).unwrap();
    fs::remove_file(folder.join("plan")).unwrap();
    fs::write(&input, half(&fs::read(&input).unwrap())).unwrap();
    let solve = begin_solve(at, "others");
    while solve_waits(at) {
        let _ = run_program(at, &["unit", "run"]);
    }
    end(solve);
    assert_solved(at, &expected, "damaged and resumed");
}

#[test]
fn a_merge_says_which_unit_it_waits_for() {
    let expected = in_one_process();
    let dir = scratch();
    let at = dir.path();
    let units = ["--run-dir", "run", "--units=2", "--threads", "1", "--units-by", "others"];
    let mut solve = begin(at, &[&SOLVE[..], &units].concat());
    open_units(at, 9);
    let all = json(at, &["unit", "run", "--list"]);
    let planned = list(&all["units"]).iter().find(|unit| unit["state"] == "planned").unwrap();
    let told = refused(at, &["unit", "run", "--unit", planned["unit"].as_str().unwrap()]);
    assert!(told.contains("run that unit first") && !told.contains("stop and resume"), "{told}");
    solve.kill().unwrap();
    solve.wait().unwrap();
    // It resumes with units of the same size without an option.
    ends(at, 0, &["resume", "run", "--threads", "1"]);
    assert_solved(at, &expected, "finished by one process");
}

/// Returns `true` if a run is unfinished.
fn solve_waits(at: &Path) -> bool {
    !at.join("run/manifest.json").exists() || json(at, &["info", "run"])["finished"] == false
}

#[test]
fn units_by_others_wants_units_and_a_run() {
    let dir = scratch();
    let at = dir.path();
    assert!(refused(at, &["solve", "breakthrough:2x4", "--units-by", "others"]).contains("--units"));
    ends(at, 0, &["solve", "morris:three", "--engine", "sectors", "--run-dir", "three"]);
    assert!(refused(at, &["unit", "three"]).contains("'nerode plan morris:three --run-dir three'"));
    assert!(refused(at, &["unit", "nowhere"]).contains("there is no directory nowhere"));
    assert!(refused(at, &["unit", "."]).contains("is not the directory of a run of sets"));
    assert!(refused(at, &["unit", "morris:three", "3-3-0-0"]).contains("--run-dir"));
}
