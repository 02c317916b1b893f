//! The advice of the program if a request is impossible, or is possible only in another way.

use std::fs;
use std::path::Path;

use crate::common::program::{ends, refused, run_program, with_run};
use crate::common::{edit_manifest, scratch};

/// Returns the complete output of a command that is rejected.
fn said(at: &Path, arguments: &[&str]) -> String {
    refused(at, arguments);
    String::from_utf8(run_program(at, arguments).stderr).unwrap()
}

#[test]
fn more_threads_than_the_cores_can_use_are_not_begun() {
    let dir = scratch();
    let begun = run_program(dir.path(), &["solve", "breakthrough:3x4", "--threads", "1024"]);
    let said = String::from_utf8(begun.stderr).unwrap();
    assert!(begun.status.success() && said.contains("threads are used"), "{said}");
    let begun = run_program(dir.path(), &["solve", "nim:2x2", "--threads", "2"]);
    assert!(!String::from_utf8(begun.stderr).unwrap().contains("threads are used"));
}

#[test]
fn a_command_that_is_advised_can_be_pasted() {
    let dir = scratch();
    let run = "odd/$(touch pwned)";
    ends(dir.path(), 0, &["solve", "breakthrough:3x4", "--plies", "1", "--run-dir", run]);
    let said = said(dir.path(), &["export", run, "--format", "csv", "--out", "x.csv", "--set", "x"]);
    assert!(!said.contains("\"odd"), "{said}");
    let said = self::said(dir.path(), &["solve", "breakthrough:3x4", "--run-dir", run]);
    assert!(said.contains("'odd/$(touch pwned)'"), "{said}");
}

/// Advice names the directory or the game of the request, and no placeholder.
#[test]
fn advice_names_the_directory_and_the_game() {
    let dir = with_run("nim:2x3", &["--method", "meet"]);
    let at = dir.path();
    edit_manifest(&at.join("run"), |manifest| manifest["progress"]["finished"] = false.into());
    for arguments in
        [&["query", "run", "--so-far"][..], &["line", "run", "--so-far"], &["diff", "run", "run"]]
    {
        let said = said(at, arguments);
        assert!(
            said.contains("run: the run searches forward") && said.contains("'nerode resume run'"),
            "{said}"
        );
    }
    let endless = said(at, &["reach", "chess:KRvK", "--run-dir", "plies"]);
    assert!(endless.contains("'nerode solve chess:KRvK'"), "{endless}");
    let order = said(at, &["solve", "connect:4x4", "--order", "sideways"]);
    assert!(order.contains("rows") && !order.contains("GAME"), "{order}");
}

#[test]
fn what_is_a_path_and_no_game_is_called_one() {
    let dir = with_run("nim:2x2", &[]);
    fs::create_dir(dir.path().join("empty")).unwrap();
    for command in ["solve", "plan", "info", "estimate"] {
        let said = said(dir.path(), &[command, "no/where"]);
        assert!(
            said.contains("there is no such directory") && !said.contains("unknown game"),
            "{command}: {said}"
        );
    }
    for command in ["solve", "plan"] {
        let said = said(dir.path(), &[command, "run"]);
        assert!(
            said.contains("this is a directory with") && said.contains("nerode resume run"),
            "{command}: {said}"
        );
        let said = self::said(dir.path(), &[command, "empty"]);
        assert!(said.contains("this is a directory, not a game"), "{command}: {said}");
    }
    assert!(said(dir.path(), &["plan", "nine"]).contains("'morris:nine'"));
}

#[test]
fn numbers_that_cannot_be_are_told_with_those_that_can() {
    let dir = with_run("nim:2x2", &[]);
    for (command, helps) in [
        (&["verify", "run", "--sample", "0"][..], "not a whole number from 1 up"),
        (&["estimate", "nim:2x2", "--probe", "1e9"], "not a whole number from 1 to 86 400"),
        (&["solve", "nim:2x2", "--threads", "x"], "not a whole number from 1 to 1 024"),
        (&["solve", "nim:2x2", "--units=x"], "not a whole number from 1 to 4 294 967 295"),
        (&["serve", "run", "--port", "99999"], "not a whole number from 0 to 65 535"),
        (&["order", "nim:2x2", "--budget", "many"], "not a whole number from 0 to 4 294 967 295"),
        (&["verify", "run", "--seed", "1.5"], "not a whole number from 0 to 18 446 744 073 709 551 615"),
        (&["query", "run", "start", "--search-plies", "0"], "not a whole number from 1 to 60"),
        (&["diff", "run", "run", "--examples", "-"], "not a whole number from 0 to 1 000"),
    ] {
        let said = said(dir.path(), command);
        assert!(said.contains(helps), "{command:?}: {said}");
    }
}

