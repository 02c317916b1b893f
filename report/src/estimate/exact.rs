//! What tables and sectors would take: everything but the time is counted.

use super::expected::{Basis, Expected, Range};
use super::sectors::Sectors;
use nerode_solver::explicit::bytes_needed;

/// Positions of whole morris games that a thread solves in a second, with what they lead to, and as files: `results/morris-sectors`
/// has 0.5 to 0.8 million for whole games, and 8 million for the fastest sector. Placements have got faster since: 2.7 million.
const SECTOR_POSITIONS_A_SECOND: Range<f64> = Range { low: 3.5e5, high: 4e6 };

/// What compression leaves of sector files at best: a part of this size. In sectors where nearly all is drawn it is less, in a whole game
/// more.
const LEAST_PART: u64 = 32;

/// Threads beyond which no speed was measured: the slow end takes more of them to bring nothing.
const MEASURED_THREADS: usize = 2;

/// Seconds that solving so many positions of sectors takes.
fn sector_seconds(orbits: f64, threads: usize) -> Range<f64> {
    let fast = SECTOR_POSITIONS_A_SECOND.high * threads.max(1) as f64;
    let slow = SECTOR_POSITIONS_A_SECOND.low * threads.clamp(1, MEASURED_THREADS) as f64;
    Range { low: orbits / fast, high: orbits / slow }
}

impl Sectors {
    /// What solving them takes on so many threads. Codes take a byte, or two where a depth does not fit one; files are compressed.
    pub fn expected(&self, threads: usize) -> Expected {
        let largest = self.largest_unit_bytes;
        Expected {
            basis: Basis::Exact,
            states: None,
            all_states: None,
            bytes: Range { low: self.bytes / LEAST_PART, high: self.bytes },
            memory_bytes: Range { low: largest, high: largest.saturating_mul(2) },
            least_memory_bytes: largest,
            most_least_memory_bytes: largest,
            seconds: sector_seconds(self.orbits as f64, threads),
        }
    }
}

/// Draws that a thread tells apart in a second: `results/ranked-draws`.
const RANKED_A_SECOND: Range<f64> = Range { low: 1e5, high: 1e6 };

/// Part of the positions that are drawn, as a divisor at the low end: in nine men's morris it is a fifth, in Lasker morris nearly all.
const LEAST_DRAWN: f64 = 8.0;

/// Bytes of the keys of a slot, and what compression leaves of them at best.
const KEY_BYTES: u64 = 4;
const LEAST_PART_OF_KEYS: u64 = 64;

impl Sectors {
    /// What telling the draws apart takes on so many threads, once the sectors are solved.
    pub fn expected_ranks(&self, threads: usize) -> Expected {
        let (orbits, least) = (self.orbits as f64, self.largest_unit_ranked_bytes);
        let (fast, slow) = (threads.max(1) as f64, threads.clamp(1, MEASURED_THREADS) as f64);
        let bytes = self.slots.saturating_mul(KEY_BYTES);
        Expected {
            bytes: Range { low: bytes / LEAST_PART_OF_KEYS, high: bytes },
            // A list of the draws that have a value, and of their origins.
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

/// Boards of a table solved in a second, for either side: `results/estimates`.
const BOARDS_A_SECOND: Range<f64> = Range { low: 1e5, high: 1e7 };

/// What a solve by a table would take; `None` where the boards have no number.
pub(super) fn of_table(words: Option<u128>) -> Option<Expected> {
    let boards = u64::try_from(words?).ok()?;
    let bytes = u64::try_from(bytes_needed(boards)).ok()?;
    Some(Expected {
        basis: Basis::Exact,
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

/// Part of the work from which on the speed of what is done says more than the records.
const ENOUGH_DONE: f64 = 0.01;

/// By how much the speed of what is left may differ from that of what is done, when hardly anything is.
const OTHER_SPEED: Range<f64> = Range { low: 0.25, high: 2.0 };

/// Seconds that the rest of a solve by sectors takes, where `done` of `total` slots took so many seconds. Early sectors, with few
/// stones, are solved faster than late ones, so the range is wide until much is done.
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

    /// Nine men's morris takes hours, whatever its first sectors take: 1 % of the slots in 70 s.
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
