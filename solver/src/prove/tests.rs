//! Certificates of games that the oracle solves, too.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chacha20::ChaCha12Rng;
use nerode_games::explicit::apply;
use nerode_games::{Game, Position, Side, Value, registry};
use nerode_oracle::{Control, ExplicitTable, solve as solve_explicitly};
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;

use super::certificate::{Choices, Header};
use super::decided::Decided;
use super::*;
use crate::archive::files::{Hashing, write_atomic};
use crate::archive::run_dir::Request;
use crate::archive::stored_run::StoredRun;
use crate::depth::Deadline;
use crate::error::Error;
use crate::run::{Existing, solve};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// A run of the given number of plies.
fn run_of(spec: &str, plies: u32) -> (TempDir, StoredRun) {
    let dir = tempfile::tempdir().unwrap();
    let game = registry::open(spec).unwrap();
    let request = Request::new(game.as_ref(), Method::Retrograde, Some(plies), None);
    solve(Arc::clone(&game), request, dir.path(), Existing::Refuse, &Resources::default(), &mut |_| ())
        .unwrap();
    let run = StoredRun::open(dir.path()).unwrap();
    (dir, run)
}

fn oracle(game: &dyn Game) -> ExplicitTable {
    let control =
        Control { memory_limit: u64::MAX, interrupt: &AtomicBool::new(false), progress: &mut |_, _| () };
    solve_explicitly(game, &game.spec(), control).unwrap()
}

/// Writes a certificate with the given choices.
fn forge(path: &Path, run: &StoredRun, position: &Position, value: Value, choices: &[usize]) {
    let header = Header::new(run.game.as_ref(), position, value, run.last_ply());
    write_atomic(path, |file| {
        let mut out = Hashing::new(file);
        header.write_to(&mut out, path)?;
        let mut written = Choices::new(&mut out).unwrap();
        choices.iter().for_each(|&choice| written.put(choice).unwrap());
        written.finish().unwrap();
        out.finish().unwrap();
        Ok(())
    })
    .unwrap();
}

/// Returns the start, and positions that random play reaches.
fn positions(game: &dyn Game) -> Vec<Position> {
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let mut positions = vec![game.start_position()];
    for plies in 0..6 {
        let mut position = game.start_position();
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = &moves[rng.random_range(0..moves.len())];
            let board = nerode_games::explicit::apply(&position.board, mv);
            position = Position { board, side: position.side.other() };
        }
        positions.push(position);
    }
    positions
}

const GAMES: [(&str, u32); 7] = [
    ("breakthrough:3x4", 1),
    ("tictactoe:3x3", 1),
    ("connect:4x3,row=3", 2),
    ("othello:4x3", 3),
    ("nim:2x4", 1),
    ("tictactoe:2x3,k=2,misere", 0),
    ("breakthrough:3x4", 30),
];

#[test]
fn certificates_of_right_values_are_accepted() {
    for (spec, plies) in GAMES {
        let (dir, run) = run_of(spec, plies);
        let (game, path) = (run.game.as_ref(), dir.path().join("certificate"));
        let table = oracle(game);
        for (number, position) in positions(game).into_iter().enumerate() {
            let resources = Resources { threads: 1 + number % 3, ..Resources::default() };
            let target = Target { path: &path, overwrite: true };
            let proving = Proving {
                resources: &resources,
                deadline: Deadline::NEVER,
                certificate: Some(target),
                kept: None,
            };
            let proved = prove(&run, &position, proving, &mut |_| ()).unwrap();
            let expected = table.lookup(&position.board, position.side).unwrap().value();
            assert_eq!(proved.value, expected, "{spec} {}", game.format_position(&position));
            let checked = check_certificate(&run, &path, &resources, &mut |_| ()).unwrap();
            assert_eq!((Some(checked.value), checked.mistake), (expected, None), "{spec}");
            assert_eq!((Some(checked.size), checked.position), (proved.strategy, position), "{spec}");
        }
    }
}

/// Without memory, every letter is looked up alone.
#[test]
fn joined_letters_change_no_value() {
    let mut grown = 0;
    for (spec, plies) in GAMES {
        let (_dir, run) = run_of(spec, plies);
        let (game, table) = (run.game.as_ref(), oracle(run.game.as_ref()));
        let [plain, joined] = [0, u64::MAX].map(|memory| {
            let resources = Resources { memory, ..Resources::default() };
            Decided::at(&run, run.last_ply(), &resources).unwrap()
        });
        assert_eq!(plain.bytes(), joined.bytes(), "{spec}");
        grown += usize::from(joined.bytes_in_memory() > plain.bytes_in_memory());
        for position in positions(game) {
            let value = plain.value(&position.board, position.side);
            assert_eq!(joined.value(&position.board, position.side), value, "{spec}");
            let expected = table.lookup(&position.board, position.side).unwrap().value();
            assert!(value.is_none() || value == expected, "{spec}");
        }
    }
    assert!(grown > 0, "no letters were joined");
}

