//! The response of the program to wrong names, impossible boards, bad positions and options, little memory, full
//! disks, paths that cannot be written, and closed pipes: an error with a hint, exit code 2, no result, and never a
//! panic.

use std::process::{Output, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use crate::common::program::{assert_no_panic, ends, program, refused, run_program, with_run};
use crate::common::{files, scratch};

/// If another program uses the port, the error explains what can be done.
#[test]
fn a_port_in_use_is_named_with_a_way_out() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let dir = scratch();
    let said = refused(dir.path(), &["serve", "--port", &port]);
    assert!(said.contains(&port) && said.contains("in use") && said.contains("--port 0"), "{said}");
}

#[test]
fn wrong_names_get_the_nearest_one_and_the_form() {
    let dir = scratch();
    for (spec, parts) in [
        ("breakthru:4x4", &["unknown game 'breakthru'; did you mean 'breakthrough'?", "'nerode games'"][..]),
        ("TicTacToe:3x3", &["did you mean 'tictactoe'"]),
        ("", &["unknown game ''"]),
        ("breakthrough:", &["WxH", "breakthrough:5x6"]),
        ("breakthrough:4", &["'4' is not 2 numbers", "breakthrough:5x6"]),
        ("breakthrough:4x3", &["height is 3, not between 4 and 40"]),
        ("breakthrough:20x20", &["at most 80", "breakthrough:5x6"]),
        ("breakthrough:1x9", &["width is 1"]),
        ("breakthrough:4x-4", &["'-4', not a whole number"]),
        ("breakthrough:4x4,k=2", &["unknown option 'k'"]),
        ("othello:2x4", &["width is 2, not between 3 and 26", "othello:4x4"]),
        ("othello:4x4,margin=x", &["margin is 'x', not a whole number"]),
        ("othelo:4x4", &["did you mean 'othello'"]),
        ("amazons:3x5", &["no standard start", "amazons:5x6"]),
        ("tictactoe:3x3,k=9", &["k is 9"]),
        ("tictactoe:3x3,k", &["not of the form key=value"]),
        ("nim:0x3", &["number of heaps is 0"]),
        ("nim:3x999999999999999999999", &["heap height"]),
        ("nim:3x7x2", &["nim:3x7"]),
        ("nim:3x\u{662}", &["not a whole number"]),
    ] {
        for command in [
            &["info"][..],
            &["order"],
            &["solve", "--run-dir", "r"],
            &["reach"],
            &["solve", "--engine", "table", "--out", "t"],
        ] {
            let errors = refused(dir.path(), &[&command[..1], &[spec], &command[1..]].concat());
            for part in parts {
                assert!(errors.contains(part), "{command:?} '{spec}': no '{part}' in {errors}");
            }
        }
    }
    let errors = refused(dir.path(), &["info", "nim:2x2", "--order", "columns"]);
    assert!(errors.contains("'columns'") && errors.contains("heaps"), "{errors}");
    for command in [&["info", "nim:2x2"][..], &["solve", "nim:2x2", "--run-dir", "r"], &["reach", "nim:2x2"]]
    {
        for (order, reason) in [
            ("cells:0,0", "cell 0 is named twice"),
            ("cells:0", "cell 1 is missing"),
            ("cells:0,2", "there is no cell 2"),
            ("cells:a,b", "'a' is not the number of a cell"),
            ("cells", "cells:C,C,..."),
        ] {
            let errors = refused(dir.path(), &[command, &["--order", order]].concat());
            assert!(errors.contains(reason) && errors.contains(&format!("'{order}'")), "{errors}");
        }
    }
    assert!(files(dir.path()).is_empty(), "a wrong name must not create files");
}

#[test]
fn wrong_positions_are_pointed_at() {
    let dir = with_run("tictactoe:2x2,k=2", &[]);
    for (text, part) in [
        ("", "the text is empty"),
        ("XX/..", "the side to move is missing"),
        ("XX/.. Q", "the side to move is 'Q', not X or O"),
        ("XX X", "expected 2 rows separated by '/', found 1"),
        ("XXX/.. X", "row 1 from the top, 'XXX': more than 2 cells"),
        ("X/.. X", "row 1 from the top, 'X': only 1 of 2 cells"),
        ("../X? X", "row 2 from the top, 'X?': unexpected '?' at character 2; expected X, O or a digit"),
        ("3/2 X", "character 1 stands for 3 empty cells, but the row has room for 1 to 2"),
        ("\u{fffd}\u{fffd}/.. X", "unexpected '\u{fffd}' at character 1"),
        ("99999999999999999999999/2 X", "the row has room for 1 to 2"),
    ] {
        let errors = refused(dir.path(), &["query", "run", text]);
        assert!(errors.contains(part), "'{text}': no '{part}' in {errors}");
        assert!(
            errors.contains("hint: for example '2/2 X', the start position, or 'start' for short"),
            "{errors}"
        );
        assert!(
            !errors.contains("from the top, separated by"),
            "the hint must refer to info for the complete format: {errors}"
        );
    }
    assert!(ends(dir.path(), 0, &["info", "tictactoe:2x2,k=2"]).contains("2 rows of 2 cells from the top"));
}

