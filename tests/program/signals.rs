//! Signals sent to real processes: every command ends with a message and the exit code of the signal.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::{assert_no_panic, program, with_run};
use crate::common::scratch;
use serde_json::Value;

/// The time limit of a test, which is much longer than required, because machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns `true` if the process handles both signals. The system lists those that are caught.
fn takes_signals(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    [2, 15].iter().all(|signal| mask & (1 << (signal - 1)) != 0)
}

fn send(signal: &str, child: &Child) {
    let sent = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn start(at: &Path, arguments: &[&str]) -> Child {
    let child = program()
        .current_dir(at)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !takes_signals(&child) && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Waits for the end of a process that was signalled. If it does not end, kills it and fails.
fn ended(mut child: Child, what: &[&str]) -> Output {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{what:?} continues after a signal");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    assert_no_panic(&output, what);
    output
}

fn stopped(at: &Path, signal: &str, arguments: &[&str]) -> Output {
    let child = start(at, arguments);
    std::thread::sleep(Duration::from_millis(100));
    send(signal, &child);
    ended(child, arguments)
}

/// Long commands of every kind, which take several minutes at least.
const LONG: [&[&str]; 6] = [
    &["reach", "breakthrough:6x6"],
    &["reach", "chess:KRvKR"],
    &["solve", "breakthrough:6x6", "--method", "retrograde", "--run-dir", "run"],
    &["order", "breakthrough:4x5", "--method", "sift"],
    &["solve", "breakthrough:3x6", "--engine", "table", "--memory", "3GiB", "--out", "t.tbl"],
    &["solve", "morris:twelve", "--sector", "4-4-0-0", "--run-dir", "sectors", "--anyway"],
];

#[test]
fn every_kind_of_work_stops_with_the_code_of_the_signal() {
    for arguments in LONG {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let dir = scratch();
            let output = stopped(dir.path(), signal, arguments);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{arguments:?}, {signal}: {errors}");
            assert!(errors.contains("error: interrupted"), "{arguments:?}: {errors}");
        }
    }
}

#[test]
fn a_second_signal_ends_the_process_too() {
    let dir = scratch();
    let child = start(dir.path(), LONG[0]);
    send("INT", &child);
    std::thread::sleep(Duration::from_millis(20));
    send("TERM", &child);
    let code = ended(child, LONG[0]).status.code();
    assert!([Some(130), Some(143)].contains(&code), "{code:?}");
}

/// A process ends even if its output is not read.
#[test]
fn a_process_that_nobody_listens_to_ends() {
    let dir = scratch();
    let all = [LONG[2], &["--progress", "json"]].concat();
    let child = start(dir.path(), &all);
    send("TERM", &child);
    assert_eq!(ended(child, &all).status.code(), Some(143));
}

#[test]
fn under_json_every_line_on_standard_error_is_an_object() {
    let dir = scratch();
    let arguments = [
        "solve",
        "breakthrough:4x6",
        "--method",
        "retrograde",
        "--run-dir",
        "run",
        "--threads",
        "1",
        "--json",
    ];
    let child = start(dir.path(), &arguments);
    // Only a run that has been started can be resumed.
    let began = Instant::now();
    while !dir.path().join("run/sets/W-P1-003.dfa").exists() && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    send("INT", &child);
    let output = ended(child, &arguments);
    assert_eq!(output.status.code(), Some(130));
    let errors = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<Value> = errors.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let error = lines.iter().find(|line| line["error"].is_object()).unwrap();
    assert_eq!((&error["schema_version"], &error["command"]), (&1.into(), &"solve".into()));
    assert!(error["error"]["message"].as_str().unwrap().starts_with("interrupted"), "{error}");
    // The command that resumes is named once there is something to resume.
    assert!(error["error"]["hint"].as_str().is_none_or(|hint| hint.contains("nerode resume ")), "{error}");
}

/// Sends SIGINT once a line on standard output begins with `first`. Returns the later lines, and how the process
/// ended.
fn stopped_after(at: &Path, first: &str, arguments: &[&str]) -> (Vec<String>, Output) {
    let mut child = start(at, arguments);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.trim_start().starts_with(first)), "{arguments:?} never prints '{first}'");
    send("INT", &child);
    let rest = std::thread::spawn(move || lines.collect());
    let output = ended(child, arguments);
    (rest.join().unwrap(), output)
}

