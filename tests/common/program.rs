//! Runs the program as a process and parses its output.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Returns a command for the program, which has not been started.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_nerode"))
}

/// Runs the program with some arguments in `at` until it exits. It must not panic, regardless of the arguments.
pub fn run_program(at: &Path, arguments: &[&str]) -> Output {
    let output = program().current_dir(at).args(arguments).output().unwrap();
    assert_no_panic(&output, arguments);
    output
}

/// Asserts that the program did not panic and was not killed.
pub fn assert_no_panic(output: &Output, arguments: &[&str]) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
    assert!(output.status.code().is_some(), "{arguments:?}: ended by a signal; {errors}");
}

/// Returns the standard output of a run, which must exit with `code`.
pub fn ends(at: &Path, code: i32, arguments: &[&str]) -> String {
    let output = run_program(at, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the JSON document printed by a successful run. Without `--json`, the same command prints text that is not JSON.
pub fn json(at: &Path, arguments: &[&str]) -> Value {
    let text = ends(at, 0, &[arguments, &["--json"]].concat());
    assert!(text.ends_with('\n'), "{arguments:?}: no line break at the end");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{text}"))
}

/// Returns the errors of a run that must be rejected without printing a result.
pub fn refused(at: &Path, arguments: &[&str]) -> String {
    let output = run_program(at, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?} prints a result");
    // Notes come first: a deprecated command name, or the estimated cost of a solve, which has several lines.
    let notes = errors.starts_with("note: ");
    let first = errors.lines().find(|line| !notes || line.starts_with("error: "));
    assert!(first.is_some_and(|line| line.starts_with("error: ")), "{arguments:?}: {errors}");
    errors
}

/// Returns the first document of a command that does not terminate.
pub fn first_document(at: &Path, arguments: &[&str]) -> Value {
    let mut child = program().current_dir(at).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let said = serde_json::Deserializer::from_reader(child.stdout.take().unwrap());
    let document = said.into_iter().next().unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    document
}

pub fn assert_fields(value: &Value, names: &[&str], what: &str) {
    let fields = value.as_object().unwrap_or_else(|| panic!("{what} is not an object: {value}"));
    for name in names {
        assert!(fields.contains_key(*name), "{what} has no field {name}: {value}");
    }
}

/// Parses a count. Counts are decimal strings, because JSON readers lose digits of large numbers.
pub fn count(value: &Value) -> u128 {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).parse().unwrap()
}

pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// Solves a game into the run `run` of a temporary directory.
pub fn with_run(spec: &str, options: &[&str]) -> TempDir {
    let dir = super::scratch();
    ends(dir.path(), 0, &[&["solve", spec, "--run-dir", "run"], options].concat());
    dir
}

/// Returns the number of boards with `points` points in a sector named as in `4-3-0-0`.
pub fn num_boards(points: u128, sector: &Value) -> u128 {
    let binomial = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let stones: Vec<u128> = sector.as_str().unwrap().split('-').map(|n| n.parse().unwrap()).collect();
    binomial(points, stones[0]) * binomial(points - stones[0], stones[1])
}
