//! Features that all commands share: the common fields of JSON documents, errors as JSON, and the options that
//! control the output.

use std::collections::BTreeSet;

use crate::common::program::{ends, run_program, with_run};
use crate::common::scratch;
use serde_json::Value;

/// Returns the exit code and standard error of a run, as lines of JSON.
fn lines(at: &std::path::Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let output = run_program(at, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    let parse =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {line}"));
    (output.status.code(), errors.lines().map(parse).collect())
}

#[test]
fn a_document_begins_with_version_command_and_game() {
    let dir = with_run("nim:2x3", &["--method", "retrograde"]);
    for (arguments, command) in [
        (&["info", "nim:2x3"][..], "info"),
        (&["query", "run", "start"], "query"),
        (&["stats", "run"], "stats"),
        (&["verify", "run"], "verify"),
        (&["compare", "run"], "compare"),
        (&["export", "run", "--format", "csv", "--out", "x.csv"], "export"),
        (&["reach", "nim:2x3"], "reach"),
        (&["order", "nim:2x3"], "order"),
    ] {
        let text = ends(dir.path(), 0, &[arguments, &["--json"]].concat());
        let frame =
            format!("{{\n  \"schema_version\": 1,\n  \"command\": \"{command}\",\n  \"game\": \"nim:2x3\"");
        assert!(text.starts_with(&frame), "{arguments:?}: {text}");
    }
    let text = ends(dir.path(), 0, &["games", "--json"]);
    assert!(text.starts_with("{\n  \"schema_version\": 1,\n  \"command\": \"games\",\n"), "{text}");
}

#[test]
fn errors_are_json_where_the_result_would_be() {
    let dir = scratch();
    for (arguments, command, part) in [
        (&["info", "breakthru:4x4", "--json"][..], "info", "breakthrough"),
        (&["--json", "query", "absent", "start"], "query", "absent"),
        (&["solve", "nim:2x2", "--json", "--threads", "0"], "solve", "--threads"),
        (&["solve", "--json"], "solve", "<GAME>"),
        (&["--json", "solve", "nim:2x2", "--plise", "3"], "solve", "--plise"),
    ] {
        let (code, said) = lines(dir.path(), arguments);
        assert_eq!((code, said.len()), (Some(2), 1), "{arguments:?}: {said:?}");
        assert_eq!((&said[0]["schema_version"], &said[0]["command"]), (&1.into(), &command.into()));
        let error = &said[0]["error"];
        assert_eq!(error.as_object().unwrap().keys().collect::<BTreeSet<_>>().len(), 2, "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(part) && !message.contains('\n'), "{arguments:?}: {message}");
        assert!(!message.starts_with("error"), "{message}");
    }
    // Clap's tips are hints.
    let (_, said) = lines(dir.path(), &["solve", "nim:2x2", "--json", "--plise", "3"]);
    assert!(said[0]["error"]["hint"].as_str().unwrap().contains("--plies"), "{said:?}");
    let (code, said) = lines(dir.path(), &["--json"]);
    assert_eq!((code, &said[0]["command"]), (Some(2), &Value::Null), "{said:?}");
    // Help is a result, not an error.
    assert!(ends(dir.path(), 0, &["--json", "--help"]).contains("Usage: nerode"));
    // Arguments after the dashes are not options.
    let output = run_program(dir.path(), &["info", "--", "--json"]);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "));
}

#[test]
fn progress_is_shown_as_asked() {
    let solve = |more: &[&str]| {
        let dir = scratch();
        let first = ["solve", "breakthrough:3x4", "--method", "retrograde", "--overwrite", "--run-dir", "r"];
        let output = run_program(dir.path(), &[&first[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{more:?}");
        assert!(!output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    // If standard error is not a terminal, short work is silent.
    for quiet in [&[][..], &["--progress", "none"], &["-q"], &["-q", "-v", "--progress", "none"][..1]] {
        assert_eq!(solve(quiet), "", "{quiet:?}");
    }
    for plain in [&["--progress", "plain"][..], &["-v"], &["--verbose"]] {
        let text = solve(plain);
        assert!(text.lines().count() > 5, "one line per ply: {text}");
        assert!(text.contains("] retrograde ply 3, ") && text.contains(" states, "), "{text}");
        assert!(text.contains("memory") && !text.contains('\x1b'), "{text}");
    }
    for json in [&["--progress", "json"][..], &["-v", "--json"]] {
        let text = solve(json);
        let steps: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let plies: Vec<u64> = steps.iter().filter_map(|step| step["progress"]["ply"].as_u64()).collect();
        assert!(plies.len() > 5 && plies.is_sorted(), "{text}");
        assert!(steps.iter().all(|step| step["command"] == "solve" && step["schema_version"] == 1), "{text}");
        let counted = steps.iter().filter(|step| step["progress"]["event"] == "ply");
        assert!(
            counted.clone().count() > 5
                && counted.clone().all(|ply| ply["progress"]["positions"].is_string()),
            "{text}"
        );
    }
    let dir = scratch();
    assert_eq!(run_program(dir.path(), &["games", "-q", "-v"]).status.code(), Some(2), "quiet or verbose");
    assert_eq!(run_program(dir.path(), &["games", "--progress", "loud"]).status.code(), Some(2));
}

#[test]
fn quiet_leaves_the_result_and_errors() {
    let dir = scratch();
    let solve = ["solve", "nim:2x2", "--resume"];
    let loud = run_program(dir.path(), &solve);
    assert!(String::from_utf8_lossy(&loud.stderr).contains("note: runs/nim_2x2 contains no run"));
    let quiet = run_program(dir.path(), &[&solve[..], &["--run-dir", "other", "--quiet"]].concat());
    assert!(quiet.stderr.is_empty() && !quiet.stdout.is_empty());
    let wrong = run_program(dir.path(), &["info", "nim:0x0", "-q"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).starts_with("error: "));
}

#[test]
fn colours_come_when_asked_for() {
    let dir = scratch();
    let errors = |more: &[&str]| {
        let output = run_program(dir.path(), &[&["info", "nim:0x0"], more].concat());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(errors(&["--color", "always"]).starts_with("\x1b[1;31merror\x1b[0m: "));
    assert!(errors(&["--color=never"]).starts_with("error: ") && errors(&[]).starts_with("error: "));
    let usage = |color: &str| {
        let output = run_program(dir.path(), &["info", color]);
        String::from_utf8(output.stderr).unwrap().contains('\x1b')
    };
    assert!(usage("--color=always") && !usage("--color=never"));
}

/// Common options take one line each in every help text, and no more.
#[test]
fn options_of_all_commands_are_short() {
    let dir = scratch();
    let help = ends(dir.path(), 0, &["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    for name in names {
        for ask in ["-h", "--help"] {
            let text = ends(dir.path(), 0, &[name, ask]);
            let options = text.split("Output options:\n").nth(1).unwrap();
            let options = options.split("\nExamples:\n").next().unwrap();
            let lines = options.lines().filter(|line| !line.trim().is_empty());
            assert!(lines.count() <= if ask == "-h" { 5 } else { 10 }, "{name} {ask}: {options}");
        }
    }
    let stats = ends(dir.path(), 0, &["stats", "--help"]);
    assert_eq!(stats.matches("runs of sets").count(), 1, "{stats}");
}
