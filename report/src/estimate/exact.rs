//! Estimates for tables and sectors, for which everything except the time is counted.

use super::expected::{Basis, Expected, Range};
use super::sectors::Sectors;
use nerode_oracle::bytes_needed;

/// The number of positions of complete morris games that one thread solves per second, including look-ups of successors
/// and writing files. The records of `results/morris-sectors` and `results/morris-nine` contain 0.5 to 2.5 million.
const SECTOR_POSITIONS_A_SECOND: Range<f64> = Range { low: 3.5e5, high: 3.5e6 };

/// The best compression ratio of sector files, as a divisor. Files take 0.15 to 0.4 bytes for each slot of the games in
/// `results/morris-relatives` and `results/morris-nine`, and less in sectors where nearly all positions are drawn.
const LEAST_PART: u64 = 10;

/// The ratio of the peak memory to that of the largest unit.
const MOST_MEMORY: u64 = 3;

/// The number of threads up to which the speed was measured. The slow end assumes that more threads do not help.
const MEASURED_THREADS: usize = 2;

/// Returns the time in seconds for solving the given number of positions of sectors.
fn sector_seconds(orbits: f64, threads: usize) -> Range<f64> {
    let fast = SECTOR_POSITIONS_A_SECOND.high * threads.max(1) as f64;
    let slow = SECTOR_POSITIONS_A_SECOND.low * threads.clamp(1, MEASURED_THREADS) as f64;
    Range { low: orbits / fast, high: orbits / slow }
}

impl Sectors {
    /// Returns the expected cost of solving the sectors with the given number of threads. A code takes one byte, or two
    /// if a depth does not fit into one. Files are compressed.
    pub fn expected(&self, threads: usize) -> Expected {
        let largest = self.largest_unit_bytes;
        Expected {
            basis: Basis::Exact,
            plies: None,
            states: None,
            all_states: None,
            bytes: Range { low: self.bytes / LEAST_PART, high: self.bytes },
            memory_bytes: Range { low: largest, high: largest.saturating_mul(MOST_MEMORY) },
            least_memory_bytes: largest,
            most_least_memory_bytes: largest,
            seconds: sector_seconds(self.orbits as f64, threads),
        }
    }
}

/// The number of draws that one thread distinguishes per second: `results/ranked-draws`.
const RANKED_A_SECOND: Range<f64> = Range { low: 1e5, high: 1e6 };

/// The divisor for the fraction of drawn positions at the low end. The fraction is a fifth in nine men's morris, and
/// nearly one in Lasker morris.
const LEAST_DRAWN: f64 = 8.0;

/// The size of the keys of a slot in bytes, and their best compression ratio.
const KEY_BYTES: u64 = 4;
const LEAST_PART_OF_KEYS: u64 = 64;

impl Sectors {
    /// Returns the expected cost of distinguishing the draws with the given number of threads, after the sectors are solved.
    pub fn expected_ranks(&self, threads: usize) -> Expected {
        let (orbits, least) = (self.orbits as f64, self.largest_unit_ranked_bytes);
        let (fast, slow) = (threads.max(1) as f64, threads.clamp(1, MEASURED_THREADS) as f64);
        let bytes = self.slots.saturating_mul(KEY_BYTES);
        Expected {
            bytes: Range { low: bytes / LEAST_PART_OF_KEYS, high: bytes },
            // The memory includes a list of the draws that have a value, and of their origins.
            memory_bytes: Range { low: least, high: least.saturating_mul(3) },
            least_memory_bytes: least,
            most_least_memory_bytes: least,
            seconds: Range {
                low: orbits / LEAST_DRAWN / (RANKED_A_SECOND.high * fast),
                high: orbits / (RANKED_A_SECOND.low * slow),
            },
            ..self.expected(threads)
        }
    }
}

/// The number of boards of a table solved per second, for either side: 0.6 million in `results/amazons`.
const BOARDS_A_SECOND: Range<f64> = Range { low: 1e5, high: 1e6 };

/// Returns the expected cost of a solve by a table, or `None` if the boards cannot be indexed.
pub(super) fn of_table(words: Option<u128>) -> Option<Expected> {
    let boards = u64::try_from(words?).ok()?;
    let bytes = u64::try_from(bytes_needed(boards)).ok()?;
    Some(Expected {
        basis: Basis::Exact,
        plies: None,
        states: None,
        all_states: None,
        bytes: Range::known(bytes),
        memory_bytes: Range { low: bytes, high: bytes.saturating_add(bytes / 8) },
        least_memory_bytes: bytes,
        most_least_memory_bytes: bytes,
        seconds: Range {
            low: boards as f64 / BOARDS_A_SECOND.high,
            high: boards as f64 / BOARDS_A_SECOND.low,
        },
    })
}

/// The fraction of the work from which the measured speed is more reliable than the records.
const ENOUGH_DONE: f64 = 0.01;

/// The factors by which the speed of the remaining work may differ from the measured speed at the beginning.
const OTHER_SPEED: Range<f64> = Range { low: 0.25, high: 2.0 };

/// Returns the range of seconds for the rest of a solve by sectors if `done` of `total` slots took `seconds`. Early
/// sectors, with few stones, are solved faster than late ones, so the range is wide until a large part is done.
pub fn seconds_left(done: u64, total: u64, seconds: f64, threads: usize) -> Range<f64> {
    let left = total.saturating_sub(done) as f64;
    let part = done as f64 / total.max(1) as f64;
    if part < ENOUGH_DONE || seconds <= 0.0 {
        return sector_seconds(left, threads);
    }
    let middle = seconds * left / done as f64;
    Range { low: middle * OTHER_SPEED.high.powf(part - 1.0), high: middle * OTHER_SPEED.low.powf(part - 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_exact_but_for_the_time() {
        let expected = of_table(Some(1000)).unwrap();
        assert_eq!((expected.basis, expected.memory_bytes.low), (Basis::Exact, 4000));
        assert!(of_table(None).is_none() && of_table(Some(u128::MAX)).is_none());
    }

    /// Checks that nine men's morris is expected to take hours, regardless of its first sectors: 1 % of the slots in 70 s.
    #[test]
    fn the_time_left_is_by_slots_and_narrows_as_they_are_solved() {
        let total = 29_000_000_000;
        let hours = |range: Range<f64>| [range.low / 3600.0, range.high / 3600.0];
        let [low, high] = hours(seconds_left(60_000_000, total, 3.2, 2));
        assert!((1.0..5.0).contains(&low) && high > 5.0, "{low} {high}");
        let [low, high] = hours(seconds_left(total / 100, total, 70.0, 2));
        assert!((0.5..5.0).contains(&low) && high > 5.0, "{low} {high}");
        let late = seconds_left(total / 10 * 9, total, 18_000.0, 2);
        assert!(late.high < 1.3 * late.low && late.contains(2000.0), "{late:?}");
        assert_eq!(seconds_left(total, total, 18_000.0, 2), Range::known(0.0));
    }
}
