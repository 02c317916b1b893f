//! Repeated sweeps, one per ply, up to a fixpoint, for games with cycles.
//!
//! Sweep 0 finds the terminal positions. Sweep d visits the undecided positions and decides exactly those of depth d,
//! using only codes of depth less than d. Codes that other threads write during the sweep have depth d and are
//! therefore ignored, so the table is the same for every number of threads. If a sweep decides nothing, later ones
//! could not either, because a position of depth d + 1 has a successor of depth d. In the remaining positions, both
//! sides can avoid losing forever, so they are draws.

use std::sync::atomic::Ordering;

use nerode_games::outcome::code16::{self, DRAW, MAX_DEPTH};
use nerode_games::{ExplicitGame, Move, Side, Value};
use rayon::prelude::*;

use super::task::{CHUNK, Task};
use crate::error::Result;

/// The table entry of an undecided position. Positions that are still undecided at the end are draws.
pub(super) const OPEN: u16 = DRAW;
/// The table entry of a terminal draw, which must not be visited again.
const TERMINAL_DRAW: u16 = code16::UNKNOWN;

/// The number of chunks between two checks of the interrupt flag and calls of `progress`.
const BATCH: u64 = 64;

/// Decides every position in the table of the task.
pub(super) fn run<G: ExplicitGame + Sync + ?Sized>(
    task: &Task<'_, G>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let total = task.indexer.num_positions() * 2;
    let mut done = 0;
    // One sweep more than there are depths is allowed, to observe that it decides nothing.
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

/// Decides the positions of the given depth in one chunk, and returns their number.
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

/// Returns the code of a terminal position. A terminal draw is distinguished from undecided positions.
fn terminal<G: ExplicitGame + Sync + ?Sized>(task: &Task<'_, G>, board: &[u8], side: Side) -> Option<u16> {
    let value = task.game.outcome(board, side)?;
    Some(if value == Value::Draw { TERMINAL_DRAW } else { code16::terminal(value) })
}

/// Returns the code of a position if its depth is `depth`, given that it is not less.
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

/// Converts terminal draws into ordinary draws.
fn finish<G: ExplicitGame + Sync + ?Sized>(task: &Task<'_, G>) {
    task.table.par_iter().for_each(|side| {
        side.par_iter().for_each(|cell| {
            // No other thread writes any more, so the two steps need not be atomic.
            if cell.load(Ordering::Relaxed) == TERMINAL_DRAW {
                cell.store(DRAW, Ordering::Relaxed);
            }
        });
    });
}
