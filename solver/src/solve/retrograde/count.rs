//! How many positions the next ply decides, without the states of its sets.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::at_once::{AtOnce, is_lost, is_won};
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::moved::Moved;

/// `|W0 ∪ (preimage(lost) \ T)|`: how many positions `side` wins by moving to what its opponent has lost.
///
/// Cost: one pass without states.
///
/// # Errors
/// As [`Engine::count_image`].
pub fn count_wins(engine: &mut Engine, side: Side, lost: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, lost)?;
    let ended = engine.ended(side).clone();
    let sides = [at_once.as_ref().map_or(&ended.win, |known| &known.win), &ended.all];
    engine.count_image(Moved::into(lost, side), &sides, is_won)
}

/// `|L0 ∪ (¬T \ preimage(¬won))|`: how many positions `side` has lost because its opponent has won wherever it moves.
///
/// Cost: one pass without states.
///
/// # Errors
/// As [`Engine::count_image`].
pub fn count_losses(engine: &mut Engine, side: Side, won: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, won)?;
    let ended = engine.ended(side).clone();
    let sides = [&ended.loss, at_once.as_ref().map_or(&ended.playing, |known| &known.open)];
    engine.count_image(Moved::avoiding(won, side), &sides, is_lost)
}
