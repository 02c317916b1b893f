//! Reachability by ply: `R_0 = {start}`, `R_{i+1} = image(R_i \ T)` (paper 004, section 3).

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};

use crate::engine::{Engine, Moved};
use crate::error::Result;

/// The iteration over `R_i`.
pub struct Reach {
    ply: u32,
    side: Side,
    now: Dfa,
}

impl Reach {
    /// `R_0`.
    ///
    /// # Errors
    /// A start position that does not fit the shape.
    pub fn new(engine: &Engine) -> Result<Self> {
        let (now, side) = engine.start()?;
        Ok(Self { ply: 0, side, now })
    }

    /// Continues from `R_ply` computed earlier.
    pub fn resume(engine: &Engine, ply: u32, now: Dfa) -> Self {
        Self { ply, side: side_at(engine.game.as_ref(), ply), now }
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
    pub fn set(&self) -> &Dfa {
        &self.now
    }

    /// Goes on to `R_{i+1}`; `false`, and stays, when that is empty.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        let ended = engine.ended(self.side).all.clone();
        let playing = engine.combine(&[&self.now, &ended], |x| x[0] && !x[1])?;
        let next = engine.image(Moved::from(&playing, self.side), &[], |x, _| x)?;
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
pub fn side_at(game: &dyn Game, ply: u32) -> Side {
    let first = game.start().1;
    if ply.is_multiple_of(2) { first } else { first.other() }
}
