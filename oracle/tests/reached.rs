//! Compares the solver for reached positions with tables of all boards, on the small games of the registry.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nerode_games::explicit::apply;
use nerode_games::registry::{families, open};
use nerode_games::{CellChange, ExplicitGame, Game, Move, Side, Value};
use nerode_oracle::{
    Control, Error, ReachedControl, ReachedSolution, Step, solve, solve_reached, solve_scores,
};

/// Limits for a test: memory, positions, and whether it is interrupted.
struct Limits(u64, Option<u64>, bool);

const AMPLE: Limits = Limits(1 << 30, None, false);

fn reached(game: &dyn Game, threads: usize, limits: &Limits) -> Result<ReachedSolution, Error> {
    let interrupt = AtomicBool::new(limits.2);
    let mut last = None;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let solution = pool.install(|| {
        let control = ReachedControl {
            memory_limit: limits.0,
            most_positions: limits.1,
            interrupt: &interrupt,
            progress: &mut |step| last = Some(step),
        };
        solve_reached(game, &game.spec(), &mut std::iter::empty(), control)
    })?;
    assert!(matches!(last, Some(Step::Decide { done, total }) if done == total), "{last:?}");
    Ok(solution)
}

fn sorted(solution: ReachedSolution) -> Vec<u8> {
    let mut bytes = Vec::new();
    solution.into_rows().write(&mut bytes, &mut |_| true).unwrap();
    bytes
}

/// Returns the positions that play reaches with the numbers of their moves, by a search over whole boards.
fn searched(game: &dyn Game) -> HashMap<(Vec<u8>, Side), usize> {
    let mut found = HashMap::new();
    let mut left = vec![game.start()];
    while let Some((board, side)) = left.pop() {
        if found.contains_key(&(board.clone(), side)) {
            continue;
        }
        let mut moves = Vec::new();
        game.legal_moves(&board, side, &mut moves);
        left.extend(moves.iter().map(|mv| (apply(&board, mv), side.other())));
        found.insert((board, side), moves.len());
    }
    found
}

#[test]
fn every_reached_position_of_every_small_game_has_the_value_and_depth_of_the_table() {
    for spec in families().iter().flat_map(|family| family.small) {
        let game = open(spec).unwrap();
        let interrupt = AtomicBool::new(false);
        let control = Control { memory_limit: 1 << 30, interrupt: &interrupt, progress: &mut |_, _| () };
        let table = solve(game.as_ref(), spec, control).unwrap();
        let solution = reached(game.as_ref(), 2, &AMPLE).unwrap();
        let expected = searched(game.as_ref());
        assert_eq!(solution.num_positions(), expected.len() as u64, "{spec}");
        for (board, side) in expected.keys() {
            let found = solution.get(board, *side);
            assert_eq!(found, table.lookup(board, *side), "{spec}: {board:?} {side}");
        }
        assert_eq!(solution.stats().start, table.stats().start, "{spec}");
        // The rows are those positions once each, in ascending order, with their codes.
        let packing = solution.packing().clone();
        let bytes = sorted(solution);
        let rows: Vec<&[u8]> = bytes.chunks(packing.num_bytes() + 2).collect();
        assert!(rows.is_sorted_by(|a, b| a < b) && rows.len() == expected.len(), "{spec}");
        for row in rows {
            let (key, code) = row.split_at(packing.num_bytes());
            let (board, side) = packing.unpack(key).unwrap();
            let index = table.indexer().index_of(&board).unwrap() as usize;
            assert_eq!(table.codes(side)[index].to_le_bytes(), code, "{spec}: {board:?} {side}");
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    for spec in ["tictactoe:3x3", "connect:4x3,row=3", "breakthrough:3x4", "nim:3x7", "chess:KRvK,board=4x4"]
    {
        let game = open(spec).unwrap();
        let bytes: Vec<Vec<u8>> =
            (1..=3).map(|threads| sorted(reached(game.as_ref(), threads, &AMPLE).unwrap())).collect();
        assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2] && !bytes[0].is_empty(), "{spec}");
    }
}

/// Solves a game of millions of positions within a number of bytes, and prints the time.
fn solves_within(spec: &str, positions: u64, bytes: u64) {
    let game = open(spec).unwrap();
    let began = Instant::now();
    let solution = reached(game.as_ref(), 2, &Limits(bytes, None, false)).unwrap();
    println!("{spec}: {:.1} s", began.elapsed().as_secs_f64());
    assert_eq!(solution.num_positions(), positions, "{spec}");
}

/// The numbers of positions are those of the runs by sets.
#[test]
#[ignore = "half a minute of processor time in a debug build; run by name in a release build"]
fn millions_of_positions_take_at_most_forty_bytes_each() {
    solves_within("tictactoe:4x4", 6_036_001, 40 * 6_036_001);
    solves_within("connect:5x4", 3_945_711, 40 * 3_945_711);
}

#[test]
#[ignore = "minutes and two gigabytes; run by name in a release build"]
fn connect_four_on_6x4_fits_into_six_gibibytes() {
    solves_within("connect:6x4", 94_910_577, 6 << 30);
}

