//! Counts the positions that the next ply decides, without the states of its sets.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::at_once::{AtOnce, is_lost, is_won};
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::moved::Moved;

/// Returns `|W0 ∪ (preimage(lost) \ T)|`, the number of positions that `side` wins by moving to a position lost for its
/// opponent.
///
/// Cost: one pass without states.
///
/// # Errors
/// Returns the same errors as [`Engine::count_image`].
pub fn count_wins(engine: &mut Engine, side: Side, lost: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, lost)?;
    let ended = engine.ended(side).clone();
    let sides = [at_once.as_ref().map_or(&ended.win, |known| &known.win), &ended.all];
    engine.count_image(Moved::into(lost, side), &sides, is_won)
}

/// Returns `|L0 ∪ (¬T \ preimage(¬won))|`, the number of positions that `side` has lost because every move leads to a
/// position won for its opponent.
///
/// Cost: one pass without states.
///
/// # Errors
/// Returns the same errors as [`Engine::count_image`].
pub fn count_losses(engine: &mut Engine, side: Side, won: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, won)?;
    let ended = engine.ended(side).clone();
    let sides = [&ended.loss, at_once.as_ref().map_or(&ended.playing, |known| &known.open)];
    engine.count_image(Moved::avoiding(won, side), &sides, is_lost)
}