/// The table of this search grows several times, and all threads return to the start for it.
#[test]
fn threads_find_the_same_value() {
    let (dir, run) = run_of("breakthrough:4x5", 3);
    let path = dir.path().join("certificate");
    let start = run.game.start_position();
    for threads in [1, 2, 5] {
        let resources = Resources { threads, ..Resources::default() };
        let target = Target { path: &path, overwrite: true };
        let proving = Proving {
            resources: &resources,
            deadline: Deadline::NEVER,
            certificate: Some(target),
            kept: None,
        };
        let mut filled = 0;
        let proved = prove(&run, &start, proving, &mut |now| filled = filled.max(now.table.0)).unwrap();
        // Paper 004, table 3: the second player wins.
        assert_eq!(proved.value, Some(Value::Loss), "{threads} threads");
        assert!(filled > 1 << 15, "{filled} entries");
        assert_eq!(
            check_certificate(&run, &path, &resources, &mut |_| ()).unwrap().mistake,
            None,
            "{threads} threads"
        );
    }
}

/// A search that is kept continues where it was stopped, and finds the same value.
#[test]
fn searches_are_continued() {
    let (dir, run) = run_of("breakthrough:4x5", 3);
    let (kept, start) = (dir.path().join("search"), run.game.start_position());
    let search = |interrupt: bool, kept: Option<&Path>| {
        let resources = Resources::default();
        let proving = Proving { resources: &resources, deadline: Deadline::NEVER, certificate: None, kept };
        let mut visited = 0;
        let proved = prove(&run, &start, proving, &mut |now| {
            visited = now.nodes;
            resources.interrupt.store(interrupt && visited > 100_000, Ordering::Relaxed);
        });
        (proved, visited)
    };
    let (whole, all) = search(false, None);
    let (stopped, first) = search(true, Some(&kept));
    let (continued, rest) = search(false, Some(&kept));
    assert!(matches!(stopped, Err(Error::Interrupted)));
    assert_eq!((whole.unwrap().value, continued.unwrap().value), (Some(Value::Loss), Some(Value::Loss)));
    assert!(first > 100_000 && rest < all - first / 2, "{all} positions, or {first} and {rest}");
}

/// The proof that one side wins the start also answers for the moves that the other side may try.
#[test]
fn kept_proofs_answer_for_later_positions() {
    let (dir, run) = run_of("breakthrough:4x5", 3);
    let (kept, resources) = (dir.path().join("search"), Resources::default());
    let proving =
        Proving { resources: &resources, deadline: Deadline::NEVER, certificate: None, kept: Some(&kept) };
    let game = run.game.as_ref();
    let start = game.start_position();
    let whole = prove(&run, &start, proving, &mut |_| ()).unwrap();
    assert_eq!(whole.value, Some(Value::Loss));
    let mut moves = Vec::new();
    game.legal_moves(&start.board, start.side, &mut moves);
    for mv in &moves {
        let after = Position { board: apply(&start.board, mv), side: start.side.other() };
        let proved = prove(&run, &after, proving, &mut |_| ()).unwrap();
        assert_eq!((proved.value, proved.nodes), (Some(Value::Win), 0));
    }
    let path = dir.path().join("certificate");
    let after = Position { board: apply(&start.board, &moves[0]), side: start.side.other() };
    let target = Target { path: &path, overwrite: true };
    let proved = prove(&run, &after, Proving { certificate: Some(target), ..proving }, &mut |_| ()).unwrap();
    let checked = check_certificate(&run, &path, &resources, &mut |_| ()).unwrap();
    assert_eq!((proved.value, checked.value, checked.mistake), (Some(Value::Win), Value::Win, None));
}

#[test]
fn kept_searches_remember_draws_and_refuse_other_files() {
    let (dir, run) = run_of("tictactoe:3x3", 1);
    let (kept, resources) = (dir.path().join("search"), Resources::default());
    let (game, table) = (run.game.as_ref(), oracle(run.game.as_ref()));
    let proving =
        Proving { resources: &resources, deadline: Deadline::NEVER, certificate: None, kept: Some(&kept) };
    let mut draws = 0;
    for position in positions(game) {
        for _ in 0..2 {
            let value = prove(&run, &position, proving, &mut |_| ()).unwrap().value;
            assert_eq!(value, table.lookup(&position.board, position.side).unwrap().value());
            draws += u32::from(value == Some(Value::Draw));
        }
    }
    assert!(draws > 0);
    let start = game.start_position();
    let whole = std::fs::read(&kept).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        for bytes in [&damaged[..], &whole[..at]] {
            std::fs::write(&kept, bytes).unwrap();
            let error = prove(&run, &start, proving, &mut |_| ()).unwrap_err();
            assert!(matches!(error, Error::Corrupt { .. } | Error::OtherContents { .. }), "{at}: {error}");
            // The file is not replaced.
            assert_eq!(std::fs::read(&kept).unwrap(), bytes);
        }
    }
    std::fs::write(&kept, &whole).unwrap();
    let (_other, other) = run_of("breakthrough:3x4", 1);
    let start = other.game.start_position();
    assert!(matches!(prove(&other, &start, proving, &mut |_| ()), Err(Error::Mismatch { .. })));
}

