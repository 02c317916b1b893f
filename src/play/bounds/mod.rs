//! What a position is worth at least and at most, where the solution does not say: a search for a few plies into what it does say
//! (paper 001, sections 4 to 7; paper 004, section 3).
//!
//! Invariant: every range holds the value. Limits of plies and time make ranges wider, never wrong.

mod early;
mod ground;
mod root;
mod terms;
mod tree;

use crate::facade::{Answer, Solution};
use nerode_solver::error::Result;

pub use early::{EarlyDone, EarlyNow, EarlySearch};
use ground::{AnyGround, SectorGround};
pub use terms::{Bounds, Means, Now, Search};

impl Search<'_> {
    /// Searches from the position of `answer`, and tells `watch` how far it is.
    ///
    /// *Cost*: grows with every ply by the number of moves; at most one position in memory for each that is visited.
    ///
    /// # Errors
    /// Those of look-ups; [`crate::Error::Interrupted`]; [`crate::Error::Mismatch`] where the solution contradicts itself.
    pub fn run(&self, solution: &Solution, answer: &Answer, watch: &mut dyn FnMut(Now)) -> Result<Bounds> {
        match SectorGround::of(solution)? {
            Some(ground) => root::search(self, solution, &ground, answer, watch),
            None => root::search(self, solution, &AnyGround { solution }, answer, watch),
        }
    }
}
