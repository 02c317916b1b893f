//! Two users: files of one user that another may not write, or not even read. Skipped unless this process runs as the
//! administrator, who alone can run a program as another user.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::long::JOBS;
use crate::common::program::{assert_no_panic, ends, program};
use crate::common::{files, scratch};
use tempfile::TempDir;

/// The conventional user without permissions.
const NOBODY: u32 = 65534;

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Creates a folder that everybody may read and only its owner may write. Returns `None` if the program cannot be run
/// as another user.
fn ours() -> Option<TempDir> {
    let dir = scratch();
    allow(dir.path(), 0o755);
    let ran = process(dir.path(), &["--version"]).output();
    let can = rustix::process::geteuid().is_root() && ran.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("skipped: this process may not run the program as another user");
    }
    can.then_some(dir)
}

/// Returns the program as a process of another user.
fn process(at: &Path, arguments: &[&str]) -> Command {
    let mut process = program();
    process.uid(NOBODY).gid(NOBODY).current_dir(at).args(arguments);
    process
}

fn another(at: &Path, arguments: &[&str]) -> Output {
    let output = process(at, arguments).output().unwrap();
    assert_no_panic(&output, arguments);
    output
}

/// Returns the error message of a command of another user that must fail because of missing permissions.
fn forbidden(at: &Path, arguments: &[&str]) -> String {
    let output = another(at, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(names_right(&said), "{arguments:?}: {said}");
    said
}

fn names_right(said: &str) -> bool {
    said.contains("Permission denied") || said.contains("read-only")
}

/// All commands that write fail, explain why, and leave everything unchanged.
#[test]
fn what_another_user_has_made_is_not_written() {
    for job in JOBS.iter().filter(|job| job.writes.is_some()) {
        let Some(dir) = ours() else { return };
        let (prepared, _) = job.expected();
        super::long::copy(prepared.path(), dir.path());
        // Nothing exists yet, and nothing can be created.
        forbidden(dir.path(), job.command);
        assert!(!dir.path().join(job.writes.unwrap()).exists());
        assert!(job.run(dir.path(), &[]).status.success());
        let before = files(dir.path());
        for more in [job.anew, job.again] {
            let arguments = [job.command, more].concat();
            let output = another(dir.path(), &arguments);
            let said = String::from_utf8_lossy(&output.stderr);
            // Everything may already exist, so that there is nothing to write.
            let is_forbidden = output.status.code() == Some(2);
            assert!(is_forbidden || output.status.success(), "{arguments:?}: {said}");
            assert!(!is_forbidden || names_right(&said) || more.is_empty(), "{arguments:?}: {said}");
        }
        assert!(files(dir.path()) == before, "{}: files have changed", job.name);
    }
}

/// Reading requires neither write permission nor a lock.
#[test]
fn what_another_user_has_made_is_read() {
    let Some(dir) = ours() else { return };
    let at = dir.path();
    ends(at, 0, &["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "run"]);
    ends(at, 0, &["solve", "morris:three", "--sector", "3-3-0-0", "--run-dir", "six"]);
    for arguments in [
        &["verify", "run"][..],
        &["query", "run", "start"],
        &["line", "run", "start"],
        &["info", "run"],
        &["stats", "run"],
        &["verify", "six"],
        &["info", "six"],
        &["stats", "six"],
    ] {
        let output = another(at, arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    forbidden(at, &["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "run", "--overwrite"]);
    let mut service = process(at, &["serve", "run", "--port", "0"]);
    let mut service = service.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(service.stdout.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.any(|line| line.contains("http://"));
    service.kill().unwrap();
    service.wait().unwrap();
    assert!(told, "the service does not start");
}

/// An unreadable file, folder or manifest is named, and never treated as missing.
#[test]
fn what_may_not_be_read_is_named() {
    let Some(dir) = ours() else { return };
    let at = dir.path();
    let solve = ["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "run"];
    ends(at, 0, &solve);
    for (closed, name) in
        [("run/sets/W-P1-005.dfa", "W-P1-005.dfa"), ("run/manifest.json", "run"), ("run", "run")]
    {
        let place = at.join(closed);
        let mode = fs::metadata(&place).unwrap().permissions().mode();
        allow(&place, 0);
        for arguments in [&["verify", "run"][..], &["query", "run", "start"], &["stats", "run", "--layers"]] {
            let said = forbidden(at, arguments);
            assert!(said.contains(name), "{closed}: {said}");
        }
        let before = fs::read_dir(at).unwrap().count();
        for more in [&["--resume"][..], &["--overwrite"], &[]] {
            let output = another(at, &[&solve[..], more].concat());
            assert_eq!(output.status.code(), Some(2), "{closed} {more:?}");
        }
        assert_eq!(fs::read_dir(at).unwrap().count(), before);
        allow(&place, mode);
    }
    ends(at, 0, &["verify", "run"]);
}

/// Two users both have write permission. Files of one are replaced by the other, whose umask does not exclude the
/// first one.
#[test]
fn a_folder_of_both_goes_from_one_to_the_other() {
    let Some(dir) = ours() else { return };
    let at = dir.path();
    allow(at, 0o777);
    let solve = ["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "run"];
    let output = another(at, &[&solve[..], &["--plies", "2"]].concat());
    assert!(output.status.success());
    // The administrator may write everywhere.
    ends(at, 0, &["resume", "run", "--plies", "end"]);
    assert_eq!(another(at, &["verify", "run"]).status.code(), Some(0));
}
