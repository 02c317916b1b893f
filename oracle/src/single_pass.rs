//! A single pass over all positions in index order, for games in which every move lowers the index.
//!
//! A position depends only on positions with a lower index, which are decided earlier. Threads take chunks of indices
//! in ascending order, and a thread that needs a missing code waits for it. There is no deadlock, because the thread
//! with the lowest unfinished chunk needs nothing from the others. The code written at an index does not depend on the
//! thread that writes it, so the table is the same for every number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nerode_games::outcome::code16::{self, DRAW};
use nerode_games::{ExplicitGame, Move, Side};

use super::task::{CHUNK, Task};
use crate::error::{Error, Result};

/// The table entry of a position that is not decided yet.
pub(super) const NOT_VISITED: u16 = code16::UNKNOWN;

/// The data that threads share in addition to the table.
struct Shared {
    next_chunk: AtomicU64,
    done: AtomicU64,
    /// Set after a failure, so that no thread waits for a code that will never be written.
    stop: AtomicBool,
    failure: Mutex<Option<Error>>,
}

/// A guard that stops the other threads if the current one panics, because the rules of the game are foreign code.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Decides every position in the table of the task.
pub(super) fn run<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let shared = Shared {
        next_chunk: AtomicU64::new(0),
        done: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    let total = task.indexer.num_positions() * 2;
    rayon::in_place_scope(|scope| {
        // The calling thread works too, because only this thread may call `progress` and it may be the only thread of
        // the pool.
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work(task, &shared, &mut |_| ()));
        }
        work(task, &shared, &mut |done| progress(done, total));
    });
    let failure = shared.failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    match failure {
        Some(error) => Err(error),
        None => {
            progress(total, total);
            Ok(())
        }
    }
}

/// Processes chunks until none is left or a thread has failed.
fn work<G: ExplicitGame + Sync + ?Sized>(task: &Task<'_, G>, shared: &Shared, progress: &mut dyn FnMut(u64)) {
    let _guard = StopOnPanic(&shared.stop);
    let mut moves = Vec::new();
    loop {
        let chunk = shared.next_chunk.fetch_add(1, Ordering::Relaxed);
        if chunk >= task.num_chunks() || shared.stop.load(Ordering::Relaxed) {
            return;
        }
        match solve_chunk(task, shared, chunk, &mut moves) {
            Ok(done) => progress(shared.done.fetch_add(done, Ordering::Relaxed) + done),
            Err(error) => {
                let mut failure = shared.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                // Threads stopped by the first failure report an interruption, so only the first error is kept.
                if failure.is_none() {
                    *failure = Some(error);
                }
                shared.stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// Decides one chunk for both sides, and returns the number of positions decided.
fn solve_chunk<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    shared: &Shared,
    chunk: u64,
    moves: &mut Vec<Move>,
) -> Result<u64> {
    task.check_interrupt()?;
    let first = chunk * CHUNK;
    let last = (first + CHUNK).min(task.indexer.num_positions());
    let Some(mut cursor) = task.indexer.cursor(first) else { return Ok(0) };
    for index in first..last {
        for side in Side::BOTH {
            let value = decide(task, shared, cursor.board(), index, side, moves)?;
            task.store(side, index, value);
        }
        cursor.step(&task.indexer);
    }
    Ok(2 * (last - first))
}

/// Computes the code of a position from the codes of its successors.
fn decide<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    shared: &Shared,
    board: &[u8],
    index: u64,
    side: Side,
    moves: &mut Vec<Move>,
) -> Result<u16> {
    if let Some(value) = task.game.outcome(board, side) {
        return Ok(code16::terminal(value));
    }
    task.moves(side, board, moves)?;
    let (mut quickest_loss, mut slowest_win, mut draw) = (NOT_VISITED, DRAW, false);
    for mv in moves.iter() {
        let next = task.successor(side, board, index, mv)?;
        if next >= index {
            return Err(task.rules(side, board, &format!("move {mv:?} does not lower the index")));
        }
        match wait_for(task, shared, side.other(), next)? {
            DRAW => draw = true,
            code if code16::is_loss(code) => quickest_loss = quickest_loss.min(code),
            code => slowest_win = slowest_win.max(code),
        }
    }
    let decided = if quickest_loss != NOT_VISITED {
        code16::win_before(quickest_loss)
    } else if draw {
        Some(DRAW)
    } else {
        code16::loss_before(slowest_win)
    };
    decided.ok_or_else(|| task.too_deep())
}

/// Returns the code at an index, waiting until it is available.
fn wait_for<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    shared: &Shared,
    side: Side,
    index: u64,
) -> Result<u16> {
    let mut turns = 0_u32;
    loop {
        let code = task.load(side, index);
        if code != NOT_VISITED {
            return Ok(code);
        }
        if shared.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        turns += 1;
        if turns.is_multiple_of(64) {
            std::thread::yield_now();
        } else {
            std::hint::spin_loop();
        }
    }
}
