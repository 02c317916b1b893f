//! Many positions at once, their moves left aside.

use nerode_games::Position;
use rayon::prelude::*;

use super::found::Found;
use super::solution::Solution;
use nerode_solver::error::Result;

/// Positions that a thread takes at least: a look-up is quicker than handing it to another thread.
const AT_LEAST: usize = 64;

impl Solution {
    /// Value and depth of each position, on the threads of the pool in force: all cores unless the caller installs another.
    ///
    /// Cost: a look-up for each position; files that were not needed before are read.
    ///
    /// # Errors
    /// As [`Solution::query`].
    ///
    /// # Panics
    /// As [`Solution::query`].
    ///
    /// # Examples
    /// ```
    /// let solution = nerode::open("breakthrough:3x4")?.solve(nerode::Options::default())?;
    /// let positions = solution.sample(100, 1)?;
    /// let found = solution.query_many(&positions)?;
    /// assert_eq!(found[7].depth(), solution.query(&positions[7])?.depth());
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn query_many(&self, positions: &[Position]) -> Result<Vec<Found>> {
        positions.par_iter().with_min_len(AT_LEAST).map(|position| self.look_up(position)).collect()
    }
}
