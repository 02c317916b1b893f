//! Retrograde analysis on whole sets (paper 004, section 2), over every word of the shape.
//!
//! ```text
//! W[p][i+1] = W0[p] ∪ (preimage_p(L[q][i]) \ T_p)
//! L[p][i+1] = L0[p] ∪ (¬T_p \ preimage_p(¬W[q][i]))
//! ```
//! Sets are cumulative: `W[p][i]` holds the positions that p, to move, wins within i plies. The sets `W[P1]`, `L[P2]` need only
//! each other, and so do `W[P2]`, `L[P1]`: two chains, of which one is enough where the sides are each other's mirror image.
//!
//! Where few positions are new, only those are moved:
//!
//! ```text
//! W[p][i+1] = W[p][i] ∪ (preimage_p(L[q][i] \ L[q][i-1]) \ T_p)
//! L[p][i+1] = L[p][i] ∪ (C \ preimage_p(¬W[q][i]))    C = preimage_p(W[q][i] \ W[q][i-1]) \ L[p][i] \ T_p
//! ```

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::engine::{Engine, Moved};
use crate::error::Result;
use crate::run_dir::Chains;

/// `W_i` and `L_i` of both sides; those of a chain that is not computed stay as at level 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// `win[p]`: positions with p to move that p wins within i plies.
    pub win: [Dfa; 2],
    /// `loss[p]`: positions with p to move that p loses within i plies.
    pub loss: [Dfa; 2],
}

/// New wins are moved alone if they have at most this part of the states of the opponent's lost positions, in percent.
const NEW_LOSSES: usize = 60;
/// The same for new losses, which need two passes then.
const NEW_WINS: usize = 30;

/// The iteration from `W_0`, `L_0` to the fixpoint.
pub struct Retrograde {
    chains: Chains,
    ply: u32,
    now: Level,
    /// The level before, to see what is new.
    before: Option<Level>,
}

impl Retrograde {
    /// Level 0: the terminal sets.
    pub fn new(engine: &Engine, chains: Chains) -> Self {
        let win = Side::BOTH.map(|p| engine.ended(p).win.clone());
        let loss = Side::BOTH.map(|p| engine.ended(p).loss.clone());
        Self { chains, ply: 0, now: Level { win, loss }, before: None }
    }

    /// Continues from a level computed earlier and the level before it.
    pub fn resume(chains: Chains, ply: u32, now: Level, before: Option<Level>) -> Self {
        Self { chains, ply, now, before }
    }

    /// The number of plies, i, of [`Retrograde::level`].
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The sets computed so far.
    pub fn level(&self) -> &Level {
        &self.now
    }

    /// Computes the next level; `false` at the fixpoint, which leaves everything as it was.
    ///
    /// A set whose input did not change is not computed again: where wins take an odd and losses an even number of plies,
    /// every other set is free.
    ///
    /// Cost: at most four images, or six of new positions alone.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption. The level reached stays valid.
    pub fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        let mut next = self.now.clone();
        for side in Side::BOTH {
            let (p, q) = (side.index(), side.other().index());
            let before = self.before.as_ref();
            let (won, lost) = (&self.now.win[q], &self.now.loss[q]);
            if self.chains.has_wins(side) && before.is_none_or(|b| b.loss[q] != *lost) {
                next.win[p] = win_step(engine, side, lost, before.map(|b| &b.loss[q]), &self.now.win[p])?;
            }
            if self.chains.has_losses(side) && before.is_none_or(|b| b.win[q] != *won) {
                next.loss[p] = loss_step(engine, side, won, before.map(|b| &b.win[q]), &self.now.loss[p])?;
            }
        }
        if next == self.now {
            return Ok(false);
        }
        self.before = Some(std::mem::replace(&mut self.now, next));
        self.ply += 1;
        Ok(true)
    }
}

/// What `now` has beyond `before`, if that is small enough for it to pay to move it alone.
fn news(engine: &mut Engine, now: &Dfa, before: Option<&Dfa>, percent: usize) -> Result<Option<Dfa>> {
    let Some(before) = before.filter(|_| engine.passing()) else { return Ok(None) };
    let new = engine.combine(&[now, before], |x| x[0] && !x[1])?;
    Ok((new.num_states() * 100 <= now.num_states() * percent).then_some(new))
}

/// `W0 ∪ (preimage(lost) \ T)`; `so_far` is what came of `before`.
fn win_step(engine: &mut Engine, side: Side, lost: &Dfa, before: Option<&Dfa>, so_far: &Dfa) -> Result<Dfa> {
    let ended = engine.ended(side).clone();
    match news(engine, lost, before, NEW_LOSSES)? {
        Some(new) => engine.image(Moved::into(&new, side), &[so_far, &ended.all], |x, s| s[0] || x && !s[1]),
        None => engine.image(Moved::into(lost, side), &[&ended.win, &ended.all], |x, s| s[0] || x && !s[1]),
    }
}

/// `L0 ∪ (¬T \ preimage(¬won))`; `so_far` is what came of `before`.
fn loss_step(engine: &mut Engine, side: Side, won: &Dfa, before: Option<&Dfa>, so_far: &Dfa) -> Result<Dfa> {
    let ended = engine.ended(side).clone();
    let escape = Moved::avoiding(won, side);
    match news(engine, won, before, NEW_WINS)? {
        Some(new) => {
            let sides = [so_far, &ended.playing];
            let candidates = engine.image(Moved::into(&new, side), &sides, |x, s| x && !s[0] && s[1])?;
            engine.image(escape, &[so_far, &candidates], |x, s| s[0] || s[1] && !x)
        }
        None => engine.image(escape, &[&ended.loss, &ended.playing], |x, s| s[0] || s[1] && !x),
    }
}
