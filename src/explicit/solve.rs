//! Entry to the oracle: checks the memory, picks the method, and turns the codes into a [`Solution`].

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use nerode_games::{ExplicitGame, Move, Side};

use super::index::Indexer;
use super::solution::Solution;
use super::{code, single_pass, sweeps};
use crate::error::{Error, Result};

/// How the positions are decided. Both give the same table, entry for entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
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
        let (name, most) = (self.name, code::MAX_DEPTH);
        Error::Unsupported(format!(
            "{name}: a position is more than {most} plies from the end, more than an explicit table can hold"
        ))
    }
}

/// Bytes of the table of a game with that many boards: two sides, two bytes each.
pub fn bytes_needed(num_positions: u64) -> u128 {
    u128::from(num_positions) * 4
}

/// Value and depth of every board of `game` for either side to move, by [`Method::SinglePass`] where the game promises
/// falling indices, else by [`Method::Sweeps`]. `name` is the game's name in errors.
///
/// *Cost*: memory 4 bytes a board ([`bytes_needed`]); time, with N boards and b moves a position, O(N b) for the single
/// pass, O(N b) per sweep otherwise, with one sweep per ply of depth.
/// The table does not depend on the number of threads (those of the current rayon pool).
///
/// # Errors
/// [`Error::TooLarge`] when the table is above the memory limit or cannot be allocated; [`Error::Rules`] when the game
/// breaks one of its promises; [`Error::Unsupported`] when a depth is above [`super::MAX_DEPTH`];
/// [`Error::Interrupted`].
pub fn solve<G: ExplicitGame + Sync + ?Sized>(
    game: &G,
    name: &str,
    control: Control<'_>,
) -> Result<Solution> {
    let method = if game.moves_lower_index() { Method::SinglePass } else { Method::Sweeps };
    solve_by(method, game, name, control)
}

/// [`solve`] by the method given.
///
/// # Errors
/// As for [`solve`]; [`Error::Rules`] also when the single pass meets a move that does not lower the index.
pub fn solve_by<G: ExplicitGame + Sync + ?Sized>(
    method: Method,
    game: &G,
    name: &str,
    control: Control<'_>,
) -> Result<Solution> {
    let indexer = Indexer::new(game, name)?;
    let Control { memory_limit, interrupt, progress } = control;
    let (start_board, start_side) = game.start();
    let start = indexer.index_of(&start_board).ok_or_else(|| Error::Rules {
        game: name.to_string(),
        reason: format!("the start board {start_board:?} is not a board of the game"),
    })?;
    let needed = bytes_needed(indexer.num_positions());
    let too_large = || Error::TooLarge {
        what: format!("the explicit table of {name}"),
        needed_bytes: needed,
        limit_bytes: memory_limit,
    };
    if needed > u128::from(memory_limit) {
        return Err(too_large());
    }
    let initial = match method {
        Method::SinglePass => code::RESERVED,
        Method::Sweeps => code::DRAW,
    };
    let len = usize::try_from(indexer.num_positions()).map_err(|_| too_large())?;
    let table = [allocate(len, initial), allocate(len, initial)];
    let [Some(first), Some(second)] = table else {
        return Err(too_large());
    };
    let task = Task { game, name, indexer, table: [first, second], interrupt };
    match method {
        Method::SinglePass => single_pass::run(&task, progress)?,
        Method::Sweeps => sweeps::run(&task, progress)?,
    }
    let codes = task.table.map(|side| side.into_iter().map(AtomicU16::into_inner).collect());
    Solution::new(task.indexer, codes, method, (start_side, start))
}

/// `len` codes of one value; `None` when the system has no memory for them.
fn allocate(len: usize, value: u16) -> Option<Vec<AtomicU16>> {
    let mut codes = Vec::new();
    codes.try_reserve_exact(len).ok()?;
    codes.resize_with(len, || AtomicU16::new(value));
    Some(codes)
}
