//! The common input of both methods of the oracle: the game, the table of codes, and the interrupt flag.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use nerode_games::outcome::code16;
use nerode_games::{ExplicitGame, Move, Side};

use super::index::Indexer;
use crate::error::{Error, Result};

/// The method by which positions are decided. All methods produce identical tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableMethod {
    /// Visits all positions once in index order. Requires that every move of the game lowers the index, which is
    /// checked for each move.
    SinglePass,
    /// Decides in sweep d exactly the positions of depth d from those of smaller depth, until a sweep decides none.
    /// Works for every game.
    Sweeps,
    /// Decides positions in the order of their depths by stored predecessors. Works for every game whose moves fit into memory.
    Predecessors,
    /// Decides only [representatives](ExplicitGame::representative) by stored predecessors, and copies their codes to their orbits.
    /// Trusts the game that all boards of an orbit have the same value and depth.
    Orbits,
}

/// The limits and callbacks that the caller passes to the oracle.
pub struct Control<'a> {
    /// The maximum size of the table in bytes.
    pub memory_limit: u64,
    /// Stops the computation with [`Error::Interrupted`] soon after it is set.
    pub interrupt: &'a AtomicBool,
    /// Called periodically with (positions done, total positions), counting both sides, and only by the calling thread.
    pub progress: &'a mut dyn FnMut(u64, u64),
}

/// The input of the methods and the table that they fill.
pub(super) struct Task<'a, G: ?Sized> {
    pub(super) game: &'a G,
    pub(super) name: &'a str,
    pub(super) indexer: Indexer,
    /// One code for each side and index.
    pub(super) table: [Vec<AtomicU16>; 2],
    pub(super) interrupt: &'a AtomicBool,
}

/// The number of positions that a thread takes at a time.
pub(super) const CHUNK: u64 = 1 << 14;

impl<G: ExplicitGame + Sync + ?Sized> Task<'_, G> {
    /// Returns the number of chunks of the positions of each side.
    pub(super) fn num_chunks(&self) -> u64 {
        self.indexer.num_positions().div_ceil(CHUNK)
    }

    /// Returns the code at an index, which must be below `num_positions`.
    pub(super) fn load(&self, side: Side, index: u64) -> u16 {
        self.cell(side, index).load(Ordering::Relaxed)
    }

    /// Sets the code at an index. Threads share nothing but codes, so relaxed ordering suffices.
    pub(super) fn store(&self, side: Side, index: u64, value: u16) {
        self.cell(side, index).store(value, Ordering::Relaxed);
    }

    fn cell(&self, side: Side, index: u64) -> &AtomicU16 {
        // The table was allocated with this number of entries, so indices fit into `usize`.
        #[expect(clippy::cast_possible_truncation)]
        let place = index as usize;
        &self.table[side.index()][place]
    }

    /// Returns the error for rules that contradict themselves on a board.
    pub(super) fn rules(&self, side: Side, board: &[u8], reason: &str) -> Error {
        let reason = format!("board {board:?}, {side} to move: {reason}");
        Error::Rules { game: self.name.to_string(), reason }
    }

    /// Returns [`Error::Interrupted`] if the interrupt flag is set.
    pub(super) fn check_interrupt(&self) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Writes the legal moves of a non-terminal position to `moves`.
    pub(super) fn moves(&self, side: Side, board: &[u8], moves: &mut Vec<Move>) -> Result<()> {
        moves.clear();
        self.game.legal_moves(board, side, moves);
        if moves.is_empty() {
            return Err(self.rules(
                side,
                board,
                "the side to move has no legal move, although the game goes on",
            ));
        }
        Ok(())
    }

    /// Returns the index of the position after a move.
    pub(super) fn successor(&self, side: Side, board: &[u8], index: u64, mv: &Move) -> Result<u64> {
        let next = self.indexer.successor(board, index, mv);
        next.map_err(|reason| self.rules(side, board, &format!("move {mv:?}: {reason}")))
    }

    /// Returns the error for a depth that no code can represent.
    pub(super) fn too_deep(&self) -> Error {
        let what = format!("an explicit table of {}", self.name);
        Error::TooDeep { what, most: code16::MAX_DEPTH.into() }
    }
}