/// The message describes the problem, and the hint describes the solution.
#[test]
fn a_game_in_two_words_or_out_of_reach_is_told_with_what_to_do() {
    let dir = scratch();
    for command in [&["solve", "breakthrough", "4x5"][..], &["estimate", "breakthrough", "4x5"]] {
        let errors = refused(dir.path(), command);
        assert!(errors.contains("a game is one word: 'breakthrough:4x5'"), "{errors}");
    }
    let errors = refused(dir.path(), &["solve", "breakthrough:4x5", "--units", "1000", "--run-dir", "run"]);
    assert!(errors.contains("its number follows '=': '--units=1000'"), "{errors}");
    let errors = refused(dir.path(), &["solve", "breakthrough", "of", "4x5"]);
    assert!(!errors.contains("one word"), "{errors}");
    for (game, happened) in [
        ("breakthrough", "breakthrough:8x8, which 'breakthrough' stands for, is out of reach: it has"),
        (
            "amazons",
            "amazons:10x10, which 'amazons' stands for, is out of reach: its board has too many cells",
        ),
        ("chess", "is out of reach: the whole game has too many positions"),
    ] {
        let errors = refused(dir.path(), &["solve", game]);
        let (error, hint) = errors.split_once("\nhint: ").unwrap();
        assert!(error.contains(happened) && !error.contains("nerode solve"), "{errors}");
        assert!(hint.starts_with("'nerode solve ") && !error.contains(';'), "{errors}");
    }
    let errors = refused(dir.path(), &["info", "amazons:9x9"]);
    assert!(
        errors.contains("81 cells, but at most 63 are possible\nhint: for example 'amazons:"),
        "{errors}"
    );
    for plies in ["-1", "x", "4294967296"] {
        for command in ["solve", "reach", "order"] {
            let errors = refused(dir.path(), &[command, "nim:2x2", "--plies", plies]);
            assert!(errors.contains("not a whole number from 0 to 4 294 967 295"), "{errors}");
        }
    }
    assert!(files(dir.path()).is_empty());
}

#[test]
fn wrong_run_directories_are_named() {
    let dir = with_run("nim:2x2", &[]);
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    for command in
        [&["query", "start"][..], &["verify"], &["stats"], &["export", "--format", "csv", "--out", "x"]]
    {
        for at in ["empty", "absent", "run/manifest.json"] {
            let errors = refused(dir.path(), &[&command[..1], &[at], &command[1..]].concat());
            assert!(errors.contains(at), "{command:?}: {errors}");
        }
    }
    // There is a file where the directory should be.
    let errors = refused(dir.path(), &["solve", "nim:2x2", "--run-dir", "run/manifest.json"]);
    assert!(errors.contains("run/manifest.json"), "{errors}");
    assert!(files(dir.path()).keys().all(|name| name.starts_with("/run/")), "no other files must be written");
}

