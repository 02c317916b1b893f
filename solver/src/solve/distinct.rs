//! Distinct positions of a forward search over all plies.
//!
//! If a game may never end, the sets R_i repeat and the search does not terminate by itself. It is complete once a ply
//! contains no new position with the same side to move, because the successors of all its positions have then been seen
//! as well.

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};

use super::engine::Engine;
use crate::error::Result;

/// The distinct pairs of position and side to move.
pub enum DistinctPositions {
    /// Their number, for games in which no position is reachable at two plies.
    Number(u128),
    /// The sets for each side, which may have more states than the set of any single ply.
    Sets([Dfa; 2]),
}

impl DistinctPositions {
    /// Starts with no positions, in a search of `game`.
    pub fn new(game: &dyn Game) -> Self {
        if game.plies_played(&game.start().0).is_some() {
            return Self::Number(0);
        }
        Self::Sets([(); 2].map(|()| Dfa::empty(game.shape())))
    }

    /// Adds the set `ply` with `side` to move, which contains `positions` positions, and returns the number of new
    /// ones.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted, the computation is interrupted, or the number does not fit into 128
    /// bits.
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

    /// Returns the number of distinct positions.
    ///
    /// # Errors
    /// Returns an error if the number does not fit into 128 bits.
    pub fn count(&self) -> Result<u128> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Sets([first, second]) => {
                Ok(first.count()?.checked_add(second.count()?).ok_or(nerode_dfa::Error::CountOverflow)?)
            }
        }
    }
}
