//! Entry to the oracle: checks the memory, picks the method, and turns the codes into a [`ExplicitTable`].

use std::sync::atomic::AtomicU16;

use nerode_games::ExplicitGame;

use super::index::Indexer;
use super::solution::ExplicitTable;
use super::task::{Control, TableMethod, Task};
use super::{single_pass, sweeps};
use crate::error::{Error, Result};

/// Bytes of the table of a game with that many boards: two sides, two bytes each.
pub fn bytes_needed(num_positions: u64) -> u128 {
    u128::from(num_positions) * 4
}

/// Value and depth of every board of `game` for either side to move, by [`TableMethod::SinglePass`] where the game promises
/// falling indices, else by [`TableMethod::Sweeps`]. `name` is the game's name in errors.
///
/// *Cost*: memory 4 bytes a board ([`bytes_needed`]); time, with N boards and b moves a position, O(N b) for the single
/// pass, O(N b) per sweep otherwise, with one sweep per ply of depth.
/// The table does not depend on the number of threads (those of the current rayon pool).
///
/// # Errors
/// [`Error::TooLarge`] when the table is above the memory limit or cannot be allocated; [`Error::Rules`] when the game
/// breaks one of its promises; [`Error::TooDeep`] when a depth is above
/// [`MAX_DEPTH`](crate::outcome::code16::MAX_DEPTH);
/// [`Error::Interrupted`].
pub fn solve<G: ExplicitGame + Sync + ?Sized>(
    game: &G,
    name: &str,
    control: Control<'_>,
) -> Result<ExplicitTable> {
    let method = if game.moves_lower_index() { TableMethod::SinglePass } else { TableMethod::Sweeps };
    solve_by(method, game, name, control)
}

/// [`solve`] by the method given.
///
/// # Errors
/// As for [`solve`]; [`Error::Rules`] also when the single pass meets a move that does not lower the index.
pub fn solve_by<G: ExplicitGame + Sync + ?Sized>(
    method: TableMethod,
    game: &G,
    name: &str,
    control: Control<'_>,
) -> Result<ExplicitTable> {
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
        TableMethod::SinglePass => single_pass::NOT_VISITED,
        TableMethod::Sweeps => sweeps::OPEN,
    };
    let len = usize::try_from(indexer.num_positions()).map_err(|_| too_large())?;
    let table = [allocate(len, initial), allocate(len, initial)];
    let [Some(first), Some(second)] = table else {
        return Err(too_large());
    };
    let task = Task { game, name, indexer, table: [first, second], interrupt };
    match method {
        TableMethod::SinglePass => single_pass::run(&task, progress)?,
        TableMethod::Sweeps => sweeps::run(&task, progress)?,
    }
    let codes = task.table.map(|side| side.into_iter().map(AtomicU16::into_inner).collect());
    ExplicitTable::new(task.indexer, codes, method, (start_side, start))
}

/// `len` codes of one value; `None` when the system has no memory for them.
fn allocate(len: usize, value: u16) -> Option<Vec<AtomicU16>> {
    let mut codes = Vec::new();
    codes.try_reserve_exact(len).ok()?;
    codes.resize_with(len, || AtomicU16::new(value));
    Some(codes)
}