#[test]
fn wrong_options_are_usage_errors() {
    let dir = scratch();
    for arguments in [
        &["solve", "nim:2x2", "--threads", "0"][..],
        &["solve", "nim:2x2", "--threads", "1025"],
        &["solve", "nim:2x2", "--threads", "-1"],
        &["solve", "nim:2x2", "--memory", "lots"],
        &["solve", "nim:2x2", "--memory", "99999999999T"],
        &["solve", "nim:2x2", "--plies", "-1"],
        &["solve", "nim:2x2", "--plies", "4294967296"],
        &["solve", "nim:2x2", "--method", "magic"],
        &["solve"],
        &["reach", "nim:2x2", "--nonsense"],
        &["order"],
        &["order", "nim:2x2", "--method", "magic"],
        &["order", "nim:2x2", "--method", "sift", "--budget", "-1"],
        &["order", "nim:2x2", "--budget", "10"],
        &["verify", "run", "--sample", "many"],
        &["nonsense"],
        &["solve", "tictactoe:3x3", "--admissible-from", "0"],
        &["solve", "tictactoe:3x3", "--method", "retrograde", "--admissible-from", "0"],
        &["solve", "tictactoe:3x3", "--method", "meet", "--admissible-from", "-1"],
        &["solve", "tictactoe:3x3", "--admissible-from", "0"],
        &["solve", "tictactoe:3x3", "--method", "meet", "--admissible-from", "-1"],
    ] {
        refused(dir.path(), arguments);
    }
    let errors = refused(dir.path(), &["solve", "nim:2x2", "--method", "meet", "--admissible-from", "1"]);
    assert!(errors.contains("nim:2x2 has no rule") && errors.contains("omit --admissible-from"), "{errors}");
    assert!(files(dir.path()).is_empty());
    for threads in ["1", "1024"] {
        ends(dir.path(), 0, &["solve", "nim:2x2", "--threads", threads, "--run-dir", threads]);
    }
    assert!(files(&dir.path().join("1")) == files(&dir.path().join("1024")));
}

