//! The explicit solver for reached positions: value and exact depth of every position that play can reach, computed only from
//! the plain rules.
//!
//! A breadth-first search finds the positions, which are packed into few bits and stored in a hash table. Retrograde analysis
//! over these positions then determines values and depths, with the definitions of the whole crate. Endless play is a draw.
//!
//! The result does not depend on the number of threads, which is that of the current rayon pool.

mod control;
mod decide;
mod disk;
mod packing;
mod rows;
mod scores;
mod search;
mod shards;
mod solution;

use nerode_games::{ExplicitGame, Side};

pub use control::{ReachedControl, Step};
pub use disk::{Scratch, ScratchFile};
pub use packing::Packing;
pub use rows::{ReachedRows, ReachedStats};
pub use scores::ReachedScores;
pub use solution::ReachedSolution;

use crate::backward::Codes;
use crate::error::{Error, Result};
use packing::MOST_WORDS;
use scores::scores_with;
use search::{Reached, Rules};
use solution::Solved;

/// Computes value and depth of every position that is reached from the start of `game` or from one of `starts`. `name` is the
/// name of the game in errors.
///
/// *Cost*: with N positions, b moves per position and keys of w words of 64 bits, the search takes 8w + 6 to 8w + 12 bytes a
/// position, and 2 more for codes; 4 more count predecessors unless the game promises [`ExplicitGame::plies_played`]. If some move
/// does not lead to a position that is first reached one ply later, 8 + 4b more bytes a position are needed for predecessors. The
/// rules are called twice for each position, or three times with predecessors that were not counted.
///
/// # Errors
/// Returns [`Error::TooManyReached`](crate::Error::TooManyReached) or [`Error::TooLarge`](crate::Error::TooLarge) if the
/// limits do not suffice; [`Error::TooWide`](crate::Error::TooWide) if a position takes more than 512 bits;
/// [`Error::Rules`](crate::Error::Rules) if the game violates one of its guarantees;
/// [`Error::TooDeep`](crate::Error::TooDeep); or [`Error::Interrupted`](crate::Error::Interrupted).
pub fn solve_reached(
    game: &(dyn ExplicitGame + Sync),
    name: &str,
    starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
    control: ReachedControl<'_>,
) -> Result<ReachedSolution> {
    let packing = Packing::new(game.cell_states(), name)?;
    match packing.num_words() {
        0..=1 => solve_with::<_, 1>(game, name, packing, starts, control),
        2 => solve_with::<_, 2>(game, name, packing, starts, control),
        3..=4 => solve_with::<_, 4>(game, name, packing, starts, control),
        _ => solve_with::<_, MOST_WORDS>(game, name, packing, starts, control),
    }
}

/// Computes the score of every position that is reached from the start of `game`, where P1 maximises and P2 minimises
/// [`ExplicitGame::score`] at the end. `name` is the name of the game in errors.
///
/// *Cost*: as [`solve_reached`] with predecessors, and 3 more bytes a position.
///
/// # Errors
/// Returns [`Error::Repeats`](crate::Error::Repeats) if play can repeat positions; [`Error::Rules`](crate::Error::Rules) also if a
/// final position has no score; or the other errors of [`solve_reached`].
pub fn solve_scores(
    game: &(dyn ExplicitGame + Sync),
    name: &str,
    control: ReachedControl<'_>,
) -> Result<ReachedScores> {
    let packing = Packing::new(game.cell_states(), name)?;
    match packing.num_words() {
        0..=1 => scores_with::<_, 1>(game, name, packing, control),
        2 => scores_with::<_, 2>(game, name, packing, control),
        3..=4 => scores_with::<_, 4>(game, name, packing, control),
        _ => scores_with::<_, MOST_WORDS>(game, name, packing, control),
    }
}

/// Computes the same positions and values as [`solve_reached`], as a list. The solve continues in files of `scratch` if the positions
/// do not fit into memory.
///
/// *Cost*: that of [`solve_reached`] in memory. On disk, keys and codes take 8w + 2 bytes a position, and the moves from a level 8w
/// bytes, or 8w + 4 while it is decided. If some move does not lead to a position that is first reached one ply later, the moves from
/// all positions take 8w + 4 bytes, and then 4 bytes with 8 more for each position; codes take 4 bytes of memory a position.
///
/// # Errors
/// Returns the same errors as [`solve_reached`], and [`Error::Disk`].
pub fn solve_reached_rows(
    game: &(dyn ExplicitGame + Sync),
    name: &str,
    starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
    scratch: &dyn Scratch,
    control: ReachedControl<'_>,
) -> Result<ReachedRows> {
    let packing = Packing::new(game.cell_states(), name)?;
    match packing.num_words() {
        0..=1 => rows_with::<_, 1>(game, name, packing, starts, scratch, control),
        2 => rows_with::<_, 2>(game, name, packing, starts, scratch, control),
        3..=4 => rows_with::<_, 4>(game, name, packing, starts, scratch, control),
        _ => rows_with::<_, MOST_WORDS>(game, name, packing, starts, scratch, control),
    }
}

fn solve_with<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    game: &G,
    name: &str,
    packing: Packing,
    starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
    mut control: ReachedControl<'_>,
) -> Result<ReachedSolution> {
    let rules = Rules { game, name, packing, interrupt: control.interrupt };
    let mut starts = std::iter::once(game.start()).chain(starts);
    let mut reached = Reached::<_, N>::new(rules);
    reached.search(&mut starts, &mut control)?;
    let codes = decide::decide(&mut reached, &mut control)?;
    Ok(solution_of(reached, codes))
}

fn solution_of<G: ExplicitGame + ?Sized, const N: usize>(
    reached: Reached<'_, G, N>,
    codes: Codes,
) -> ReachedSolution {
    let codes = codes.into_iter().map(std::sync::atomic::AtomicU16::into_inner).collect();
    let num_plies = reached.levels.len() as u32;
    let Reached { rules, shards, .. } = reached;
    let packing = rules.packing;
    let solved = Solved { packing: packing.clone(), shards, codes };
    ReachedSolution::new(Box::new(solved), packing, num_plies, rules.game.start())
}

fn rows_with<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    game: &G,
    name: &str,
    packing: Packing,
    starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
    scratch: &dyn Scratch,
    mut control: ReachedControl<'_>,
) -> Result<ReachedRows> {
    let rules = Rules { game, name, packing, interrupt: control.interrupt };
    let mut starts = std::iter::once(game.start()).chain(starts);
    let mut reached = Reached::<_, N>::new(rules);
    let searched = reached.search(&mut starts, &mut control);
    let decided = match searched {
        Ok(()) => decide::decide(&mut reached, &mut control),
        Err(error) => Err(error),
    };
    match decided {
        Ok(codes) => Ok(solution_of(reached, codes).into_rows()),
        Err(Error::TooManyReached { num_positions, .. }) if control.allows(num_positions) => {
            disk::solve(reached, &mut starts, false, scratch, &mut control)
        }
        Err(Error::TooLarge { .. }) => disk::solve(reached, &mut starts, true, scratch, &mut control),
        Err(error) => Err(error),
    }
}
