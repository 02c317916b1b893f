//! Meet in the middle (paper 004, section 3): from the values of `R_{i+1}` to those of `R_i`.
//!
//! ```text
//! RW[i][j+1] = R[i] ∩ (W0 ∪ preimage(RL[i+1][j]))
//! RL[i][j+1] = R[i] ∩ (L0 ∪ (¬T \ preimage(R[i+1] \ RW[i+1][j])))
//! ```
//! The paper prints the second with `preimage(RW[i+1][j])`; by the definition (a position is lost when *every* move is
//! won by the opponent) it is the complement of RW within R that must be unreachable. When `RU[i+1][j]` is empty,
//! `RL[i][j+1] = R[i] \ RW[i][j+1]`, which needs one preimage instead of two.

use nerode_dfa::Set;
use nerode_games::Side;

use crate::error::Result;
use crate::rules::Rules;

/// The reachable positions of one ply, by value for the side to move.
#[derive(Clone, Debug)]
pub struct Layer {
    /// `R[i]`.
    pub all: Set,
    /// `RW[i][j]`.
    pub win: Set,
    /// `RL[i][j]`.
    pub loss: Set,
}

impl Layer {
    /// The layer at which forward and backward search meet: `RW[i][j] = R[i] ∩ W[j]`, `RL[i][j] = R[i] ∩ L[j]`.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn meeting(rules: &mut Rules, all: Set, win: &Set, loss: &Set) -> Result<Self> {
        let win = rules.store.intersection(&all, win)?;
        let loss = rules.store.intersection(&all, loss)?;
        Ok(Self { all, win, loss })
    }

    /// `RU[i][j] = R[i] \ (RW[i][j] ∪ RL[i][j])`.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn undecided(&self, rules: &mut Rules) -> Result<Set> {
        let decided = rules.store.union(&self.win, &self.loss)?;
        Ok(rules.store.difference(&self.all, &decided)?)
    }

    /// The layer one ply earlier: `all` is `R[i]` with `side` to move, `self` the layer at i + 1.
    ///
    /// Cost: one preimage if everything at i + 1 is decided, else two.
    ///
    /// # Errors
    /// Running out of memory; interruption.
    pub fn back_up(&self, rules: &mut Rules, all: Set, side: Side) -> Result<Self> {
        let own = rules.side(side).clone();
        let into_loss = rules.preimage(&self.loss, side)?;
        let won = rules.store.union(&own.win, &into_loss)?;
        let win = rules.store.intersection(&all, &won)?;
        let loss = if self.undecided(rules)?.is_empty() && own.draw.is_empty() {
            rules.store.difference(&all, &win)?
        } else {
            let not_won = rules.store.difference(&self.all, &self.win)?;
            let escape = rules.store.preimage(&not_won, &own.moves)?;
            let playing = rules.store.difference(&all, &own.terminal)?;
            let forced = rules.store.difference(&playing, &escape)?;
            let over = rules.store.intersection(&all, &own.loss)?;
            rules.store.union(&over, &forced)?
        };
        Ok(Self { all, win, loss })
    }
}
