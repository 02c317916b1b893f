//! Meet in the middle (paper 004, section 3): from the values of `R_{i+1}` to those of `R_i`.
//!
//! ```text
//! RW[i][j+1] = (R[i] ∩ W0) ∪ (P[i] ∩ preimage(RL[i+1][j]))             P[i] = R[i] \ T
//! RU[i][j+1] = (R[i] ∩ D0) ∪ (P[i] ∩ preimage(RU[i+1][j]) \ RW[i][j+1])
//! RL[i][j+1] = R[i] \ (RW[i][j+1] ∪ RU[i][j+1])
//! ```
//! The paper makes `RL` of a preimage of `RW`. By the definition a position is lost when *every* move is won by the opponent,
//! so no move may lead into `RL` or `RU`. A move into `RL` makes the position a win. So what is left to ask is whether a move
//! leads into `RU`, which has fewer states than `RL ∪ RU`.
//!
//! `T`, `W0` and `D0` are needed only within `R[i]`, where [`Engine::partition`] finds them: a set of all terminal words can be much
//! larger than any `R[i]`.

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::error::Result;
use crate::solve::engine::{Engine, Partition};
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
    /// `RU[i][j] = R[i] \ (RW[i][j] ∪ RL[i][j])`, draws among them.
    pub undecided: Dfa,
}

impl ReachedLayer {
    /// The layer of known wins and losses.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn new(engine: &mut Engine, all: Dfa, win: Dfa, loss: Dfa) -> Result<Self> {
        let undecided = engine.combine(&[&all, &win, &loss], |x| x[0] && !x[1] && !x[2])?;
        Ok(Self { all, win, loss, undecided })
    }

    /// The layer at which forward and backward search meet: `RW[i][j] = R[i] ∩ W[j]`, `RL[i][j] = R[i] ∩ L[j]`.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn meeting(engine: &mut Engine, all: Dfa, win: &Dfa, loss: &Dfa) -> Result<Self> {
        let win = engine.combine(&[&all, win], |x| x[0] && x[1])?;
        let loss = engine.combine(&[&all, loss], |x| x[0] && x[1])?;
        Self::new(engine, all, win, loss)
    }

    /// The layer at which a forward search without retrograde plies ends: `RW[i][0] = R[i] ∩ W0`, `RL[i][0] = R[i] ∩ L0`.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn terminal(engine: &mut Engine, all: Dfa, side: Side) -> Result<Self> {
        let Partition { playing, win, draw } = engine.partition(&all, side)?;
        let loss = engine.combine(&[&all, &playing, &win, &draw], |x| x[0] && !x[1..].contains(&true))?;
        let undecided = engine.combine(&[&playing, &draw], |x| x[0] || x[1])?;
        Ok(Self { all, win, loss, undecided })
    }

    /// The layer one ply earlier: `all` is `R[i]` with `side` to move, `self` the layer at i + 1.
    ///
    /// Cost: two preimages, of `RL` and of `RU`, and two combinations of `R[i]` with other sets. The preimage of an empty set costs
    /// next to nothing.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption.
    pub fn back_up(&self, engine: &mut Engine, all: Dfa, side: Side) -> Result<Self> {
        let over = engine.partition(&all, side)?;
        let won = |x: bool, s: &[bool]| x && s[0] || s[1];
        let win = engine.image(Moved::into(&self.loss, side), &[&over.playing, &over.win], won)?;
        let open = |x: bool, s: &[bool]| x && s[0] && !s[1] || s[2];
        let sides = [&over.playing, &win, &over.draw];
        let undecided = engine.image(Moved::into(&self.undecided, side), &sides, open)?;
        drop(over);
        let loss = engine.combine(&[&all, &win, &undecided], |x| x[0] && !x[1] && !x[2])?;
        Ok(Self { all, win, loss, undecided })
    }
}
