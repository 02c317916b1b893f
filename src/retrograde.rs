//! Retrograde analysis on whole sets (paper 004, section 2), for both sides, over every word of the shape.
//!
//! ```text
//! W[p][i+1] = W0[p] ∪ (preimage_p(L[q][i]) \ T_p)
//! L[p][i+1] = L0[p] ∪ (¬T_p \ preimage_p(¬W[q][i]))
//! ```
//! Sets are cumulative: `W[p][i]` holds the positions that p, to move, wins within i plies.

use nerode_dfa::Set;
use nerode_games::Side;

use crate::error::Result;
use crate::rules::Rules;

/// `W_i` and `L_i` of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// `win[p]`: positions with p to move that p wins within i plies.
    pub win: [Set; 2],
    /// `loss[p]`: positions with p to move that p loses within i plies.
    pub loss: [Set; 2],
}

/// The iteration from `W_0`, `L_0` to the fixpoint.
pub struct Retrograde {
    ply: u32,
    now: Level,
    /// The level before, to see which inputs changed.
    before: Option<Level>,
}

impl Retrograde {
    /// Level 0: the terminal sets.
    pub fn new(rules: &Rules) -> Self {
        let of = |pick: fn(&crate::rules::SideRules) -> &Set| Side::BOTH.map(|p| pick(rules.side(p)).clone());
        Self { ply: 0, now: Level { win: of(|r| &r.win), loss: of(|r| &r.loss) }, before: None }
    }

    /// Continues from a level computed earlier and the level before it.
    pub fn resume(ply: u32, now: Level, before: Option<Level>) -> Self {
        Self { ply, now, before }
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
    /// Cost: at most four preimages.
    ///
    /// # Errors
    /// Running out of memory; interruption. The level reached stays valid.
    pub fn step(&mut self, rules: &mut Rules) -> Result<bool> {
        let mut next = self.now.clone();
        for side in Side::BOTH {
            let (p, q) = (side.index(), side.other().index());
            if self.before.as_ref().is_none_or(|b| b.loss[q] != self.now.loss[q]) {
                next.win[p] = win_step(rules, side, &self.now.loss[q])?;
            }
            if self.before.as_ref().is_none_or(|b| b.win[q] != self.now.win[q]) {
                next.loss[p] = loss_step(rules, side, &self.now.win[q])?;
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

/// `W0 ∪ (preimage(lost) \ T)`.
fn win_step(rules: &mut Rules, side: Side, lost: &Set) -> Result<Set> {
    let reach = rules.preimage(lost, side)?;
    let own = rules.side(side).win.clone();
    Ok(rules.store.union(&own, &reach)?)
}

/// `L0 ∪ (¬T \ preimage(¬won))`.
fn loss_step(rules: &mut Rules, side: Side, won: &Set) -> Result<Set> {
    let own = rules.side(side).clone();
    let not_won = rules.store.complement(won)?;
    let escape = rules.store.preimage(&not_won, &own.moves)?;
    let forced = rules.store.difference(&own.playing, &escape)?;
    Ok(rules.store.union(&own.loss, &forced)?)
}
