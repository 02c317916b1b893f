//! Compares the solver for reached positions on disk with the one in memory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use nerode_games::registry::{families, open};
use nerode_games::{CellChange, ExplicitGame, Move, Side, Value};
use nerode_oracle::{
    Error, ReachedControl, ReachedRows, ReachedStats, Scratch, ScratchFile, Step, solve_reached,
    solve_reached_rows,
};

/// Scratch files in memory, which fail after a number of operations.
struct Files {
    left: Arc<AtomicI64>,
}

struct Bytes {
    bytes: Mutex<Vec<u8>>,
    left: Arc<AtomicI64>,
}

impl Files {
    fn failing_after(operations: i64) -> Self {
        Self { left: Arc::new(AtomicI64::new(operations)) }
    }

    fn reliable() -> Self {
        Self::failing_after(i64::MAX)
    }
}

fn operate(left: &AtomicI64) -> io::Result<()> {
    if left.fetch_sub(1, Ordering::Relaxed) > 0 { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
}

impl Scratch for Files {
    fn create(&self) -> io::Result<Box<dyn ScratchFile>> {
        operate(&self.left)?;
        Ok(Box::new(Bytes { bytes: Mutex::default(), left: Arc::clone(&self.left) }))
    }
}

impl ScratchFile for Bytes {
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        operate(&self.left)?;
        let (mut all, at) = (self.bytes.lock().unwrap(), at as usize);
        if all.len() < at + bytes.len() {
            all.resize(at + bytes.len(), 0);
        }
        all[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        operate(&self.left)?;
        let (all, at) = (self.bytes.lock().unwrap(), at as usize);
        let found = all.get(at..at + bytes.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(found);
        Ok(())
    }
}

/// The statistics and the bytes of a list of positions.
type Solved = (ReachedStats, Vec<u8>);

fn listed(rows: ReachedRows) -> Solved {
    let stats = rows.stats().clone();
    let mut bytes = Vec::new();
    rows.write(&mut bytes, &mut |_| true).unwrap();
    (stats, bytes)
}

type Starts<'a> = &'a [(Vec<u8>, Side)];

fn in_memory(game: &(dyn ExplicitGame + Sync), starts: Starts<'_>) -> Solved {
    let (interrupt, progress) = (AtomicBool::new(false), &mut |_| ());
    let control =
        ReachedControl { memory_limit: 1 << 30, most_positions: None, interrupt: &interrupt, progress };
    listed(solve_reached(game, "the game", &mut starts.iter().cloned(), control).unwrap().into_rows())
}

/// Solves within a memory limit. Returns the rows, and whether the solve continued on disk.
fn rows(
    game: &(dyn ExplicitGame + Sync),
    starts: Starts<'_>,
    files: &Files,
    (memory_limit, threads): (u64, usize),
) -> Result<(ReachedRows, bool), Error> {
    let interrupt = AtomicBool::new(false);
    let mut is_on_disk = false;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let solved = pool.install(|| {
        let control = ReachedControl {
            memory_limit,
            most_positions: None,
            interrupt: &interrupt,
            progress: &mut |step| is_on_disk |= step == Step::OnDisk,
        };
        solve_reached_rows(game, "the game", &mut starts.iter().cloned(), files, control)
    })?;
    Ok((solved, is_on_disk))
}

fn on_disk(game: &(dyn ExplicitGame + Sync), starts: Starts<'_>, memory: u64, threads: usize) -> Solved {
    let (solved, is_on_disk) = rows(game, starts, &Files::reliable(), (memory, threads)).unwrap();
    assert!(is_on_disk);
    listed(solved)
}

#[test]
fn every_small_game_has_the_same_positions_on_disk_and_in_memory() {
    for spec in families().iter().flat_map(|family| family.small) {
        let game = open(spec).unwrap();
        let expected = in_memory(game.as_ref(), &[]);
        // Codes take four bytes of memory each, and half of the memory is left for them.
        let least = 8 * expected.0.num_positions();
        // The search goes to disk at its first check, or when it has found most positions.
        for memory in [1, 1 << 12, least] {
            match rows(game.as_ref(), &[], &Files::reliable(), (memory, 2)) {
                Ok((solved, is_on_disk)) => {
                    assert!(is_on_disk || memory > least, "{spec} within {memory} bytes");
                    let found = listed(solved);
                    assert!(found == expected, "{spec} within {memory} bytes: {:?}", found.0);
                }
                Err(Error::TooLarge { .. }) if memory < least => {}
                Err(error) => panic!("{spec} within {memory} bytes: {error}"),
            }
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    for spec in ["tictactoe:3x3", "breakthrough:3x4", "chess:KRvK,board=4x4"] {
        let game = open(spec).unwrap();
        let expected = in_memory(game.as_ref(), &[]);
        let memory = 8 * expected.0.num_positions();
        for threads in 1..=3 {
            assert!(on_disk(game.as_ref(), &[], memory, threads) == expected, "{spec}, {threads} threads");
        }
    }
}

#[test]
fn starts_of_several_plies_are_searched_on_disk() {
    let game = open("connect:4x3,row=3").unwrap();
    let all: Vec<(Vec<u8>, Side)> = {
        let (mut found, mut moves) = (vec![game.start()], Vec::new());
        for at in 0..200 {
            let (board, side): (Vec<u8>, Side) = found[at].clone();
            moves.clear();
            game.legal_moves(&board, side, &mut moves);
            found.extend(moves.iter().map(|mv| (nerode_games::explicit::apply(&board, mv), side.other())));
        }
        found
    };
    for starts in [&all[..], &all[100..103], &all[..2]] {
        let expected = in_memory(game.as_ref(), starts);
        let memory = 8 * expected.0.num_positions();
        assert!(on_disk(game.as_ref(), starts, memory, 2) == expected);
    }
}

#[test]
fn every_failure_of_a_file_ends_in_an_error() {
    for spec in ["tictactoe:3x2", "breakthrough:2x4", "nim:2x3"] {
        let game = open(spec).unwrap();
        let least = 8 * in_memory(game.as_ref(), &[]).0.num_positions();
        let mut failures = 0;
        for operations in (0..).map(|number: i64| number * number) {
            let files = Files::failing_after(operations);
            let solved = match rows(game.as_ref(), &[], &files, (least, 2)) {
                Ok((solved, is_on_disk)) => {
                    assert!(is_on_disk, "{spec}");
                    solved.write(&mut io::sink(), &mut |_| true).map_err(|e| e.kind())
                }
                Err(Error::Disk { kind, .. }) => Err(kind),
                Err(other) => panic!("{spec}: {other}"),
            };
            match solved {
                Ok(()) => break,
                Err(kind) => assert_eq!(kind, io::ErrorKind::StorageFull, "{spec}"),
            }
            failures += 1;
        }
        assert!(failures > 10, "{spec}: {failures} failures");
    }
}

#[test]
fn limits_and_interruptions_end_in_errors_on_disk_too() {
    let game = open("breakthrough:3x4").unwrap();
    let count = in_memory(game.as_ref(), &[]).0.num_positions();
    let solve = |memory_limit, most_positions, interrupt_after: Option<u32>| {
        let interrupt = AtomicBool::new(false);
        let mut steps = 0;
        let mut progress = |step| {
            steps += u32::from(steps > 0 || step == Step::OnDisk);
            interrupt.store(interrupt_after.is_some_and(|after| steps > after), Ordering::Relaxed);
        };
        let control =
            ReachedControl { memory_limit, most_positions, interrupt: &interrupt, progress: &mut progress };
        let files = Files::reliable();
        let starts = &mut std::iter::empty();
        let solved = solve_reached_rows(game.as_ref(), "the game", starts, &files, control);
        solved.map(|rows| (rows.num_positions(), steps))
    };
    assert!(matches!(solve(8 * count, Some(count - 1), None), Err(Error::TooManyReached { .. })));
    let (found, steps) = solve(8 * count, Some(count), None).unwrap();
    assert_eq!(found, count);
    for after in 1..steps - 1 {
        assert!(matches!(solve(8 * count, None, Some(after)), Err(Error::Interrupted)), "{after}");
    }
    // Without room for codes, positions of a game that can repeat are not decided.
    let game = open("chess:KRvK,board=4x4").unwrap();
    let error = rows(game.as_ref(), &[], &Files::reliable(), (1 << 12, 2)).unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit_bytes: 4096, .. }), "{error}");
}

#[test]
fn writing_stops_when_asked() {
    let game = open("connect:4x4").unwrap();
    let (solution, is_on_disk) = rows(game.as_ref(), &[], &Files::reliable(), (1 << 20, 2)).unwrap();
    assert!(is_on_disk && solution.num_positions() > 1 << 16);
    let error = solution.write(&mut io::sink(), &mut |_| false).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::Interrupted);
}

/// A game that counts plies wrongly: its only cell goes from 0 to 3, but the board says that all plies are the first.
struct Miscounted;

impl ExplicitGame for Miscounted {
    fn cell_states(&self) -> &[u16] {
        &[4]
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (vec![0], Side::P1)
    }

    fn outcome(&self, board: &[u8], _: Side) -> Option<Value> {
        (board[0] == 3).then_some(Value::Loss)
    }

    fn legal_moves(&self, board: &[u8], _: Side, out: &mut Vec<Move>) {
        if board[0] < 3 {
            out.push(Move::from_slice(&[CellChange { cell: 0, after: board[0] + 1 }]));
        }
    }

    fn plies_played(&self, _: &[u8]) -> Option<u32> {
        Some(0)
    }
}

#[test]
fn plies_that_are_counted_wrongly_are_an_error() {
    let error = rows(&Miscounted, &[], &Files::reliable(), (1, 1)).unwrap_err();
    assert!(matches!(&error, Error::Rules { reason, .. } if reason.contains("plies")), "{error}");
}
