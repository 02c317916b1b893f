//! Queries about many positions at once, without their moves.

use nerode_games::Position;
use rayon::prelude::*;

use super::found::Found;
use super::solution::Solution;
use nerode_solver::error::Result;

/// The minimum number of positions per thread: a look-up is quicker than handing it to another thread.
const AT_LEAST: usize = 64;

impl Solution {
    /// Returns the value and depth of each position. The look-ups run on the current thread pool, which uses all
    /// cores unless the caller installs another one.
    ///
    /// Cost: one look-up for each position. Files that have not been needed before are read.
    ///
    /// # Errors
    /// Returns the same errors as [`Solution::query`].
    ///
    /// # Panics
    /// Panics in the same cases as [`Solution::query`].
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