/// A certificate of a wrong value is refused, with any choices.
#[test]
fn certificates_of_wrong_values_are_refused() {
    let mut rng = ChaCha12Rng::seed_from_u64(2);
    let mut refused = 0;
    for (spec, plies) in GAMES {
        let (dir, run) = run_of(spec, plies);
        let (game, path) = (run.game.as_ref(), dir.path().join("certificate"));
        let (table, resources) = (oracle(game), Resources::default());
        for position in positions(game) {
            let value = table.lookup(&position.board, position.side).unwrap().value().unwrap();
            for wrong in [Value::Win, Value::Draw, Value::Loss].into_iter().filter(|&wrong| wrong != value) {
                for _ in 0..8 {
                    let choices: Vec<usize> = (0..5000).map(|_| rng.random_range(0..4)).collect();
                    forge(&path, &run, &position, wrong, &choices);
                    let mistake = check_certificate(&run, &path, &resources, &mut |_| ()).unwrap().mistake;
                    // That choices are left over would not be the mistake of a strategy.
                    let is_wrong = mistake.is_some_and(|mistake| !mistake.contains("goes on after"));
                    assert!(is_wrong, "{spec} {} {wrong:?}", game.format_position(&position));
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

/// Play that repeats a position does not prove a win.
#[test]
fn certificates_of_wins_come_to_an_end() {
    let (dir, run) = run_of("chess:KQvK", 2);
    let (game, path) = (run.game.as_ref(), dir.path().join("certificate"));
    let mut repeats = 0;
    for position in positions(game).into_iter().filter(|position| position.side == Side::P1) {
        for choice in 0..4 {
            forge(&path, &run, &position, Value::Win, &[choice; 20_000]);
            let mistake =
                check_certificate(&run, &path, &Resources::default(), &mut |_| ()).unwrap().mistake.unwrap();
            assert!(!mistake.contains("goes on after"), "{mistake}");
            repeats += u32::from(mistake.contains("occurs again"));
        }
    }
    assert!(repeats > 0);
}

#[test]
fn damaged_and_foreign_certificates_are_errors() {
    let (dir, run) = run_of("breakthrough:3x4", 3);
    let (path, resources) = (dir.path().join("certificate"), Resources::default());
    let target = Target { path: &path, overwrite: false };
    let proving =
        Proving { resources: &resources, deadline: Deadline::NEVER, certificate: Some(target), kept: None };
    let start = run.game.start_position();
    let proved = prove(&run, &start, proving, &mut |_| ()).unwrap();
    let whole = std::fs::read(&path).unwrap();
    // Every flipped bit, and every length.
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, damaged).unwrap();
        let error = check_certificate(&run, &path, &resources, &mut |_| ()).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. } | Error::OtherContents { .. }), "{at}: {error}");
        std::fs::write(&path, &whole[..at]).unwrap();
        let error = check_certificate(&run, &path, &resources, &mut |_| ()).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. } | Error::OtherContents { .. }), "{at}: {error}");
    }
    // No choices, and one that is not a move.
    let value = proved.value.unwrap();
    forge(&path, &run, &start, value, &[]);
    assert!(
        check_certificate(&run, &path, &resources, &mut |_| ())
            .unwrap_err()
            .to_string()
            .contains("ends before")
    );
    forge(&path, &run, &start, value, &[1 << 20]);
    assert!(
        check_certificate(&run, &path, &resources, &mut |_| ())
            .unwrap()
            .mistake
            .unwrap()
            .contains("no move number")
    );
    // A run that is solved further still contains the sets, and another game refuses the file.
    std::fs::write(&path, &whole).unwrap();
    let (_further, longer) = run_of("breakthrough:3x4", 6);
    assert_eq!(check_certificate(&longer, &path, &resources, &mut |_| ()).unwrap().mistake, None);
    let (_other, other) = run_of("breakthrough:4x4", 1);
    assert!(matches!(check_certificate(&other, &path, &resources, &mut |_| ()), Err(Error::Mismatch { .. })));
    // The file exists.
    assert!(matches!(prove(&run, &start, proving, &mut |_| ()), Err(Error::Io { .. })));
    // The positions do not fit into memory.
    let little = Resources { memory: 1, ..Resources::default() };
    std::fs::write(&path, &whole).unwrap();
    assert!(matches!(check_certificate(&run, &path, &little, &mut |_| ()), Err(Error::TooLarge { .. })));
}
