//! Checks of a finished run: [`one_ply`] on whole sets, [`tables`] against an explicit solution or database position by
//! position, [`sample`] on random positions against the plain rules, [`values`] of a values folder against its run. And of a
//! table: [`forward`] by playing every position forward.

pub mod forward;
pub mod one_ply;
pub mod sample;
pub mod tables;
pub mod values;

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
