//! Checks of a finished run: [`one_ply`] on whole sets, [`tables`] against an explicit solution or database position by
//! position, [`sample`] on random positions against the plain rules, and [`values`] of a values folder against its run.
//! [`forward`] checks a table by playing every position forward, and [`early`] the depths that are stored with a run from the start.
//!
//! Every check counts positions, that is, boards with a side to move, and each of them once, also if it occurs at several plies or
//! breaks several laws. Symmetric positions are different positions.

mod distinct;
pub mod early;
pub mod forward;
pub mod one_ply;
mod packed;
pub mod sample;
pub mod tables;
pub mod values;

use crate::archive::stored_run::StoredRun;
use crate::outcome::Outcome;

/// Returns `true` if a run may assign the outcome `said` to a position that has the outcome `expected` in a finished
/// solution.
pub fn agrees(solution: &StoredRun, said: Outcome, expected: Outcome) -> bool {
    fits(said, expected, (!solution.is_complete()).then(|| solution.last_ply()))
}

/// Compares outcomes as [`agrees`] does, where `cut_after` is the last ply of a run limited to that number of plies.
/// Such a run may leave a position unknown unless it is decided within these plies.
fn fits(said: Outcome, expected: Outcome, cut_after: Option<u32>) -> bool {
    let is_beyond = |last| expected.depth().is_none_or(|depth| depth > last);
    said == expected || (said == Outcome::Unknown && cut_after.is_some_and(is_beyond))
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of positions whose values were checked. Positions that a run leaves unknown have no value, and do not count.
    pub checked: u128,
    /// The number of positions that are wrong: what is stored about them does not follow from what is stored about the positions to
    /// which their moves lead, or differs from the solution with which they were compared. A wrong number in a manifest counts as
    /// one.
    pub mismatches: u128,
    /// The number of positions that have no stored value and are not wrong, if the check counts them.
    pub unknown: u128,
    /// A description of the first mismatch.
    pub first_mismatch: Option<String>,
}

impl Report {
    /// Adds `n` wrong positions, of which `describe` describes the first.
    pub fn wrong(&mut self, n: u128, describe: impl FnOnce() -> String) {
        if n > 0 {
            self.mismatches += n;
            self.first_mismatch.get_or_insert_with(describe);
        }
    }

    /// Adds a position that is wrong if `is_wrong`, and otherwise checked unless its stored value `is_unknown`.
    pub fn position(&mut self, is_unknown: bool, is_wrong: bool, describe: impl FnOnce() -> String) {
        self.checked += u128::from(is_wrong || !is_unknown);
        self.unknown += u128::from(is_unknown && !is_wrong);
        self.wrong(is_wrong.into(), describe);
    }

    /// Adds the result for other positions.
    pub fn merge(&mut self, other: Report) {
        self.checked += other.checked;
        self.mismatches += other.mismatches;
        self.unknown += other.unknown;
        if self.first_mismatch.is_none() {
            self.first_mismatch = other.first_mismatch;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Depth;

    #[test]
    fn only_what_lies_beyond_its_plies_may_be_unknown_to_a_run() {
        let win = |plies| Outcome::Win(Depth::Exact(plies));
        assert!(fits(Outcome::Unknown, win(4), Some(3)) && fits(Outcome::Unknown, Outcome::DRAW, Some(3)));
        assert!(!fits(Outcome::Unknown, win(3), Some(3)), "decided within the plies");
        assert!(!fits(Outcome::Unknown, win(4), None) && !fits(Outcome::Unknown, Outcome::DRAW, None));
        assert!(fits(win(2), win(2), Some(3)) && !fits(win(2), win(4), Some(3)));
        assert!(!fits(Outcome::DRAW, win(4), Some(3)), "a wrong claim");
    }
}
