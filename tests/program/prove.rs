//! Proofs by search in runs of a limited number of plies.

use std::collections::BTreeMap;
use std::path::Path;

use nerode_games::explicit::apply;
use nerode_games::{Game, Position};
use serde_json::Value;

use crate::common::program::{count, ends, json, refused, with_run};
use crate::common::{game, oracle};

/// Returns positions that random play reaches, at most one for each of `games`, as text.
fn sample(game: &dyn Game, games: u64) -> BTreeMap<String, Position> {
    let mut number = 1u64;
    let mut random = |below: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below.max(1)
    };
    let mut of_game = |plies: u64| {
        let mut position = game.start_position();
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let Some(mv) = moves.get(random(moves.len() as u64) as usize) else { break };
            position = Position { board: apply(&position.board, mv), side: position.side.other() };
        }
        (game.format_position(&position), position)
    };
    (0..games).map(|number| of_game(number % 9)).collect()
}

fn category(at: &Path, arguments: &[&str]) -> String {
    json(at, &[&["prove", "run"], arguments].concat())["category"].as_str().unwrap().to_string()
}

/// Wins, draws and losses are those of the plain rules, however few plies the sets have: in games with draws, with passes, without
/// symmetry of the sides, and with repeated positions.
#[test]
fn proved_values_are_those_of_the_plain_rules() {
    for (spec, plies) in [
        ("breakthrough:3x4", "3 --chains one"),
        ("tictactoe:3x3", "1"),
        ("breakthrough:3x4", "0"),
        ("breakthrough:3x4", "4"),
        ("connect:4x3,row=3", "2"),
        ("othello:4x3", "3"),
        ("nim:2x4", "1"),
        ("tictactoe:2x3,k=2,misere", "0"),
    ] {
        let options: Vec<&str> = plies.split(' ').collect();
        let dir = with_run(spec, &[&["--method", "retrograde", "--plies"], &options[..]].concat());
        let game = game(spec);
        let expected = oracle(game.as_ref());
        for (text, position) in sample(game.as_ref(), 6) {
            let value = expected.lookup(&position.board, position.side).unwrap().value().unwrap();
            let found = category(dir.path(), &[&text]);
            assert_eq!(found, format!("{value:?}").to_lowercase(), "{spec} after {plies} plies: {text}");
        }
    }
}

/// In a finished run, everything is a leaf, and in a game without an end only proofs without repetition are found, which are right.
#[test]
#[ignore = "slow: .ci/slow"]
fn repeated_positions_prove_nothing_wrong() {
    let whole = with_run("chess:KQvK", &["--method", "retrograde"]);
    let part = with_run("chess:KQvK", &["--method", "retrograde", "--plies", "12"]);
    let game = game("chess:KQvK");
    let (mut proved, mut open) = (0, 0);
    for (text, _) in sample(game.as_ref(), 20) {
        let value = category(whole.path(), &[&text]);
        match category(part.path(), &[&text, "--seconds", "0.2"]).as_str() {
            "unknown" => open += 1,
            found => {
                assert_eq!(found, value, "{text}");
                proved += 1;
            }
        }
    }
    assert!(proved > 0, "{proved} proved, {open} open");
}

#[test]
fn proofs_say_what_they_are_and_what_they_need() {
    let dir = with_run("breakthrough:4x4", &["--method", "retrograde", "--plies", "3"]);
    let at = dir.path();
    let text = ends(at, 0, &["prove", "run"]);
    assert!(text.contains("P1 to move: loss") && text.contains("sets of ply 3"), "{text}");
    let proof = json(at, &["prove", "run"]);
    assert_eq!((&proof["ply"], &proof["category"]), (&3.into(), &"loss".into()));
    assert!(count(&proof["nodes"]) > 0, "{proof}");
    assert!(refused(at, &["prove", "run", "nonsense"]).contains("'nonsense'"));
    assert!(refused(at, &["prove", "run", "--seconds", "0"]).contains("seconds"));
    let forward = with_run("connect:4x4", &["--method", "meet"]);
    assert!(refused(forward.path(), &["prove", "run"]).contains("a retrograde run"));
}

/// A certificate that `prove` writes is accepted by `prove --check`, and one with another value is not.
#[test]
fn certificates_are_written_and_checked() {
    let dir = with_run("breakthrough:4x4", &["--method", "retrograde", "--plies", "3"]);
    let at = dir.path();
    let text = ends(at, 0, &["prove", "run", "--certificate", "start.proof"]);
    assert!(text.contains("\ncertificate: start.proof, "), "{text}");
    assert!(refused(at, &["prove", "run", "--certificate", "start.proof"]).contains("--overwrite"));
    let written = json(at, &["prove", "run", "--certificate", "start.proof", "--overwrite"]);
    let checked = json(at, &["prove", "run", "--check", "start.proof"]);
    assert_eq!((&checked["category"], &checked["nodes"]), (&"loss".into(), &Value::Null));
    for field in ["positions", "choices", "leaves", "bytes", "mistake"] {
        assert_eq!(written["certificate"][field], checked["certificate"][field], "{field}");
    }
    assert!(count(&checked["certificate"]["choices"]) > 50, "{checked}");
    let text = ends(at, 0, &["prove", "run", "--check", "start.proof"]);
    assert!(text.contains("start.proof proves this: "), "{text}");

    let mut forged = std::fs::read(at.join("start.proof")).unwrap();
    let value = forged.windows(6).position(|bytes| bytes == b"\"loss\"").unwrap();
    forged.splice(value..value + 6, *b"\"win\"");
    let end = forged.len() - 32;
    let digest = blake3::hash(&forged[..end]);
    forged[end..].copy_from_slice(digest.as_bytes());
    std::fs::write(at.join("forged.proof"), forged).unwrap();
    let text = ends(at, 1, &["prove", "run", "--check", "forged.proof"]);
    assert!(text.contains("P1 to move: unknown") && text.contains("forged.proof proves nothing: "), "{text}");

    assert!(refused(at, &["prove", "run", "--check", "run/manifest.json"]).contains("a certificate"));
    assert!(refused(at, &["prove", "run", "--certificate", "-"]).contains("standard output"));
    assert!(refused(at, &["prove", "run", "start", "--check", "start.proof"]).contains("--check"));
}

/// A search that is kept in a file is continued, and other files are not replaced.
#[test]
fn searches_are_kept() {
    let dir = with_run("breakthrough:4x4", &["--method", "retrograde", "--plies", "1"]);
    let at = dir.path();
    let prove = |threads| json(at, &["prove", "run", "--search", "kept", "--threads", threads]);
    let (first, second) = (prove("1"), prove("2"));
    assert_eq!((&first["category"], &second["category"]), (&"loss".into(), &"loss".into()));
    assert!(2 * count(&second["nodes"]) < count(&first["nodes"]), "{first} {second}");
    assert!(refused(at, &["prove", "run", "--search", "run/manifest.json"]).contains("the file of a search"));
    assert!(refused(at, &["prove", "run", "--search", "-"]).contains("standard output"));
    assert!(refused(at, &["prove", "run", "--check", "kept"]).contains("a certificate"));
    assert!(refused(at, &["prove", "run", "--check", "kept", "--search", "kept"]).contains("--check"));
}
