//! Ply by ply to a fixpoint, for games with cycles.
//!
//! Sweep 0 finds the terminal positions; sweep d visits the positions not decided yet and decides exactly those of depth
//! d, looking only at codes of depth below d. What other threads write during the sweep has depth d and is not looked
//! at, so the table is the same for every number of threads. When a sweep decides nothing, no later one could: a
//! position of depth d + 1 has a successor of depth d. What is left can be held for ever by both sides: draws.

use std::sync::atomic::Ordering;

use nerode_games::{ExplicitGame, Move, Side, Value};
use rayon::prelude::*;

use super::task::{CHUNK, Task};
use crate::error::Result;
use crate::outcome::code16::{self, DRAW, MAX_DEPTH};

/// What the table holds for a position that is not decided: what is left in the end is drawn.
pub(super) const OPEN: u16 = DRAW;
/// What the table holds for a terminal draw, which is not to be visited again.
const TERMINAL_DRAW: u16 = code16::UNKNOWN;

/// Chunks between two looks at the interrupt flag and calls of `progress`.
const BATCH: u64 = 64;

/// Decides every position of the task's table.
pub(super) fn run<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let total = task.indexer.num_positions() * 2;
    let mut done = 0;
    // One sweep more than there are codes, to see that it decides nothing.
    for depth in 0..=MAX_DEPTH + 1 {
        let mut decided = 0;
        let mut first = 0;
        while first < task.num_chunks() {
            task.check_interrupt()?;
            let chunks = first..(first + BATCH).min(task.num_chunks());
            first = chunks.end;
            decided += chunks
                .into_par_iter()
                .map_init(Vec::new, |moves, chunk| sweep_chunk(task, chunk, depth, moves))
                .try_reduce(|| 0, |a, b| Ok(a + b))?;
            progress(done + decided, total);
        }
        done += decided;
        if decided == 0 && depth > 0 {
            finish(task);
            progress(total, total);
            return Ok(());
        }
    }
    Err(task.too_deep())
}

/// Decides the positions of the given depth in one chunk; how many they are.
fn sweep_chunk<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    chunk: u64,
    depth: u16,
    moves: &mut Vec<Move>,
) -> Result<u64> {
    let first = chunk * CHUNK;
    let last = (first + CHUNK).min(task.indexer.num_positions());
    let Some(mut cursor) = task.indexer.cursor(first) else { return Ok(0) };
    let mut decided = 0;
    for index in first..last {
        for side in Side::BOTH {
            if task.load(side, index) != OPEN {
                continue;
            }
            let value = if depth == 0 {
                terminal(task, cursor.board(), side)
            } else {
                decide(task, cursor.board(), index, side, depth, moves)?
            };
            if let Some(code) = value {
                task.store(side, index, code);
                decided += 1;
            }
        }
        cursor.step(&task.indexer);
    }
    Ok(decided)
}

/// The code of a terminal position; a terminal draw is set apart from positions not decided.
fn terminal<G: ExplicitGame + Sync + ?Sized>(task: &Task<'_, G>, board: &[u8], side: Side) -> Option<u16> {
    let value = task.game.outcome(board, side)?;
    Some(if value == Value::Draw { TERMINAL_DRAW } else { code16::terminal(value) })
}

/// The code of a position if its depth is `depth`; it is known not to be less.
fn decide<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    board: &[u8],
    index: u64,
    side: Side,
    depth: u16,
    moves: &mut Vec<Move>,
) -> Result<Option<u16>> {
    task.moves(side, board, moves)?;
    let mut all_win = true;
    for mv in moves.iter() {
        let next = task.successor(side, board, index, mv)?;
        let code = task.load(side.other(), next);
        let known = code != OPEN && code != TERMINAL_DRAW && code16::depth(code) < depth;
        if known && code16::is_loss(code) {
            return code16::win_in(depth).map(Some).ok_or_else(|| task.too_deep());
        }
        all_win &= known;
    }
    if !all_win {
        return Ok(None);
    }
    code16::loss_in(depth).map(Some).ok_or_else(|| task.too_deep())
}

/// Turns the terminal draws into draws like any other.
fn finish<G: ExplicitGame + Sync + ?Sized>(task: &Task<'_, G>) {
    task.table.par_iter().for_each(|side| {
        side.par_iter().for_each(|cell| {
            // Nobody else writes any more, so two steps are as good as one.
            if cell.load(Ordering::Relaxed) == TERMINAL_DRAW {
                cell.store(DRAW, Ordering::Relaxed);
            }
        });
    });
}
