//! Solves in separate processes. Killed at random moments and resumed, they produce the same bytes as an undisturbed
//! one; signals interrupt them; and two processes never write the same run.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::program::{assert_no_panic, program, run_program};
use crate::common::{Plan, assert_same_files, files, game, scratch, solve_in, stride};
use chacha20::ChaCha12Rng;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::error::Error;
use nerode_solver::solve::method::Method;
use rand::{Rng, RngExt, SeedableRng};

/// Returns the number of set files of the run in `path`.
fn num_sets(path: &Path) -> usize {
    std::fs::read_dir(path.join("sets")).map_or(0, Iterator::count)
}

/// Kills the solve after it has written a random number of its files, and a short random time later.
fn kill_midway(mut child: Child, run: &Path, all: usize, rng: &mut impl Rng) {
    let until = rng.random_range(num_sets(run).min(all)..=all);
    while num_sets(run) < until && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(100));
    }
    std::thread::sleep(Duration::from_micros(rng.random_range(0..2000)));
    child.kill().unwrap();
    child.wait().unwrap();
}

fn finished(run: &Path) -> bool {
    RunDir::exists(run) && RunDir::open(run).unwrap().progress().finished
}

/// The process is killed at random moments, up to three times in a row.
#[test]
fn killed_at_any_moment_and_resumed_gives_the_same_bytes() {
    let mut rng = ChaCha12Rng::seed_from_u64(11);
    for (spec, method, backend) in [
        ("breakthrough:2x7", "retrograde", "auto"),
        ("breakthrough:2x6", "meet", "auto"),
        ("breakthrough:2x6", "retrograde", "passes"),
    ] {
        let ways = ["--method", method, "--backend", backend, "--threads", "2"];
        let arguments = [&["solve", spec, "--run-dir", "run", "--resume"][..], &ways].concat();
        let whole = scratch();
        assert!(run_program(whole.path(), &arguments).status.success());
        let expected = files(&whole.path().join("run"));
        let mut killed = 0;
        for _ in 0..8_usize.div_ceil(stride(2)) {
            let dir = scratch();
            let run = dir.path().join("run");
            for _ in 0..3 {
                let mut command = program();
                command.current_dir(dir.path()).args(&arguments).stdout(Stdio::null()).stderr(Stdio::null());
                kill_midway(command.spawn().unwrap(), &run, expected.len() - 1, &mut rng);
                if finished(&run) {
                    break;
                }
                killed += 1;
            }
            let output = run_program(dir.path(), &arguments);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_same_files(&files(&run), &expected, &format!("{spec} by {method}, {backend}"));
        }
        // The machine determines how many processes are killed before they finish, but the test would be useless if
        // there were none.
        assert!(killed > 0, "{spec}: no run was killed before its end");
    }
}

/// Ctrl-C ends the program at the next safe point, with a message that explains how to continue.
#[cfg(unix)]
#[test]
fn a_signal_interrupts_and_the_run_can_be_resumed() {
    for signal in ["INT", "TERM"] {
        let dir = scratch();
        let child = program()
            .current_dir(dir.path())
            .args([
                "solve",
                "breakthrough:4x6",
                "--method",
                "retrograde",
                "--run-dir",
                "run",
                "--threads",
                "1",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The manifest exists once the first ply is on disk. By then, the program handles signals.
        let began = Instant::now();
        while !dir.path().join("run/sets/W-P1-003.dfa").exists() && began.elapsed() < Duration::from_secs(60)
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_no_panic(&output, &[signal]);
        let errors = String::from_utf8_lossy(&output.stderr);
        let code = if signal == "INT" { 130 } else { 143 };
        assert_eq!(output.status.code(), Some(code), "{signal}: {errors}");
        assert!(
            errors.contains("interrupted") && errors.contains("'nerode resume run'"),
            "{signal}: {errors}"
        );
        assert!(output.stdout.is_empty());
        let run = RunDir::open(&dir.path().join("run")).unwrap();
        assert!(!run.progress().finished && run.progress().backward.is_some());
        for name in crate::common::set_names(&dir.path().join("run")) {
            run.get(name).unwrap();
        }
    }
}

#[test]
fn two_writers_are_kept_apart() {
    let dir = scratch();
    let nim = game("nim:2x3");
    let request = Request::new(nim.as_ref(), Method::Retrograde, None, None);
    let writer = RunDir::create(dir.path(), request.clone(), false).unwrap();
    let busy = |what: &str, result: Result<RunDir, Error>| match result {
        Err(Error::Busy { path }) => assert_eq!(path, dir.path(), "{what}"),
        other => panic!("{what}: {other:?}"),
    };
    busy("resume", RunDir::resume(dir.path(), &request));
    busy("overwrite", RunDir::create(dir.path(), request.clone(), true));
    let arguments = ["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "."];
    for option in ["--resume", "--overwrite"] {
        let output = run_program(dir.path(), &[&arguments[..], &[option]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("another process"), "{option}");
    }
    assert!(RunDir::open(dir.path()).is_ok(), "reading must not require a lock");
    drop(writer);
    assert!(run_program(dir.path(), &[&arguments[..], &["--resume"]].concat()).status.success());
    let whole = scratch();
    solve_in(whole.path(), &nim, Plan::RETROGRADE).unwrap();
    assert_same_files(&files(dir.path()), &files(whole.path()), "after the writer left");
}

/// A process that starts others temporarily hands them its open files. The lock of a finished writer must not survive
/// in these copies.
#[cfg(unix)]
#[test]
fn a_writer_that_is_done_leaves_no_lock_behind() {
    let dir = scratch();
    let nim = game("nim:2x3");
    let request = Request::new(nim.as_ref(), Method::Retrograde, None, None);
    drop(RunDir::create(dir.path(), request.clone(), false).unwrap());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                Command::new("true").current_dir(dir.path()).status().unwrap();
            }
        });
        let began = Instant::now();
        let mut outcome = Ok(());
        while outcome.is_ok() && began.elapsed() < Duration::from_millis(1500) {
            outcome = RunDir::resume(dir.path(), &request).map(drop);
        }
        stop.store(true, Ordering::Relaxed);
        outcome.unwrap();
    });
}
