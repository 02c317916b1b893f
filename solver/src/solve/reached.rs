//! Solves the positions that play reaches, by the plain rules and without sets.

use nerode_games::{Game, Side};
use nerode_oracle::{ReachedControl, ReachedSolution, Step, solve_reached};

use super::resources::Resources;
use crate::error::{Error, Result};

/// The number of boards from which [`few`] looks for few reached positions. Smaller games are solved quickly as sets.
const MANY_BOARDS: u128 = 1 << 30;

/// The number of reached positions up to which [`few`] prefers them to sets.
const FEW: u64 = 1 << 16;

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
    let control = ReachedControl {
        memory_limit: resources.memory,
        most_positions: most,
        interrupt: &resources.interrupt,
        progress,
    };
    Ok(solve_reached(game, &game.spec(), starts, control)?)
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
    match reached(game, &mut std::iter::empty(), Some(FEW), resources, &mut |_| ()) {
        Ok(solution) => Ok(Some(solution)),
        Err(Error::Reached(_) | Error::TooLarge { .. } | Error::TooDeep { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}