/// The work stops when its output is no longer read.
#[test]
fn a_reader_that_goes_away_ends_the_work() {
    let dir = scratch();
    let arguments = ["reach", "breakthrough:6x6"];
    let mut child = start(dir.path(), &arguments);
    drop(child.stdout.take());
    assert_eq!(ended(child, &arguments).status.code(), Some(0));
}

/// Each row is printed before the next one is started, and missing rows are reported.
#[test]
fn rows_are_printed_as_they_come() {
    let dir = scratch();
    let (_, output) = stopped_after(dir.path(), "3 ", &["reach", "breakthrough:6x6"]);
    assert_eq!(output.status.code(), Some(130));
    let solve =
        ["solve", "breakthrough:3x6", "--method", "retrograde", "--run-dir", "run", "--progress", "none"];
    crate::common::program::ends(dir.path(), 0, &solve);
    let compare = ["compare", "run", "--forms", "automata,run-length,zstd"];
    let (rest, output) = stopped_after(dir.path(), "automata ", &compare);
    assert_eq!(output.status.code(), Some(130), "{rest:?}");
    assert!(
        rest.last().is_some_and(|line| line.starts_with("not measured: ") && line.ends_with("zstd")),
        "{rest:?}"
    );
}

/// A program that waits for input has no work that must be stopped, and ends without waiting for it.
#[test]
fn waiting_for_input_ends_at_once() {
    let dir = crate::common::program::with_run("nim:2x2", &[]);
    for arguments in [&["play", "run"][..], &["engine", "run"], &["query", "run", "--batch"]] {
        let output = stopped_waiting(dir.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {errors}");
        assert!(!errors.contains("a second signal"), "{arguments:?}: {errors}");
    }
}

/// Interrupts a process that has had time to begin waiting.
fn stopped_waiting(at: &Path, arguments: &[&str]) -> Output {
    let mut child = start(at, arguments);
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(1500));
    send("INT", &child);
    let output = ended(child, arguments);
    drop(input);
    output
}

/// Sends a signal to `nerode play` on a terminal, and prints the exit code and whether the settings of the terminal were changed while
/// the line was edited and restored afterwards.
const ON_A_TERMINAL: &str = "
import os, pty, select, signal, subprocess, sys, termios, time
master, slave = pty.openpty()
before = termios.tcgetattr(slave)
play = subprocess.Popen([sys.argv[1], 'play', 'run'], stdin=slave, stdout=slave, stderr=slave)
while termios.tcgetattr(slave) == before and play.poll() is None:
    time.sleep(0.01)
edited = termios.tcgetattr(slave) != before
play.send_signal(getattr(signal, sys.argv[2]))
code = play.wait()
print(code, edited, termios.tcgetattr(slave) == before)
";

/// SIGTERM left the terminal without echo.
#[test]
fn a_signal_while_a_line_is_edited_restores_the_terminal() {
    if !Command::new("python3")
        .args(["-c", "import pty"])
        .output()
        .is_ok_and(|output| output.status.success())
    {
        eprintln!("not checked: this machine has no python3");
        return;
    }
    let dir = with_run("nim:2x2", &[]);
    for (signal, code) in [("SIGTERM", 143), ("SIGINT", 130)] {
        let output = Command::new("python3")
            .current_dir(dir.path())
            .args(["-c", ON_A_TERMINAL, env!("CARGO_BIN_EXE_nerode"), signal])
            .env("TERM", "xterm")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).trim().to_string();
        assert_eq!(
            said,
            format!("{code} True True"),
            "{signal}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
