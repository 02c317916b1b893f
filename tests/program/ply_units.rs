//! The option `solve --units`: a solve that was killed within a ply resumes with the finished units.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::common::program::{program, run_program};
use crate::common::{assert_same_files, files, scratch, stride};
use chacha20::ChaCha12Rng;
use nerode_solver::archive::run_dir::RunDir;
use rand::{RngExt, SeedableRng};

/// Returns the number of folders and files of units.
fn num_units(run: &Path) -> usize {
    let below =
        |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    below(&run.join("units")).map(|folder| below(&folder).count()).sum()
}

#[test]
#[ignore = "slow: .ci/slow"]
fn killed_within_a_ply_and_resumed_gives_the_same_bytes() {
    let mut rng = ChaCha12Rng::seed_from_u64(25);
    let solve =
        ["solve", "breakthrough:4x4", "--engine", "sets", "--method", "retrograde", "--run-dir", "run"];
    let whole = scratch();
    assert!(run_program(whole.path(), &solve).status.success());
    let expected = files(&whole.path().join("run"));
    let units = [&solve[..], &["--units=30", "--backend", "passes", "--resume"]].concat();
    let mut within = 0;
    for threads in ["1", "2"] {
        for _ in 0..5_usize.div_ceil(stride(2)) {
            let dir = scratch();
            let run = dir.path().join("run");
            let mut command = program();
            command.current_dir(dir.path()).args(&units).args(["--threads", threads]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let until = rng.random_range(1..20);
            while num_units(&run) < until && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(100));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            within += usize::from(num_units(&run) > 0);
            let output = run_program(dir.path(), &units);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(RunDir::open(&run).unwrap().progress().finished);
            assert_same_files(
                &files(&run),
                &expected,
                &format!("{threads} threads, killed at {until} files"),
            );
        }
    }
    assert!(within > 0, "no solve was killed within a ply");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn units_are_counted_while_a_ply_is_under_work() {
    let dir = scratch();
    let solve = ["solve", "breakthrough:4x5", "--engine", "sets", "--run-dir", "run", "--plies", "7"];
    let told = |arguments: &[&str]| {
        let output = run_program(dir.path(), &[arguments, &["--units=30", "--progress", "plain"]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        assert!(said.contains("the next ply in units, "), "{said}");
    };
    told(&solve);
    told(&["resume", "run", "--plies", "8"]);
}

#[test]
fn units_are_of_sets_alone() {
    let dir = scratch();
    for (arguments, said) in [
        (
            &["solve", "breakthrough:2x4", "--engine", "table", "--units"][..],
            "--units does not apply to a table",
        ),
        (&["solve", "breakthrough:2x4", "--units=0"], "not a whole number from 1 to"),
        (&["resume", "nowhere", "--units"], "nowhere"),
    ] {
        let output = run_program(dir.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(said), "{arguments:?}: {text}");
    }
    let solved =
        ["solve", "breakthrough:2x4", "--engine", "sets", "--plies", "2", "--run-dir", "run", "--units"];
    assert!(run_program(dir.path(), &solved).status.success());
    let resumed = run_program(dir.path(), &["resume", "run", "--plies", "end", "--units=5"]);
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert!(!dir.path().join("run/units").exists());
}
