//! The same positions through every interface: library, `query`, `query --batch`, service, its batches, and `engine`. All
//! of them give the same evaluations, also of positions that a solution does not cover.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use chacha20::ChaCha8Rng;
use nerode::Position;
use nerode::games::Game;
use nerode::games::explicit::apply;
use nerode::games::outcome::ValueRange;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::families::encoded;
use crate::kinds::kinds;
use crate::service::Service;

/// The number of positions of each solution.
const POSITIONS: usize = 1000;
/// The number of them that are asked one by one of the service and of `query`.
const SINGLE: [usize; 2] = [50, 3];
/// What is compared. Missing fields are compared as well.
const FIELDS: [&str; 8] = ["category", "dtw", "dtw_at_most", "lower", "upper", "score", "rank", "distance"];

/// Returns positions of random games, in order of their text.
fn positions(game: &dyn Game) -> Vec<(String, Position)> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut texts, mut moves) = (BTreeMap::new(), Vec::new());
    for _ in 0..POSITIONS {
        let mut position = game.start_position();
        for _ in 0..random.random_range(0..40) {
            moves.clear();
            game.legal_moves(&position.board, position.side, &mut moves);
            let Some(mv) = moves.choose(&mut random) else { break };
            position = Position { board: apply(&position.board, mv), side: position.side.other() };
            texts.insert(game.format_position(&position).replace(' ', "_"), position.clone());
        }
    }
    texts.into_iter().take(POSITIONS).collect()
}

/// Returns a command of the program for a solution, which has not been started.
fn program(command: &str, dir: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_nerode"));
    program.arg(command).arg(dir);
    program
}

/// Returns the lines that a command prints for some input.
fn lines(mut command: Command, input: &str) -> Vec<Value> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let input = input.to_string();
    let writer = std::thread::spawn(move || to.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns what is compared.
fn fields(answer: &Value) -> Vec<Value> {
    FIELDS.iter().map(|field| answer[field].clone()).collect()
}

/// Compares the interfaces, and returns how many of the positions the solution does not cover but evaluates.
fn compare(service: &Service, dir: &Path) -> usize {
    let id = dir.file_name().unwrap().to_str().unwrap();
    let solution = nerode::open_solution(dir).unwrap();
    let positions = positions(solution.game());
    let (texts, positions): (Vec<String>, Vec<Position>) = positions.into_iter().unzip();
    let input: String = texts.iter().map(|text| format!("{text}\n")).collect();
    let batch_of = |options: &[&str]| {
        let mut command = program("query", dir);
        command.arg("--batch").args(options);
        command
    };
    let with_moves = lines(batch_of(&["--moves"]), &input);
    let engine: String = texts
        .iter()
        .map(|text| {
            format!("{}\n", json!({"schema_version": 1, "ask": {"what": "position", "position": text}}))
        })
        .collect();
    let engine = lines(program("engine", dir), &engine);
    let plain = lines(batch_of(&[]), &input);
    let batch = |query: &str| {
        let body = service.ask("POST", &format!("/api/v1/{id}{query}"), "", &input).body;
        let text = String::from_utf8(body).unwrap();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let (served, served_with_moves) = (batch(""), batch("?moves=true"));
    let evaluations = solution.query_many(&positions).unwrap();
    let mut inferred = 0;
    for (at, text) in texts.iter().enumerate() {
        let what = || format!("{id}: {text}");
        let known = fields(&plain[at]);
        assert_eq!(fields(&served[at]), known, "{}", what());
        let searched = fields(&with_moves[at]);
        // Depths that only a search finds are in the answers that list the moves.
        let has_search = !known[2].is_null();
        assert!(has_search || searched == known, "{}: {searched:?} and {known:?}", what());
        assert_eq!(searched[0], known[0], "{}", what());
        for other in [&served_with_moves[at], &engine[at]["answer"]] {
            assert_eq!(fields(other), searched, "{}: {other}", what());
        }
        if at % texts.len().div_ceil(SINGLE[0]) == 0 {
            let answer =
                service.document(&format!("/api/v1/{id}?position={}", encoded(&text.as_str().into())));
            assert_eq!(fields(&answer), searched, "{}: {answer}", what());
        }
        if at % texts.len().div_ceil(SINGLE[1]) == 0 {
            let output = program("query", dir).args([text, "--json", "--quiet"]).output().unwrap();
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(fields(&answer), searched, "{}: {answer}", what());
        }
        let evaluation = evaluations[at];
        assert_eq!(evaluation, solution.infer(&positions[at]).unwrap(), "{}", what());
        let word = evaluation.value().map(|value| value.to_string());
        assert!(word.is_none_or(|word| known[0] == word), "{}", what());
        inferred += usize::from(!evaluation.is_covered() && evaluation.range() != ValueRange::UNKNOWN);
    }
    inferred
}

#[test]
#[ignore = "slow: .ci/slow"]
fn solutions_of_every_kind_answer_alike_through_every_interface() {
    for kinds in kinds().chunks(6) {
        let service = Service::of(&kinds.iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
        for kind in kinds {
            compare(&service, &kind.path);
        }
    }
}

/// Stored bounds and the values after the moves decide positions that the sectors do not contain.
#[test]
fn what_a_solution_implies_is_answered_alike_through_every_interface() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name| folder.path().join(name);
    for (name, arguments) in [
        ("bounded", "solve morris:three --sector 3-3-0-0 --run-dir"),
        ("last", "solve breakthrough:3x4 --keep last --method retrograde --run-dir"),
    ] {
        let solve = Command::new(env!("CARGO_BIN_EXE_nerode"))
            .args(arguments.split(' '))
            .arg(at(name))
            .args(["--threads", "1", "--quiet"])
            .output()
            .unwrap();
        assert!(solve.status.success(), "{name}: {}", String::from_utf8_lossy(&solve.stderr));
    }
    let service = Service::of(&[&at("bounded"), &at("last")]);
    let before = compare(&service, &at("bounded"));
    assert!(before > 0, "the last placement leads into the sectors");
    compare(&service, &at("last"));
    let bounds = program("bounds", &at("bounded")).args(["--placements", "4", "--quiet"]).output().unwrap();
    assert!(bounds.status.success(), "{}", String::from_utf8_lossy(&bounds.stderr));
    drop(service);
    let service = Service::of(&[&at("bounded")]);
    assert!(compare(&service, &at("bounded")) > before);
    let start = service.document("/api/v1/bounded");
    assert_eq!(start["category"], "win", "as the bounds of all first moves imply");
}
