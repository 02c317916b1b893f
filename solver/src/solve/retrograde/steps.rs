//! A single step for one set, computed either from all positions of the previous ply or only from the new ones.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::at_once::{AtOnce, is_lost, is_won};
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::operand::Operand;

/// To compute new wins, only the new losses of the opponent are moved if they have at most this percentage of the
/// states of all losses.
const NEW_LOSSES: usize = 60;
/// The corresponding percentage of new wins to compute new losses, which needs two passes in this case.
const NEW_WINS: usize = 40;

/// A set of the next level and, if known, the positions that it adds to the previous level.
pub(super) type Growth = (Dfa, Option<Dfa>);

/// A set into which positions are moved, and the same set one ply earlier.
pub(super) struct Input<'a> {
    pub(super) now: &'a Dfa,
    before: Option<&'a Dfa>,
    new: &'a Option<Dfa>,
}

impl<'a> Input<'a> {
    pub(super) fn new(now: &'a Dfa, before: Option<&'a Dfa>, new: &'a Option<Dfa>) -> Self {
        Self { now, before, new }
    }

    /// Returns the new positions if they are known and few enough to be moved separately.
    fn few_new(&self, percent: usize) -> Option<Dfa> {
        self.new.clone().filter(|new| self.is_little(new, percent))
    }

    /// Returns the new positions, and computes them if they are not known and may be few. If a set still grows in
    /// states, most of its positions are new.
    fn compute_new(&self, engine: &mut Engine, percent: usize) -> Result<Option<Dfa>> {
        let (now, Some(before)) = (self.now, self.before) else { return Ok(None) };
        if self.new.is_some() || !engine.passing() || now.num_states() > before.num_states() {
            return Ok(self.few_new(percent));
        }
        let new = engine.combine(&[now, before], |x| x[0] && !x[1])?;
        Ok(Some(new).filter(|new| self.is_little(new, percent)))
    }

    fn is_little(&self, new: &Dfa, percent: usize) -> bool {
        new.num_states() * 100 <= self.now.num_states() * percent
    }
}

/// Returns `W0 ∪ (preimage(lost) \ T)` and, if known, the positions that it adds to `so_far`, which is the result of
/// this step one ply earlier.
pub(super) fn win_step(
    engine: &mut Engine,
    side: Side,
    lost: Input<'_>,
    so_far: &Dfa,
    at_once: Option<&AtOnce>,
) -> Result<Growth> {
    let terminal = engine.terminal(side).clone();
    let Some(new) = lost.compute_new(engine, NEW_LOSSES)? else {
        let sides = [at_once.map_or(&terminal.win, |known| &known.win), &terminal.all];
        return Ok((engine.image(Operand::into(lost.now, side), &sides, is_won)?, None));
    };
    let sides = [so_far, &terminal.playing];
    let wins = engine.image(Operand::into(&new, side), &sides, |x, s| x && !s[0] && s[1])?;
    Ok((engine.combine(&[so_far, &wins], |x| x[0] || x[1])?, Some(wins)))
}

/// Returns `L0 ∪ (¬T \ preimage(¬won))` and, if known, the positions that it adds to `so_far`, which is the result of
/// this step one ply earlier.
pub(super) fn loss_step(
    engine: &mut Engine,
    side: Side,
    won: Input<'_>,
    so_far: &Dfa,
    at_once: Option<&AtOnce>,
) -> Result<Growth> {
    let terminal = engine.terminal(side).clone();
    let escape = Operand::avoiding(won.now, side);
    let open = at_once.map_or(&terminal.playing, |known| &known.open);
    let Some(new) = won.few_new(NEW_WINS) else {
        return Ok((engine.image(escape, &[&terminal.loss, open], is_lost)?, None));
    };
    let candidates = engine.image(Operand::into(&new, side), &[so_far, open], |x, s| x && !s[0] && s[1])?;
    drop(new);
    let losses = engine.image(escape, &[&candidates], |x, s| s[0] && !x)?;
    Ok((engine.combine(&[so_far, &losses], |x| x[0] || x[1])?, Some(losses)))
}