#[test]
fn places_that_files_cannot_go_to_are_told() {
    let dir = with_run("nim:2x2", &[]);
    fs::write(dir.path().join("file"), "").unwrap();
    for (command, helps) in [
        (&["export", "run", "--format", "csv", "--out", "no/x.csv"][..], "create it with 'mkdir -p no'"),
        (&["export", "run", "--format", "sec", "--out", "x"], "the formats for runs are"),
        (&["export", "run", "--format", "csv", "--out", "run/x.csv"], "a directory without nerode data"),
    ] {
        let said = said(dir.path(), command);
        assert!(said.contains(helps), "{command:?}: {said}");
    }
    let note = run_program(dir.path(), &["query", "run", "start", "--moves"]);
    assert!(note.status.success() && String::from_utf8(note.stderr).unwrap().contains("always shown"));
}

#[test]
fn the_memory_that_would_be_enough_is_named() {
    let dir = scratch();
    // First the table is too large, then the program itself.
    for (game, cap, least) in [("breakthrough:4x4", "48MiB", 90), ("nim:3x7", "1000", 17)] {
        let said = said(dir.path(), &["solve", game, "--engine", "table", "--memory", cap, "--out", "x.tbl"]);
        let hint = said.split("raise --memory").nth(1).and_then(|rest| rest.split("MiB").next());
        let named =
            hint.and_then(|hint| hint.rsplit(' ').next()).and_then(|number| number.parse::<u32>().ok());
        assert!(named.is_some_and(|named| named >= least), "{game}: {said}");
    }
}

#[cfg(unix)]
mod stopped {
    use std::path::Path;
    use std::process::{Command, Output, Stdio};
    use std::time::Duration;

    use crate::common::program::with_run;
    use crate::common::scratch;

    /// Returns the output of a command that receives Ctrl-C soon after its start.
    fn stopped(at: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
        command.args(arguments).args(["--progress", "none"]).current_dir(at);
        let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        child.wait_with_output().unwrap()
    }

    #[test]
    fn a_solve_that_wrote_nothing_says_so() {
        let dir = scratch();
        let ended = stopped(dir.path(), &["solve", "breakthrough:6x6"]);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{said}");
        let is_written = dir.path().join("runs/breakthrough_6x6/manifest.json").exists();
        let hint = if is_written { "nerode resume" } else { "nothing was written yet" };
        assert!(said.contains(hint), "{said}");
    }

    #[test]
    fn a_sample_of_any_size_is_drawn_bit_by_bit() {
        let dir = with_run("breakthrough:3x4", &[]);
        let ended = stopped(dir.path(), &["verify", "run", "--sample", "99999999999"]);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{said}");
    }
}

/// While another process solves a run, nothing advises to resume it.
#[test]
fn a_run_in_progress_is_not_to_be_resumed() {
    let dir = with_run("breakthrough:2x5", &["--method", "retrograde", "--plies", "3"]);
    edit_manifest(&dir.path().join("run"), |manifest| manifest["progress"]["finished"] = false.into());
    let query = ["query", "run", "start"];
    assert!(said(dir.path(), &query).contains("'nerode resume run' resumes it"));
    let lock = fs::File::create(dir.path().join("run/lock")).unwrap();
    lock.lock().unwrap();
    let said = said(dir.path(), &query);
    assert!(said.contains("another process is working on it") && !said.contains("resumes it"), "{said}");
    let info = ends(dir.path(), 0, &["info", "run"]);
    assert!(info.contains("another process is writing here") && !info.contains("resume with"), "{info}");
}
