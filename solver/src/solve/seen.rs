//! Distinct positions of a forward search, over all plies.
//!
//! Where play may go on for ever the sets R_i come up again and again, and the search never ends by itself. It is complete once a
//! ply has no position that was not seen before with the same side to move: what its moves lead to was seen then as well.

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};

use super::engine::Engine;
use crate::error::Result;

/// Distinct (position, side to move).
pub enum Seen {
    /// How many, where no position is reached at two plies.
    Number(u128),
    /// Those of each side, which may have more states than any ply's.
    Sets([Dfa; 2]),
}

impl Seen {
    /// None so far, in a search of `game`.
    pub fn new(game: &dyn Game) -> Self {
        if game.plies_are_disjoint() {
            return Self::Number(0);
        }
        Self::Sets([(); 2].map(|()| Dfa::empty(game.shape())))
    }

    /// Adds the set `ply` with `side` to move, of so many positions. How many of them are new.
    ///
    /// # Errors
    /// Running out of memory; interruption; more positions than 128 bits can number.
    pub fn add(&mut self, engine: &mut Engine, side: Side, ply: &Dfa, positions: u128) -> Result<u128> {
        match self {
            Self::Number(number) => {
                *number = number.checked_add(positions).ok_or(nerode_dfa::Error::CountOverflow)?;
                Ok(positions)
            }
            Self::Sets(sets) => {
                let set = &mut sets[side.index()];
                let before = set.count()?;
                *set = engine.combine(&[set, ply], |x| x[0] || x[1])?;
                Ok(set.count()?.saturating_sub(before))
            }
        }
    }

    /// How many were seen.
    ///
    /// # Errors
    /// More than 128 bits can number.
    pub fn count(&self) -> Result<u128> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Sets([first, second]) => {
                Ok(first.count()?.checked_add(second.count()?).ok_or(nerode_dfa::Error::CountOverflow)?)
            }
        }
    }
}
