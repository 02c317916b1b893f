//! Reachability by ply: `R_0 = {start}`, `R_{i+1} = image(R_i \ T)` (paper 004, section 3).

use nerode_dfa::{Dfa, Store};
use nerode_games::{Game, Side, side_at};

use crate::error::{Error, Lack, Result};
use crate::solve::engine::Engine;
use crate::solve::operand::Operand;

/// The iteration over `R_i`.
#[derive(Clone)]
pub struct Reach {
    ply: u32,
    side: Side,
    now: Dfa,
}

impl Reach {
    /// Starts at `R_0`.
    ///
    /// # Errors
    /// Returns an error if the start position does not fit the shape.
    pub fn new(engine: &Engine) -> Result<Self> {
        let (now, side) = engine.start()?;
        Ok(Self { ply: 0, side, now })
    }

    /// Continues from `R_ply`, which was computed earlier.
    pub fn resume(engine: &Engine, ply: u32, now: Dfa) -> Self {
        Self { ply, side: side_at(engine.game.as_ref(), ply), now }
    }

    /// Returns the ply i.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the side to move at this ply.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns `R_i`.
    pub fn set(&self) -> &Dfa {
        &self.now
    }

    /// Advances to `R_{i+1}`, or returns `false` without advancing if that set is empty.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the computation is interrupted.
    pub fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        let playing = engine.playing(&self.now, self.side)?;
        let next = engine.image(Operand::from(&playing, self.side), &[], |x, _| x)?;
        Ok(self.go_on(next))
    }

    /// Advances to the set of all admissible positions of the next ply, regardless of the current set. Returns `false`
    /// without advancing if there are none.
    ///
    /// # Errors
    /// Returns the same errors as [`admissible_at`].
    pub fn step_admissible(&mut self, engine: &mut Engine) -> Result<bool> {
        let room = engine.room();
        let next = admissible_at(engine.game.as_ref(), self.ply + 1, room)?;
        Ok(self.go_on(next))
    }

    fn go_on(&mut self, next: Dfa) -> bool {
        if next.is_empty() {
            return false;
        }
        self.now = next;
        self.side = self.side.other();
        self.ply += 1;
        true
    }
}

/// Returns the positions that are admissible after `ply` plies, which include all positions reachable then. Uses at
/// most `memory` bytes.
///
/// # Errors
/// Returns [`Error::NotForGame`] for a game that defines no such rule, or an error if memory is exhausted.
pub fn admissible_at(game: &dyn Game, ply: u32, memory: u64) -> Result<Dfa> {
    let mut store = Store::new(game.shape().clone(), memory)?;
    match game.admissible_at(&mut store, ply)? {
        Some(set) => Ok(store.freeze(&set)),
        None => Err(Error::NotForGame { game: game.spec(), lack: Lack::AdmissiblePositions }),
    }
}