/// A ring of cells on which both sides step from a cell to the next one, or to an exit from cell 0, if there is one.
struct Ring {
    states: [u16; 1],
    has_exit: bool,
}

impl ExplicitGame for Ring {
    fn cell_states(&self) -> &[u16] {
        &self.states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (vec![1], Side::P1)
    }

    fn outcome(&self, board: &[u8], _: Side) -> Option<Value> {
        (board[0] == 3).then_some(Value::Win)
    }

    fn legal_moves(&self, board: &[u8], _: Side, out: &mut Vec<Move>) {
        let next = match board[0] {
            2 if self.has_exit => 3,
            3 => return,
            at => (at + 1) % 3,
        };
        out.push(Move::from_slice(&[CellChange { cell: 0, after: next }]));
    }

    fn score(&self, board: &[u8]) -> Option<i32> {
        (board[0] == 3).then_some(7)
    }
}

#[test]
fn scores_are_those_of_a_search_and_repetitions_are_refused() {
    let scored = |game: &(dyn ExplicitGame + Sync)| {
        let control = ReachedControl {
            memory_limit: 1 << 30,
            most_positions: None,
            interrupt: &AtomicBool::new(false),
            progress: &mut |_| (),
        };
        solve_scores(game, "a game", control)
    };
    /// Returns the score of a position by a search.
    fn search(game: &dyn Game, board: &[u8], side: Side, known: &mut HashMap<(Vec<u8>, Side), i32>) -> i32 {
        if let Some(&score) = known.get(&(board.to_vec(), side)) {
            return score;
        }
        let mut moves = Vec::new();
        game.legal_moves(board, side, &mut moves);
        let after = moves.iter().map(|mv| search(game, &apply(board, mv), side.other(), known));
        let best = if side == Side::P1 { after.max() } else { after.min() };
        let score = best.unwrap_or_else(|| game.score(board).unwrap());
        known.insert((board.to_vec(), side), score);
        score
    }
    for spec in ["othello:3x3", "othello:4x3", "othello:3x4,misere"] {
        let game = open(spec).unwrap();
        let scores = scored(&*game).unwrap();
        let mut known = HashMap::new();
        let (board, side) = game.start();
        search(game.as_ref(), &board, side, &mut known);
        assert_eq!(scores.num_positions(), known.len() as u64, "{spec}");
        for ((board, side), score) in &known {
            assert_eq!(scores.get(board, *side), Some(*score), "{spec}: {board:?} {side}");
        }
    }
    let ring = Ring { states: [4], has_exit: true };
    assert_eq!(scored(&ring).unwrap().get(&[1], Side::P1), Some(7));
    let error = scored(&Ring { states: [4], has_exit: false }).unwrap_err();
    assert!(matches!(error, Error::Repeats { undecided: 6, num_positions: 6, .. }), "{error}");
    let error = scored(&*open("nim:2x2").unwrap()).unwrap_err();
    assert!(matches!(error, Error::Rules { .. }), "{error}");
}

#[test]
fn limits_end_in_errors() {
    for spec in ["tictactoe:3x3", "breakthrough:3x4"] {
        let game = open(spec).unwrap();
        let count = reached(game.as_ref(), 1, &AMPLE).unwrap().num_positions();
        let interrupted = reached(game.as_ref(), 1, &Limits(1 << 30, None, true));
        assert!(matches!(interrupted, Err(Error::Interrupted)), "{spec}");
        let error = reached(game.as_ref(), 2, &Limits(1 << 14, None, false)).unwrap_err();
        assert!(matches!(error, Error::TooManyReached { limit_bytes: 16384, .. }), "{error}");
        let error = reached(game.as_ref(), 2, &Limits(1 << 30, Some(count - 1), false)).unwrap_err();
        assert!(matches!(error, Error::TooManyReached { .. }), "{error}");
        assert!(reached(game.as_ref(), 2, &Limits(1 << 30, Some(count), false)).is_ok());
    }
    // The positions of this game fit, but its moves, which do not all lead to the next ply, do not.
    let game = open("chess:KRvK,board=4x4").unwrap();
    let fits = |bytes| reached(game.as_ref(), 1, &Limits(bytes, None, false));
    let least = (10..22)
        .map(|bits| 1 << bits)
        .find(|&bytes| !matches!(fits(bytes), Err(Error::TooManyReached { .. })));
    let error = fits(least.unwrap()).unwrap_err();
    assert!(
        matches!(&error, Error::TooLarge { needed_bytes, .. } if *needed_bytes > least.unwrap().into()),
        "{error}"
    );
}

#[test]
fn writing_stops_when_asked() {
    let game = open("connect:4x4").unwrap();
    let solution = reached(game.as_ref(), 2, &AMPLE).unwrap();
    assert!(solution.num_positions() > 1 << 16);
    let error = solution.into_rows().write(&mut std::io::sink(), &mut |_| false).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Interrupted);
}
