//! Destinations of exported files: standard output, pipes, links and existing files, but never inside a run.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common::program::{assert_no_panic, ends, program, refused, run_program, with_run};
use crate::common::{assert_same_files, files};

const FORMATS: [&str; 5] = ["table", "csv", "npy", "dot", "fst"];

fn export(at: &Path, format: &str, out: &str, more: &[&str]) -> Output {
    run_program(at, &[&["export", "run", "--format", format, "--out", out], more].concat())
}

/// Returns the contents of a file exported in this format.
fn expected(at: &Path, format: &str) -> Vec<u8> {
    let name = format!("expected.{format}");
    assert_eq!(export(at, format, &name, &[]).status.code(), Some(0));
    fs::read(at.join(name)).unwrap()
}

#[test]
fn a_dash_is_standard_output_which_then_holds_the_file_alone() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    for format in FORMATS {
        let expected = expected(at, format);
        for out in ["-", "/dev/stdout"] {
            let said = export(at, format, out, &[]);
            assert_eq!(said.status.code(), Some(0), "{format} {out}");
            assert!(said.stdout == expected, "{format} {out}");
            let errors = String::from_utf8(said.stderr).unwrap();
            let counted = if ["dot", "fst"].contains(&format) { " state" } else { " row" };
            assert!(errors.contains(counted) && errors.contains(" bytes"), "{format} {out}: {errors}");
            let said = export(at, format, out, &["--json"]);
            assert!(said.stdout == expected, "{format} {out}");
            let summary: serde_json::Value = serde_json::from_slice(&said.stderr).unwrap();
            assert_eq!((&summary["game"], &summary["command"]), (&"nim:2x3".into(), &"export".into()));
            assert_eq!(summary["bytes"], expected.len());
        }
    }
    assert!(!at.join("-").exists());
}

#[cfg(unix)]
#[test]
fn a_reader_of_standard_output_may_go_away() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde"]);
    let mut child = program()
        .current_dir(dir.path())
        .args(["export", "run", "--format", "csv", "--out", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_no_panic(&output, &["export --out -"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_written_through() {
    use std::os::unix::fs::FileTypeExt;

    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    let pipe = at.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for format in FORMATS {
        let expected = expected(at, format);
        let read = std::thread::scope(|scope| {
            let reader = scope.spawn(|| fs::read(&pipe).unwrap());
            let said = export(at, format, "pipe", &[]);
            assert_eq!(said.status.code(), Some(0), "{format}");
            assert!(
                String::from_utf8(said.stdout).unwrap().contains(&format!("{} bytes", expected.len()))
                    || expected.len() > 999
            );
            reader.join().unwrap()
        });
        assert!(read == expected, "{format}");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{format}: still a pipe");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_stays() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    let expected = expected(at, "csv");
    fs::create_dir(at.join("far")).unwrap();
    std::os::unix::fs::symlink("far/x.csv", at.join("link")).unwrap();
    assert_eq!(export(at, "csv", "link", &[]).status.code(), Some(0));
    fs::write(at.join("far/x.csv"), "old").unwrap();
    let errors = refused(at, &["export", "run", "--format", "csv", "--out", "link"]);
    assert!(errors.contains("already") && errors.contains("--overwrite"), "{errors}");
    assert_eq!(export(at, "csv", "link", &["--overwrite"]).status.code(), Some(0));
    assert!(at.join("link").is_symlink() && !at.join("far/x.csv").is_symlink());
    assert!(fs::read(at.join("far/x.csv")).unwrap() == expected);
    std::os::unix::fs::symlink("run/manifest.json", at.join("trap")).unwrap();
    let errors = refused(at, &["export", "run", "--format", "csv", "--out", "trap", "--overwrite"]);
    assert!(errors.contains("found a run"), "{errors}");
    ends(at, 0, &["verify", "run"]);
}

#[test]
fn files_of_others_are_replaced_only_if_that_is_wanted() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    for name in ["x.csv", "x.csv.tmp", "x.tmp"] {
        fs::write(at.join(name), "foreign").unwrap();
    }
    let before = files(at);
    for format in FORMATS {
        let errors = refused(at, &["export", "run", "--format", format, "--out", "x.csv"]);
        assert!(errors.contains("x.csv") && errors.contains("--overwrite"), "{format}: {errors}");
        assert_same_files(&files(at), &before, format);
        assert_eq!(export(at, format, "x.csv", &["--overwrite"]).status.code(), Some(0), "{format}");
        assert_ne!(fs::read(at.join("x.csv")).unwrap(), b"foreign");
        fs::write(at.join("x.csv"), "foreign").unwrap();
        assert_same_files(&files(at), &before, format);
    }
}

#[test]
fn nothing_is_exported_into_a_directory_of_ours() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    fs::create_dir(at.join("run/notes")).unwrap();
    let before = files(at);
    for out in
        ["run/manifest.json", "run/x.csv", "run/sets/W-P1-000.dfa", "run/notes/x.csv", "run/sets/../x", "run"]
    {
        for more in [&[][..], &["--overwrite"]] {
            for format in FORMATS {
                let command = [&["export", "run", "--format", format, "--out", out], more].concat();
                let errors = refused(at, &command);
                assert!(errors.contains("found a run"), "{out}: {errors}");
            }
        }
    }
    assert_same_files(&files(at), &before, "after all these refusals");
    ends(at, 0, &["verify", "run"]);
}

#[test]
fn options_of_other_formats_are_refused() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    for arguments in [
        &["--format", "csv", "--out", "x", "--set", "W-P1-000"][..],
        &["--format", "csv", "--out", "x", "--sector", "3-3-0-0"],
        &["--format", "sec", "--out", "x"],
        &["--format", "sec", "--out", "-"],
    ] {
        refused(at, &[&["export", "run"], arguments].concat());
    }
    assert!(!at.join("x").exists());
}

/// Files left by a killed process are removed when the run is written again; files of others are kept.
#[test]
fn leftovers_of_killed_processes_are_swept_and_nothing_else() {
    let dir = with_run("nim:2x3", &["--method", "retrograde", "--plies", "1"]);
    let run = dir.path().join("run");
    let ours = ["manifest.json.unfinished-7-0.tmp", "sets/W-P1-002.dfa.unfinished-7-1.tmp"];
    let foreign = ["notes.tmp", "sets/notes.tmp", "manifest.json.tmp"];
    for name in ours.iter().chain(&foreign) {
        fs::write(run.join(name), "x").unwrap();
    }
    ends(
        dir.path(),
        0,
        &["solve", "nim:2x3", "--method", "retrograde", "--plies", "1", "--run-dir", "run", "--resume"],
    );
    assert!(ours.iter().all(|name| !run.join(name).exists()));
    assert!(foreign.iter().all(|name| run.join(name).exists()));
}

/// If two exports write the same new file, the second one is rejected. Files left by killed exports are removed.
#[test]
fn a_new_file_has_one_writer() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    let name = at.join("x.csv.unfinished-1-0.tmp");
    let other = fs::File::create(&name).unwrap();
    other.lock().unwrap();
    let arguments = ["export", "run", "--format", "csv", "--out", "x.csv"];
    assert!(refused(at, &arguments).contains("another process is writing this file"));
    assert!(name.exists() && !at.join("x.csv").exists());
    // When the process was killed, the system released its lock.
    drop(other);
    ends(at, 0, &arguments);
    assert!(!name.exists() && at.join("x.csv").exists());
    fs::write(&name, "left").unwrap();
    ends(at, 0, &[&arguments[..], &["--overwrite"]].concat());
    assert!(!name.exists());
}
