//! Meet in the middle (paper 004, section 3): from the values of `R_{i+1}` to those of `R_i`.
//!
//! ```text
//! RW[i][j+1] = R[i] ∩ (W0 ∪ preimage(RL[i+1][j]))
//! RL[i][j+1] = R[i] ∩ (L0 ∪ (¬T \ preimage(R[i+1] \ RW[i+1][j])))
//! ```
//! The paper prints the second with `preimage(RW[i+1][j])`; by the definition (a position is lost when *every* move is
//! won by the opponent) it is the complement of RW within R that must be unreachable. When `RU[i+1][j]` is empty,
//! `RL[i][j+1] = R[i] \ RW[i][j+1]`, which needs one preimage instead of two.

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::moved::Moved;

/// The reachable positions of one ply, by value for the side to move.
#[derive(Clone, Debug)]
pub struct ReachedLayer {
    /// `R[i]`.
    pub all: Dfa,
    /// `RW[i][j]`.
    pub win: Dfa,
    /// `RL[i][j]`.
    pub loss: Dfa,
}

impl ReachedLayer {
    /// The layer at which forward and backward search meet: `RW[i][j] = R[i] ∩ W[j]`, `RL[i][j] = R[i] ∩ L[j]`.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn meeting(engine: &mut Engine, all: Dfa, win: &Dfa, loss: &Dfa) -> Result<Self> {
        let win = engine.combine(&[&all, win], |x| x[0] && x[1])?;
        let loss = engine.combine(&[&all, loss], |x| x[0] && x[1])?;
        Ok(Self { all, win, loss })
    }

    /// `RU[i][j] = R[i] \ (RW[i][j] ∪ RL[i][j])`.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn undecided(&self, engine: &mut Engine) -> Result<Dfa> {
        engine.combine(&[&self.all, &self.win, &self.loss], |x| x[0] && !x[1] && !x[2])
    }

    /// The layer one ply earlier: `all` is `R[i]` with `side` to move, `self` the layer at i + 1.
    ///
    /// Cost: one preimage if everything at i + 1 is decided, else two.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn back_up(&self, engine: &mut Engine, all: Dfa, side: Side) -> Result<Self> {
        let ended = engine.ended(side).clone();
        let won = |x: bool, s: &[bool]| s[0] && (s[1] || x && !s[2]);
        let win = engine.image(Moved::into(&self.loss, side), &[&all, &ended.win, &ended.all], won)?;
        let loss = if self.undecided(engine)?.is_empty() && ended.draw.is_empty() {
            engine.combine(&[&all, &win], |x| x[0] && !x[1])?
        } else {
            let not_won = engine.combine(&[&self.all, &self.win], |x| x[0] && !x[1])?;
            let lost = |x: bool, s: &[bool]| s[0] && (s[1] || !x && !s[2]);
            engine.image(Moved::into(&not_won, side), &[&all, &ended.loss, &ended.all], lost)?
        };
        Ok(Self { all, win, loss })
    }
}
