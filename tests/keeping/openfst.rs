//! Acceptors written by `export --format fst` and read by OpenFst: an independent minimiser must find nothing to merge, and must
//! count as many words as the run.

use std::path::Path;
use std::process::Command;

use crate::common::program::run_program;
use crate::common::{Plan, game, scratch, set_names, solve_in};
use nerode_dfa::Dfa;
use nerode_solver::archive::run_dir::RunDir;

/// Runs an OpenFst tool in `at`, or prints a note that it is missing.
fn tool(at: &Path, name: &str, arguments: &[&str]) -> Option<String> {
    match Command::new(name).args(arguments).current_dir(at).output() {
        Ok(output) => {
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: {name} is not installed (Debian: libfst-tools)");
            None
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Returns the number after `label` in the output of `fstinfo`.
fn info(at: &Path, file: &str, label: &str) -> Option<u128> {
    let text = tool(at, "fstinfo", &[file])?;
    let line = text.lines().find_map(|line| line.strip_prefix(label)).expect(label);
    Some(line.trim().parse().unwrap())
}

/// Counts the words of an acyclic acceptor in AT&T text, backwards from its final states.
fn count_paths(text: &str) -> u128 {
    let numbers =
        |line: &str| -> Vec<usize> { line.split_whitespace().map(|n| n.parse().unwrap()).collect() };
    let lines: Vec<Vec<usize>> = text.lines().map(numbers).collect();
    let states = lines.iter().flat_map(|line| line.iter().take(2)).max().map_or(0, |&n| n + 1);
    let mut paths = vec![0u128; states];
    let (mut arcs, mut start) = (vec![Vec::new(); states], None);
    for line in &lines {
        start.get_or_insert(line[0]);
        match line[..] {
            [state] => paths[state] += 1,
            [from, to, _] | [from, to, _, _] => arcs[from].push(to),
            _ => panic!("{line:?}"),
        }
    }
    // Every iteration moves the counts back by one arc, so they are final after as many iterations as there are layers.
    let finals = paths.clone();
    for _ in 0..states {
        let next: Vec<u128> =
            (0..states).map(|s| finals[s] + arcs[s].iter().map(|&to| paths[to]).sum::<u128>()).collect();
        if next == paths {
            break;
        }
        paths = next;
    }
    start.map_or(0, |start| paths[start])
}

/// Returns the number of states in the textbook form, where the accepting constant becomes one state for each layer from its
/// entry on.
fn written_states(dfa: &Dfa) -> u128 {
    use nerode_dfa::Target;
    let layers = dfa.shape().num_layers();
    let mut first = if dfa.is_full() { 0 } else { layers };
    for layer in (0..layers).rev() {
        for state in 0..dfa.num_states_in(layer) {
            for letter in 0..dfa.shape().num_letters(layer) {
                let target = dfa.target(layer, u32::try_from(state).unwrap(), u8::try_from(letter).unwrap());
                if target == Target::Accept {
                    first = first.min(layer + 1);
                }
            }
        }
    }
    (dfa.num_states() + layers + 1 - first) as u128
}

#[test]
fn exported_acceptors_are_minimal_for_openfst() {
    let mut compared = 0;
    for (spec, plan) in [
        ("nim:3x4", Plan::RETROGRADE),
        ("tictactoe:2x2,k=2", Plan::RETROGRADE),
        ("breakthrough:2x4", Plan::RETROGRADE),
        ("tictactoe:3x3", Plan::meet(Some(0), None)),
    ] {
        let dir = scratch();
        solve_in(&dir.path().join("run"), &game(spec), plan).unwrap();
        let run = RunDir::open(&dir.path().join("run")).unwrap();
        for name in set_names(&dir.path().join("run")) {
            let dfa = run.get(name).unwrap();
            // An empty acceptor has no start state in OpenFst. Sets that share a file are exported only once.
            if dfa.is_empty() || run.entry(name).unwrap().file() != format!("sets/{name}.dfa") {
                continue;
            }
            let (set, at) = (name.to_string(), dir.path());
            let arguments = ["export", "run", "--format", "fst", "--set", &set, "--out", "set.txt", "--json"];
            let output = run_program(at, &arguments);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let text = std::fs::read_to_string(at.join("set.txt")).unwrap();
            assert_eq!(count_paths(&text), dfa.count().unwrap(), "{spec} {name}: words of the text");
            assert_eq!(u128::from(result["rows"].as_u64().unwrap()), written_states(&dfa), "{spec} {name}");
            if tool(at, "fstcompile", &["--acceptor", "set.txt", "set.fst"]).is_none() {
                return;
            }
            if tool(at, "fstminimize", &["set.fst", "minimal.fst"]).is_none() {
                return;
            }
            let states = info(at, "set.fst", "# of states").unwrap();
            assert_eq!(states, written_states(&dfa), "{spec} {name}: states read");
            assert_eq!(
                info(at, "minimal.fst", "# of states"),
                Some(states),
                "{spec} {name}: states after minimising"
            );
            let printed = tool(at, "fstprint", &["--acceptor", "minimal.fst"]).unwrap();
            assert_eq!(count_paths(&printed), dfa.count().unwrap(), "{spec} {name}: words after minimising");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared} sets compared");
}

/// The empty set has no words and no start state, but it can still be written.
#[test]
fn the_empty_set_can_be_exported() {
    let dir = scratch();
    solve_in(&dir.path().join("run"), &game("nim:2x2"), Plan::RETROGRADE).unwrap();
    let arguments = ["export", "run", "--format", "fst", "--set", "W-P1-000", "--out", "set.txt"];
    let output = run_program(dir.path(), &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(count_paths(&std::fs::read_to_string(dir.path().join("set.txt")).unwrap()), 0);
}
