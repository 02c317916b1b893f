//! Counts the positions that the next ply decides, without the states of its sets.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::at_once::{AtOnce, is_lost, is_won};
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::operand::Operand;

/// Returns `|W0 ∪ (preimage(lost) \ T)|`, the number of positions that `side` wins by moving to a position lost for its
/// opponent.
///
/// Cost: one pass without states.
///
/// # Errors
/// Returns the same errors as [`Engine::count_image`].
pub fn count_wins(engine: &mut Engine, side: Side, lost: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, lost)?;
    let terminal = engine.terminal(side).clone();
    let sides = [at_once.as_ref().map_or(&terminal.win, |known| &known.win), &terminal.all];
    engine.count_image(Operand::into(lost, side), &sides, is_won)
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
    let terminal = engine.terminal(side).clone();
    let sides = [&terminal.loss, at_once.as_ref().map_or(&terminal.playing, |known| &known.open)];
    engine.count_image(Operand::avoiding(won, side), &sides, is_lost)
}
