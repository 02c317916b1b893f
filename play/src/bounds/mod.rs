//! Bounds on the value of a position that the solution does not cover, by a search of a few plies into the positions
//! that it covers (paper 001, sections 4 to 7; paper 004, section 3).
//!
//! Invariant: every range contains the value. Limits on plies and time make ranges wider, but never wrong.

mod early;
mod ground;
mod root;
mod terms;
mod tree;

use nerode_solver::error::Result;
use nerode_solver::stored::{Answer, Solution};

pub use early::{EarlyDone, EarlyNow, EarlySearch};
use ground::{AnyGround, SectorGround};
pub use terms::{Bounds, Goal, Means, Now, Search};

impl Search<'_> {
    /// Searches from the position of `answer`, and reports progress to `watch`.
    ///
    /// Cost: grows with every ply by a factor of the number of moves, with at most one position in memory for each
    /// visited one.
    ///
    /// # Errors
    /// Returns the errors of look-ups, [`nerode_solver::error::Error::Interrupted`], and
    /// [`nerode_solver::error::Error::Mismatch`] if the solution contradicts itself.
    pub fn run(&self, solution: &Solution, answer: &Answer, watch: &mut dyn FnMut(Now)) -> Result<Bounds> {
        match SectorGround::of(solution)? {
            Some(ground) => root::search(self, solution, &ground, answer, watch),
            None => root::search(self, solution, &AnyGround { solution }, answer, watch),
        }
    }
}
