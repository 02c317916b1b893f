//! Preparation of runs for the builders: verifies them and makes them as long as possible.

use super::WIN;
use crate::error::{Error, Result};

/// An iterator that joins adjacent runs of the same value, skips empty ones, and ends with an error unless the runs
/// cover the positions exactly.
pub(super) struct Merged<I, T> {
    runs: I,
    num_positions: u64,
    covered: u64,
    pending: Option<(T, u64)>,
    ended: bool,
}

/// Merges `runs`, which must cover `num_positions` positions.
pub(super) fn merged<T, I: Iterator<Item = (T, u64)>>(num_positions: u64, runs: I) -> Merged<I, T> {
    Merged { runs, num_positions, covered: 0, pending: None, ended: false }
}

impl<T: Copy + PartialEq, I: Iterator<Item = (T, u64)>> Iterator for Merged<I, T> {
    type Item = Result<(T, u64)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        for (value, len) in self.runs.by_ref().filter(|&(_, len)| len > 0) {
            let covered = self.covered.checked_add(len).filter(|&covered| covered <= self.num_positions);
            let Some(covered) = covered else {
                self.ended = true;
                let found = u128::from(self.covered) + u128::from(len);
                return Some(Err(wrong_total(found, self.num_positions)));
            };
            self.covered = covered;
            match &mut self.pending {
                Some((last, total)) if *last == value => *total += len,
                pending => {
                    if let Some(run) = pending.replace((value, len)) {
                        return Some(Ok(run));
                    }
                }
            }
        }
        if let Some(run) = self.pending.take() {
            return Some(Ok(run));
        }
        self.ended = true;
        if self.covered == self.num_positions {
            return None;
        }
        Some(Err(wrong_total(self.covered.into(), self.num_positions)))
    }
}

/// Returns the error for runs that do not cover the positions exactly.
fn wrong_total(covered: u128, num_positions: u64) -> Error {
    Error::Mismatch {
        what: "runs of values".into(),
        found: format!("{covered} positions"),
        expected: format!("{num_positions}"),
    }
}

/// Returns `code` if it is valid.
pub(super) fn check_code(code: u8) -> Result<u8> {
    if code <= WIN {
        return Ok(code);
    }
    let form = "codes are 0 unknown, 1 loss, 2 draw, 3 win";
    Err(Error::Malformed { what: "the code of a value", text: code.to_string(), form })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(n: u64, runs: &[(u8, u64)]) -> Result<Vec<(u8, u64)>> {
        merged(n, runs.iter().copied()).collect()
    }

    #[test]
    fn joins_and_drops() {
        assert_eq!(all(9, &[(1, 0), (1, 2), (1, 3), (0, 0), (1, 1), (2, 3)]).unwrap(), [(1, 6), (2, 3)]);
        assert_eq!(all(0, &[(1, 0)]).unwrap(), []);
    }

    #[test]
    fn wrong_totals_are_errors_that_end_the_iteration() {
        for runs in [&[(1, 3), (2, 3)][..], &[(1, 8)], &[], &[(1, u64::MAX), (2, u64::MAX)]] {
            assert!(all(7, runs).is_err());
            assert!(merged(7, runs.iter().copied()).count() <= 3);
        }
    }
}
