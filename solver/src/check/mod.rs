//! Checks of a finished run: [`one_ply`] on whole sets, [`tables`] against an explicit solution or database position by
//! position, [`sample`] on random positions against the plain rules, [`values`] of a values folder against its run. And of a
//! table: [`forward`] by playing every position forward.

pub mod forward;
pub mod one_ply;
pub mod sample;
pub mod tables;
pub mod values;

use crate::archive::stored_run::StoredRun;
use crate::outcome::Outcome;

/// Whether a run is right to say `said` of a position of which a finished solution says `expected`.
pub fn agrees(solution: &StoredRun, said: Outcome, expected: Outcome) -> bool {
    fits(said, expected, (!solution.is_complete()).then(|| solution.last_ply()))
}

/// As [`agrees`]. `cut_after`: the last ply of a run that was cut short. It may say that it does not know, except where the game
/// is decided within its plies.
fn fits(said: Outcome, expected: Outcome, cut_after: Option<u32>) -> bool {
    let is_beyond = |last| expected.depth().is_none_or(|depth| depth > last);
    said == expected || (said == Outcome::Unknown && cut_after.is_some_and(is_beyond))
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions covered, counted once per side.
    pub checked: u128,
    /// Positions, or set relations, that are wrong.
    pub mismatches: u128,
    /// The first thing wrong, in words.
    pub first_mismatch: Option<String>,
}

impl Report {
    /// Adds `n` wrong positions; `describe` words the first.
    pub fn wrong(&mut self, n: u128, describe: impl FnOnce() -> String) {
        if n > 0 {
            self.mismatches += n;
            self.first_mismatch.get_or_insert_with(describe);
        }
    }

    /// Adds what another check found.
    pub fn merge(&mut self, other: Report) {
        self.checked += other.checked;
        self.mismatches += other.mismatches;
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
