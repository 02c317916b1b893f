//! Solves the positions that play reaches, by the plain rules and without sets.

use std::path::Path;

use nerode_games::{Game, Side};
use nerode_oracle::{
    Indexer, ReachedControl, ReachedRows, ReachedSolution, Step, solve_reached, solve_reached_rows,
};

use rayon::prelude::*;

use super::resources::Resources;
use super::scratch::ScratchFolder;
use crate::error::{Error, Result};

/// The number of boards from which [`few`] looks for few reached positions. Smaller games are solved quickly as sets.
const MANY_BOARDS: u128 = 1 << 30;

/// The numbers of boards that are examined at a time, by all threads and by one of them.
const BATCH: u64 = 1 << 18;
const CHUNK: u64 = 1 << 11;

/// The number of reached positions up to which [`few`] prefers them to sets.
const FEW: u64 = 1 << 16;

/// The number of reached positions up to which [`greatest_depth`] solves them.
const MODERATE: u64 = 1 << 18;

/// Computes value and depth of every position that is reached from the start of a game or from one of `starts`, on the threads
/// of the current pool. With `most`, the solve ends with an error once more positions are found.
///
/// Cost: see [`solve_reached`].
///
/// # Errors
/// Returns [`Error::Reached`] or [`Error::TooLarge`] if there are too many positions for memory or for `most`, or another error
/// of [`solve_reached`].
pub fn reached(
    game: &dyn Game,
    starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
    most: Option<u64>,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<ReachedSolution> {
    Ok(solve_reached(game, &game.spec(), starts, control(most, resources, progress))?)
}

fn control<'a>(
    most_positions: Option<u64>,
    resources: &'a Resources,
    progress: &'a mut dyn FnMut(Step),
) -> ReachedControl<'a> {
    ReachedControl {
        memory_limit: resources.memory,
        most_positions,
        interrupt: &resources.interrupt,
        progress,
    }
}

/// Computes value and depth of every position that is reached from where play may begin, and from `starts`: from the start of the game
/// or, if it [begins anywhere](Game::begins_anywhere), from every board. If memory does not suffice, the solve continues in scratch
/// files in the folder of `file`.
///
/// Cost: see [`solve_reached_rows`]. For a game that begins anywhere, the simple rules are also applied to every board.
///
/// # Errors
/// Returns [`Error::TooLarge`] if there are too many positions, [`Error::DiskFull`] or [`Error::Io`] if scratch files cannot be
/// written, or another error of [`solve_reached`].
pub fn in_play(
    game: &dyn Game,
    starts: Vec<(Vec<u8>, Side)>,
    file: &Path,
    resources: &Resources,
    progress: &mut dyn FnMut(Step),
) -> Result<ReachedRows> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let scratch = ScratchFolder::new(folder.unwrap_or(Path::new(".")), &resources.disk);
    let control = control(None, resources, progress);
    let solved = if game.begins_anywhere() {
        let indexer = Indexer::new(game, &game.spec())?;
        solve_reached_rows(game, &game.spec(), &mut anywhere(game, &indexer, resources), &scratch, control)
    } else {
        solve_reached_rows(game, &game.spec(), &mut starts.into_iter(), &scratch, control)
    };
    solved.map_err(|error| scratch.explain(error))
}

/// Returns the positions of all boards that [`why_illegal`](nerode_games::ExplicitGame::why_illegal) does not exclude, with either
/// side to move.
fn anywhere<'a>(
    game: &'a dyn Game,
    indexer: &'a Indexer,
    resources: &'a Resources,
) -> impl Iterator<Item = (Vec<u8>, Side)> + 'a {
    let boards = indexer.num_positions();
    // The search takes the positions of one batch before the next batch is examined.
    (0..boards).step_by(BATCH as usize).flat_map(move |first| {
        let chunks: Vec<u64> = (first..boards.min(first + BATCH)).step_by(CHUNK as usize).collect();
        let is_over = resources.must_go_on().is_err();
        let chunks = chunks.into_par_iter().filter(|_| !is_over);
        chunks.flat_map_iter(|first| may_occur(game, indexer, first)).collect::<Vec<_>>()
    })
}

/// Returns the positions of a chunk of boards that no simple rule excludes from play.
fn may_occur(game: &dyn Game, indexer: &Indexer, first: u64) -> Vec<(Vec<u8>, Side)> {
    let mut found = Vec::new();
    let Some(mut cursor) = indexer.cursor(first) else { return found };
    for _ in first..indexer.num_positions().min(first + CHUNK) {
        for side in Side::BOTH {
            let board = cursor.board();
            if game.why_illegal(board, side).is_none() {
                found.push((board.to_vec(), side));
            }
        }
        cursor.step(indexer);
    }
    found
}

/// Returns the solution of the reached positions if a game has few of them although it has many boards, and `None` otherwise.
/// Play must begin at the start of the game. The choice depends on the rules alone.
///
/// Cost: at most 65 536 positions.
///
/// # Errors
/// Returns [`Error::Interrupted`], or an error if the game violates its rules.
pub fn few(game: &dyn Game, resources: &Resources) -> Result<Option<ReachedSolution>> {
    let has_many_boards = game.shape().num_words().is_none_or(|boards| boards >= MANY_BOARDS);
    if !has_many_boards || game.begins_anywhere() {
        return Ok(None);
    }
    at_most(game, FEW, resources)
}

/// Returns a lower bound on the number of plies of a retrograde analysis of `game`: the greatest depth of a reached position.
/// Returns `None` if play does not begin at the start or reaches more than 262 144 positions.
///
/// Cost: at most 262 144 positions.
///
/// # Errors
/// Returns [`Error::Interrupted`], or an error if the game violates its rules.
pub fn greatest_depth(game: &dyn Game, resources: &Resources) -> Result<Option<u64>> {
    if game.begins_anywhere() {
        return Ok(None);
    }
    match reached(game, &mut std::iter::empty(), Some(MODERATE), resources, &mut |_| ()) {
        Ok(solution) => Ok((solution.stats().histogram.len() as u64).checked_sub(1)),
        Err(Error::TooDeep { most, .. }) => Ok(Some(most + 1)),
        Err(Error::Reached(_) | Error::TooLarge { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Returns the solution of the positions that are reached from the start if there are at most `most`, and `None` otherwise. The
/// choice depends on the rules alone.
///
/// Cost: at most `most` positions.
///
/// # Errors
/// Returns [`Error::Interrupted`], or an error if the game violates its rules.
pub fn at_most(game: &dyn Game, most: u64, resources: &Resources) -> Result<Option<ReachedSolution>> {
    match reached(game, &mut std::iter::empty(), Some(most), resources, &mut |_| ()) {
        Ok(solution) => Ok(Some(solution)),
        Err(Error::Reached(_) | Error::TooLarge { .. } | Error::TooDeep { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}
