//! Entry point of the oracle: checks the memory limit, selects the method, and converts the codes into an
//! [`ExplicitTable`].

use std::sync::atomic::AtomicU16;

use nerode_games::ExplicitGame;

use super::index::Indexer;
use super::solution::ExplicitTable;
use super::task::{Control, TableMethod, Task};
use super::{predecessors, single_pass, sweeps};
use crate::error::{Error, Result};

/// Returns the size of the table of a game with this number of boards: two bytes per board for each of two sides.
pub fn bytes_needed(num_positions: u64) -> u128 {
    u128::from(num_positions) * 4
}

/// Computes value and depth of every board of `game` with either side to move. Uses [`TableMethod::SinglePass`] if the
/// game guarantees that moves lower the index. Otherwise uses [`TableMethod::Predecessors`] if they fit into memory, or else
/// [`TableMethod::Sweeps`]. `name` is the name of the game in errors.
///
/// *Cost*: 4 bytes of memory per board ([`bytes_needed`]). With N boards and b moves per position, the time is O(N b)
/// for the single pass and by predecessors, which take 8 + 4b more bytes for each position that is not drawn at once. Otherwise, the
/// time is O(N b) per sweep, with one sweep per ply of depth. The table does not depend on the number of threads, which is that of
/// the current rayon pool.
///
/// # Errors
/// Returns [`Error::TooLarge`] if the table exceeds the memory limit or cannot be allocated; [`Error::Rules`] if the
/// game violates one of its guarantees; [`Error::TooDeep`] if a depth exceeds
/// [`MAX_DEPTH`](nerode_games::outcome::code16::MAX_DEPTH); or [`Error::Interrupted`].
pub fn solve(game: &(dyn ExplicitGame + Sync), name: &str, control: Control<'_>) -> Result<ExplicitTable> {
    solve_cycles_by(TableMethod::Predecessors, game, name, control)
}

/// Solves as [`solve`] does, but trusts the [representatives](ExplicitGame::representative) of the game: uses
/// [`TableMethod::Orbits`] in place of [`TableMethod::Predecessors`].
///
/// *Cost*: as [`solve`], except that predecessors are stored only for representatives.
///
/// # Errors
/// Returns the same errors as [`solve`].
pub fn solve_orbits(
    game: &(dyn ExplicitGame + Sync),
    name: &str,
    control: Control<'_>,
) -> Result<ExplicitTable> {
    solve_cycles_by(TableMethod::Orbits, game, name, control)
}

/// Solves by a single pass if the game allows it, or else by `method`, or by sweeps if that method needs too much memory.
fn solve_cycles_by(
    method: TableMethod,
    game: &(dyn ExplicitGame + Sync),
    name: &str,
    control: Control<'_>,
) -> Result<ExplicitTable> {
    if game.moves_lower_index() {
        return solve_by(TableMethod::SinglePass, game, name, control);
    }
    let Control { memory_limit, interrupt, progress } = control;
    match solve_by(method, game, name, Control { memory_limit, interrupt, progress: &mut *progress }) {
        Err(Error::TooLarge { .. }) => {
            solve_by(TableMethod::Sweeps, game, name, Control { memory_limit, interrupt, progress })
        }
        solved => solved,
    }
}

/// Solves as [`solve`] does, but by the given method.
///
/// # Errors
/// Returns the same errors as [`solve`]. Also returns [`Error::Rules`] if the single pass encounters a move that does
/// not lower the index.
pub fn solve_by(
    method: TableMethod,
    game: &(dyn ExplicitGame + Sync),
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
        TableMethod::Predecessors | TableMethod::Orbits => predecessors::BEFORE,
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
        TableMethod::Predecessors => predecessors::run(&task, false, memory_limit, progress)?,
        TableMethod::Orbits => predecessors::run(&task, true, memory_limit, progress)?,
    }
    let codes = task.table.map(|side| side.into_iter().map(AtomicU16::into_inner).collect());
    ExplicitTable::new(task.indexer, codes, method, (start_side, start))
}

/// Allocates `len` codes of the same value, or returns `None` if there is not enough memory.
fn allocate(len: usize, value: u16) -> Option<Vec<AtomicU16>> {
    let mut codes = Vec::new();
    codes.try_reserve_exact(len).ok()?;
    codes.resize_with(len, || AtomicU16::new(value));
    Some(codes)
}
