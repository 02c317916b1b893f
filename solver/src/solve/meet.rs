//! Meet in the middle (paper 004, section 3): computes the values of `R_i` from those of `R_{i+1}`.
//!
//! ```text
//! RW[i][j+1] = (R[i] ∩ W0) ∪ (P[i] ∩ preimage(RL[i+1][j]))             P[i] = R[i] \ T
//! RU[i][j+1] = (R[i] ∩ D0) ∪ (P[i] ∩ preimage(RU[i+1][j]) \ RW[i][j+1])
//! RL[i][j+1] = R[i] \ (RW[i][j+1] ∪ RU[i][j+1])
//! ```
//! The paper computes `RL` from a preimage of `RW`. By definition, a position is lost if *every* move leads to a win
//! for the opponent, so no move may lead into `RL` or `RU`. A move into `RL` makes the position a win. Hence it only
//! remains to determine whether a move leads into `RU`, which has fewer states than `RL ∪ RU`.
//!
//! `T`, `W0` and `D0` are needed only within `R[i]`, where [`Engine::partition`] computes them, because a set of all
//! terminal words can be much larger than any `R[i]`.

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::error::Result;
use crate::solve::engine::{Engine, Partition};
use crate::solve::operand::Operand;

/// The reachable positions of one ply, grouped by value for the side to move.
#[derive(Clone, Debug)]
pub struct ReachedLayer {
    /// `R[i]`.
    pub all: Dfa,
    /// `RW[i][j]`.
    pub win: Dfa,
    /// `RL[i][j]`.
    pub loss: Dfa,
    /// `RU[i][j] = R[i] \ (RW[i][j] ∪ RL[i][j])`, including draws.
    pub undecided: Dfa,
}

impl ReachedLayer {
    /// Creates the layer with the given wins and losses.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the computation is interrupted.
    pub fn new(engine: &mut Engine, all: Dfa, win: Dfa, loss: Dfa) -> Result<Self> {
        let undecided = engine.combine(&[&all, &win, &loss], |x| x[0] && !x[1] && !x[2])?;
        Ok(Self { all, win, loss, undecided })
    }

    /// Creates the layer at which forward and backward search meet: `RW[i][j] = R[i] ∩ W[j]`, `RL[i][j] = R[i] ∩ L[j]`.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the computation is interrupted.
    pub fn meeting(engine: &mut Engine, all: Dfa, win: &Dfa, loss: &Dfa) -> Result<Self> {
        let win = engine.combine(&[&all, win], |x| x[0] && x[1])?;
        let loss = engine.combine(&[&all, loss], |x| x[0] && x[1])?;
        Self::new(engine, all, win, loss)
    }

    /// Creates the layer at which a forward search without retrograde plies ends: `RW[i][0] = R[i] ∩ W0`,
    /// `RL[i][0] = R[i] ∩ L0`.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the computation is interrupted.
    pub fn terminal(engine: &mut Engine, all: Dfa, side: Side) -> Result<Self> {
        let Partition { playing, win, draw } = engine.partition(&all, side)?;
        let loss = engine.combine(&[&all, &playing, &win, &draw], |x| x[0] && !x[1..].contains(&true))?;
        let undecided = engine.combine(&[&playing, &draw], |x| x[0] || x[1])?;
        Ok(Self { all, win, loss, undecided })
    }

    /// Computes the layer one ply earlier, where `all` is `R[i]` with `side` to move, and `self` is the layer at i + 1.
    ///
    /// Cost: two preimages, of `RL` and of `RU`, and two combinations of `R[i]` with other sets. The preimage of an
    /// empty set is almost free.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the computation is interrupted.
    pub fn back_up(&self, engine: &mut Engine, all: Dfa, side: Side) -> Result<Self> {
        let over = engine.partition(&all, side)?;
        let won = |x: bool, s: &[bool]| x && s[0] || s[1];
        let win = engine.image(Operand::into(&self.loss, side), &[&over.playing, &over.win], won)?;
        let open = |x: bool, s: &[bool]| x && s[0] && !s[1] || s[2];
        let sides = [&over.playing, &win, &over.draw];
        let undecided = engine.image(Operand::into(&self.undecided, side), &sides, open)?;
        drop(over);
        let loss = engine.combine(&[&all, &win, &undecided], |x| x[0] && !x[1] && !x[2])?;
        Ok(Self { all, win, loss, undecided })
    }
}
