//! Reachability by ply: `R_0 = {start}`, `R_{i+1} = image(R_i \ T)` (paper 004, section 3).

use nerode_dfa::Set;
use nerode_games::Side;

use crate::error::Result;
use crate::rules::Rules;

/// The iteration over `R_i`.
pub struct Reach {
    ply: u32,
    side: Side,
    now: Set,
}

impl Reach {
    /// `R_0`.
    ///
    /// # Errors
    /// Running out of memory.
    pub fn new(rules: &mut Rules) -> Result<Self> {
        let (now, side) = rules.start()?;
        Ok(Self { ply: 0, side, now })
    }

    /// Continues from `R_ply` computed earlier.
    pub fn resume(rules: &Rules, ply: u32, now: Set) -> Self {
        Self { ply, side: side_at(rules, ply), now }
    }

    /// i.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Who moves at this ply.
    pub fn side(&self) -> Side {
        self.side
    }

    /// `R_i`.
    pub fn set(&self) -> &Set {
        &self.now
    }

    /// Goes on to `R_{i+1}`; `false`, and stays, when that is empty.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn step(&mut self, rules: &mut Rules) -> Result<bool> {
        let next = rules.image(&self.now, self.side)?;
        if next.is_empty() {
            return Ok(false);
        }
        self.now = next;
        self.side = self.side.other();
        self.ply += 1;
        Ok(true)
    }
}

/// Who moves after `ply` plies from the start.
pub fn side_at(rules: &Rules, ply: u32) -> Side {
    let first = rules.game.start().1;
    if ply.is_multiple_of(2) { first } else { first.other() }
}
