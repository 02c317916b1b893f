//! What both methods of the oracle work on: the game, the table of codes, and the wish to stop.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use nerode_games::{ExplicitGame, Move, Side};

use super::index::Indexer;
use crate::error::{Error, Result};
use crate::outcome::code16;

/// How the positions are decided. Both give the same table, entry for entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableMethod {
    /// Once over the positions in index order; for games whose moves all lower the index, which is checked on every
    /// move.
    SinglePass,
    /// Sweep d decides exactly the positions of depth d, from those of lesser depth, until a sweep decides none; for
    /// every game.
    Sweeps,
}

/// What the caller sets and sees while the oracle works.
pub struct Control<'a> {
    /// Most bytes that the table may take.
    pub memory_limit: u64,
    /// Stops the work, with [`Error::Interrupted`], soon after it is set.
    pub interrupt: &'a AtomicBool,
    /// Called now and then with (positions done, positions in all), both sides counted; by the calling thread only.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

/// Everything the methods need to know, and the table they fill.
pub(super) struct Task<'a, G: ?Sized> {
    pub(super) game: &'a G,
    pub(super) name: &'a str,
    pub(super) indexer: Indexer,
    /// One code per side and index.
    pub(super) table: [Vec<AtomicU16>; 2],
    pub(super) interrupt: &'a AtomicBool,
}

/// Positions that one thread takes at a time.
pub(super) const CHUNK: u64 = 1 << 14;

impl<G: ExplicitGame + Sync + ?Sized> Task<'_, G> {
    /// Number of chunks of each side's positions.
    pub(super) fn num_chunks(&self) -> u64 {
        self.indexer.num_positions().div_ceil(CHUNK)
    }

    /// The code at an index; the index is below `num_positions`.
    pub(super) fn load(&self, side: Side, index: u64) -> u16 {
        self.cell(side, index).load(Ordering::Relaxed)
    }

    /// Sets the code at an index. Codes are the only thing that threads share, so relaxed order is enough.
    pub(super) fn store(&self, side: Side, index: u64, value: u16) {
        self.cell(side, index).store(value, Ordering::Relaxed);
    }

    fn cell(&self, side: Side, index: u64) -> &AtomicU16 {
        // The table was allocated with this many entries, so indices fit usize.
        #[expect(clippy::cast_possible_truncation)]
        let place = index as usize;
        &self.table[side.index()][place]
    }

    /// The error for rules that contradict themselves on a board.
    pub(super) fn rules(&self, side: Side, board: &[u8], reason: &str) -> Error {
        let reason = format!("board {board:?}, {side} to move: {reason}");
        Error::Rules { game: self.name.to_string(), reason }
    }

    /// [`Error::Interrupted`] once the interrupt flag is set.
    pub(super) fn check_interrupt(&self) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Puts the legal moves of a position that is not terminal into `moves`.
    pub(super) fn moves(&self, side: Side, board: &[u8], moves: &mut Vec<Move>) -> Result<()> {
        moves.clear();
        self.game.legal_moves(board, side, moves);
        if moves.is_empty() {
            return Err(self.rules(side, board, "there is no move, yet the game is not over"));
        }
        Ok(())
    }

    /// The index after a move.
    pub(super) fn successor(&self, side: Side, board: &[u8], index: u64, mv: &Move) -> Result<u64> {
        let next = self.indexer.successor(board, index, mv);
        next.map_err(|reason| self.rules(side, board, &format!("move {mv:?}: {reason}")))
    }

    /// The error for a depth that no code can hold.
    pub(super) fn too_deep(&self) -> Error {
        let what = format!("an explicit table of {}", self.name);
        Error::TooDeep { what, most: code16::MAX_DEPTH.into() }
    }
}