#[test]
fn too_little_memory_is_an_error_with_the_way_out() {
    let dir = scratch();
    for arguments in [
        &["solve", "breakthrough:4x5", "--memory", "1MiB", "--method", "retrograde", "--run-dir", "run"][..],
        &["solve", "breakthrough:4x5", "--memory", "1MiB", "--method", "meet", "--run-dir", "meet"],
        &["solve", "nim:2x2", "--memory", "1KiB", "--run-dir", "tiny"],
        &["solve", "breakthrough:4x5", "--engine", "table", "--memory", "1MiB", "--out", "t.tbl"],
    ] {
        // The estimate is printed first.
        let output = run_program(dir.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(
            output.stdout.is_empty() && errors.contains("\nerror: ") | errors.starts_with("error: "),
            "{errors}"
        );
        assert!(errors.contains("--memory") && errors.contains("allowed"), "{arguments:?}: {errors}");
    }
    let errors = refused(dir.path(), &["solve", "breakthrough:8x10", "--engine", "table", "--out", "t.tbl"]);
    assert!(errors.contains("more than any machine has") && !errors.contains("--memory"), "{errors}");
    assert!(!dir.path().join("t.tbl").exists());
    // The completed work is kept, and can be continued with more memory.
    let arguments = ["solve", "breakthrough:3x4", "--method", "retrograde", "--run-dir", "again", "--resume"];
    let mut stopped = 0;
    for memory in ["400KiB", "800KiB", "1600KiB", "64MiB"] {
        let output = run_program(dir.path(), &[&arguments[..], &["--memory", memory]].concat());
        stopped += usize::from(output.status.code() == Some(2));
    }
    assert!((1..4).contains(&stopped), "{stopped} of 4 runs were stopped");
    ends(dir.path(), 0, &["verify", "again", "--explicit"]);
}

/// Runs the program under a file size limit of zero, so that writing fails as on a full disk.
#[cfg(target_os = "linux")]
fn refused_without_room(at: &std::path::Path, arguments: &[&str]) -> String {
    let limited = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let output = std::process::Command::new("sh")
        .current_dir(at)
        .args(["-c", limited, env!("CARGO_BIN_EXE_nerode")])
        .args(arguments)
        .output()
        .unwrap();
    assert_no_panic(&output, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_leaves_nothing_half_written() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    let before = files(at);
    for (name, arguments) in [
        ("e.tbl", &["solve", "nim:2x3", "--engine", "table", "--out", "e.tbl"][..]),
        ("x.csv", &["export", "run", "--format", "csv", "--out", "x.csv"]),
        ("x.npy", &["export", "run", "--format", "npy", "--out", "x.npy"]),
        ("x.tbl", &["export", "run", "--format", "table", "--out", "x.tbl"]),
        ("x.fst", &["export", "run", "--format", "fst", "--out", "x.fst"]),
        ("x.dot", &["export", "run", "--format", "dot", "--out", "x.dot"]),
    ] {
        let errors = refused_without_room(at, arguments);
        assert!(errors.contains("File too large") && errors.contains(name), "{arguments:?}: {errors}");
        crate::common::assert_same_files(&files(at), &before, name);
    }
    // In the middle of a solve, a file of the fourth ply cannot be renamed to its final name. The run can be resumed
    // once this is possible.
    let whole = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let taken = at.join("full/sets/W-P1-003.dfa");
    std::fs::create_dir_all(&taken).unwrap();
    let arguments = ["solve", "breakthrough:2x4", "--method", "retrograde", "--run-dir", "full"];
    let errors = refused(at, &arguments);
    assert!(errors.contains("W-P1-003"), "{errors}");
    std::fs::remove_dir(&taken).unwrap();
    ends(at, 0, &[&arguments[..], &["--resume"]].concat());
    crate::common::assert_same_files(
        &files(&at.join("full")),
        &files(&whole.path().join("run")),
        "after a failed write",
    );
    // The result itself does not fit.
    for arguments in [&["games"][..], &["--help"], &["solve", "-h"], &["--version"], &["man"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output =
            program().current_dir(at).args(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_no_panic(&output, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"), "{arguments:?}");
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = program().current_dir(at).args(["info", "x"]).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "the exit code must show an error that cannot be printed");
}

#[test]
fn paths_that_cannot_be_written_are_named() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    let at = dir.path();
    let before = files(at);
    for arguments in [
        &["export", "run", "--format", "csv", "--out", "absent/x.csv"][..],
        &["export", "run", "--format", "dot", "--out", "absent/x.csv"],
        &["plot", "run", "--out", "absent/x.svg"],
        &["plot", "run", "--csv", "absent/x.csv"],
        &["solve", "nim:2x3", "--engine", "table", "--out", "run/manifest.json/absent/x.csv"],
    ] {
        let errors = refused(at, arguments);
        assert!(errors.contains("absent"), "{arguments:?}: {errors}");
    }
    // There is a directory of that name.
    std::fs::create_dir(at.join("taken")).unwrap();
    for arguments in [
        &["export", "run", "--format", "csv", "--out", "taken"][..],
        &["solve", "nim:2x3", "--engine", "table", "--out", "taken"],
        &["query", "run", "start", "--plot", "taken"],
        &["plot", "run", "--csv", "taken"],
    ] {
        assert!(refused(at, arguments).contains("taken"), "{arguments:?}");
    }
    crate::common::assert_same_files(&files(at), &before, "after all these refusals");
}

/// A reader may close the pipe when it needs no more output, which causes neither an error nor a panic.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    for arguments in [
        &["games"][..],
        &["completions", "zsh"],
        &["stats", "run", "--json"],
        &["query", "run", "start"],
        &["--help"],
    ] {
        let mut child = program()
            .current_dir(dir.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output: Output = child.wait_with_output().unwrap();
        assert_no_panic(&output, arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// The time after which a program counts as one that does not end.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that reads standard input ends when its output is closed, even if its input goes on.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_what_reads_endless_input() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    for (line, arguments) in [
        ("help", &["play", "run"][..]),
        ("start", &["query", "run", "--batch"]),
        (r#"{"schema_version": 1, "ask": {"what": "about"}}"#, &["engine", "run"]),
    ] {
        let mut endless = std::process::Command::new("yes").arg(line).stdout(Stdio::piped()).spawn().unwrap();
        let input = endless.stdout.take().unwrap();
        let mut child = program()
            .current_dir(dir.path())
            .args(arguments)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if began.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let _ = endless.kill();
        endless.wait().unwrap();
        assert_eq!(status.and_then(|status| status.code()), Some(0), "{arguments:?}");
    }
}

/// JSON documents cannot contain names that are not UTF-8. Such an argument is refused before any work, and a solution with such a
/// name does not hide the others.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_refused_and_listed() {
    use std::os::unix::ffi::OsStrExt;
    let dir = with_run("nim:1x3", &["--method", "retrograde"]);
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff");
    std::fs::rename(dir.path().join("run"), dir.path().join(odd)).unwrap();
    ends(dir.path(), 0, &["solve", "nim:1x2", "--run-dir", "even"]);
    let listed = crate::common::program::json(dir.path(), &["list", "."]);
    let paths: Vec<&str> =
        listed["solutions"].as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths.len(), 2, "{listed}");
    assert!(paths.iter().any(|path| path.ends_with("odd\u{fffd}")), "{listed}");
    for arguments in [&["solve", "nim:1x3", "--run-dir"][..], &["query"]] {
        let output = program().current_dir(dir.path()).args(arguments).arg(odd).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not UTF-8 text"), "{arguments:?}");
    }
}
