//! From what was seen to what a whole solve would take.

use serde::Serialize;

use super::course::Course;
use super::family::{self, Smaller};
use super::fit;
use super::sectors::Sectors;
use crate::explicit::bytes_needed;

/// From a low to a high end, both of which are possible.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range<T> {
    /// The low end.
    pub low: T,
    /// The high end.
    pub high: T,
}

impl<T: Copy + PartialOrd> Range<T> {
    /// Whether `number` lies in it.
    pub fn contains(&self, number: T) -> bool {
        self.low <= number && number <= self.high
    }
}

/// What an estimate rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The game was solved while the estimate was made.
    Solved,
    /// Smaller boards of the family were solved.
    SmallerBoards,
    /// Growth over the first plies was carried on.
    Growth,
    /// Positions are counted exactly; only the time is a range.
    Exact,
}

/// What a whole solve would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expected {
    /// What the numbers rest on.
    pub basis: Basis,
    /// States of the ply with most, if sets are made.
    #[serde(rename = "num_states")]
    pub states: Option<Range<u64>>,
    /// States of all sets together.
    pub all_states: Option<Range<u64>>,
    /// Bytes on disk.
    pub bytes: Range<u64>,
    /// Peak memory, where it is not capped.
    pub memory_bytes: Range<u64>,
    /// The least memory that a solve can do with, by working on a part of a ply at a time.
    pub least_memory_bytes: u64,
    /// Seconds.
    pub seconds: Range<f64>,
}

/// Bytes of memory for each state of the largest ply, see `results/estimates`.
const BYTES_A_STATE: Range<f64> = Range { low: 60.0, high: 350.0 };

/// The same where a ply is worked on in parts: 6x6 of Breakthrough was moved with 28, see `results/breakthrough-6x6`.
const LEAST_BYTES_A_STATE: f64 = 28.0;

/// Bytes that the program itself takes.
const PROGRAM_BYTES: f64 = 5e6;

/// Bytes that recursions take while sets are small.
const RECURSIONS_BYTES: f64 = 128e6;

/// How many times what the engine holds after a ply it may hold during one.
const WITHIN_A_PLY: f64 = 3.0;

/// Bytes of a file for each state, where none was written.
const FILE_BYTES_A_STATE: f64 = 4.5;

/// By how much bytes a state in files differ between small and large sets.
const FILES: Range<f64> = Range { low: 0.7, high: 1.6 };

/// States made in a second where nothing was seen: `results/breakthrough-boards`.
const STATES_A_SECOND: f64 = 3e5;

/// By how much speed on a whole solve differs from that on small sets.
const SPEED: Range<f64> = Range { low: 0.2, high: 2.0 };

/// Seconds that a solve must have been watched for before its speed counts.
const LEAST_SECONDS: f64 = 0.2;

/// By how much one solve differs from the next, where the game was solved itself.
const AGAIN: Range<f64> = Range { low: 0.5, high: 2.0 };

/// Whole numbers from `low` to `high`.
fn whole(low: f64, high: f64) -> Range<u64> {
    Range { low: low as u64, high: high as u64 }
}

/// What bounds every ply, whatever the growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// States that the words allow.
    pub(super) states: f64,
    /// Positions with one side to move that are admissible, or all words.
    pub(super) positions: f64,
}

/// What a solve by sets would take.
pub(super) fn of_sets(spec: &str, course: &Course, smaller: &[Smaller], most: Bounds) -> Expected {
    if course.finished {
        return solved(course);
    }
    let seen = course.largest as f64;
    // A fit that hardly reaches what was seen already is refuted.
    let fitted = by_smaller(spec, smaller).filter(|[states, _]| states.high >= 2.0 * seen);
    let (basis, states, all) = match fitted {
        Some([states, all]) => (Basis::SmallerBoards, states, all),
        None => {
            let [states, all] = by_growth(course, most);
            (Basis::Growth, states, all)
        }
    };
    // No less than was seen, no more than the words allow.
    let within = |states: f64| states.max(seen).min(most.states.max(seen));
    let states = Range { low: within(states.low), high: within(states.high) };
    let all = Range { low: all.low.max(course.all as f64), high: all.high.max(course.all as f64) };
    let a_state = file_bytes_a_state(course, smaller);
    let speed = speed(course, smaller);
    let base = course.first_bytes as f64 + PROGRAM_BYTES;
    Expected {
        basis,
        states: Some(whole(states.low, states.high)),
        all_states: Some(whole(all.low, all.high)),
        bytes: whole(all.low * a_state * FILES.low, all.high * a_state * FILES.high),
        memory_bytes: whole(
            PROGRAM_BYTES + states.low * BYTES_A_STATE.low,
            base * WITHIN_A_PLY + RECURSIONS_BYTES + states.high * BYTES_A_STATE.high,
        ),
        least_memory_bytes: (PROGRAM_BYTES + states.low * LEAST_BYTES_A_STATE) as u64,
        seconds: Range { low: all.low / (speed * SPEED.high), high: all.high / (speed * SPEED.low) },
    }
}

/// What was seen to the end.
fn solved(course: &Course) -> Expected {
    let (states, base) = (course.largest as f64, course.first_bytes as f64 + PROGRAM_BYTES);
    Expected {
        basis: Basis::Solved,
        states: Some(Range { low: course.largest, high: course.largest }),
        all_states: Some(Range { low: course.all, high: course.all }),
        bytes: Range { low: course.bytes, high: course.bytes },
        memory_bytes: whole(
            PROGRAM_BYTES + states * BYTES_A_STATE.low,
            base * WITHIN_A_PLY + RECURSIONS_BYTES + states * BYTES_A_STATE.high,
        ),
        least_memory_bytes: (PROGRAM_BYTES + states * LEAST_BYTES_A_STATE) as u64,
        seconds: Range { low: course.seconds * AGAIN.low, high: course.seconds * AGAIN.high },
    }
}

/// States of the largest ply and of all sets, by smaller boards. The growth from board to board grows itself, so that the fit errs
/// towards too little: upwards the factor counts twice.
fn by_smaller(spec: &str, smaller: &[Smaller]) -> Option<[Range<f64>; 2]> {
    let size = family::size(spec)?;
    if smaller.len() < fit::FEWEST {
        return None;
    }
    let read_off = |number: fn(&Smaller) -> u64| {
        let known: Vec<fit::Known> = smaller.iter().map(|board| board.known(number(board))).collect();
        let (middle, factor) = (fit::at(size, &known), fit::error_factor(size, &known));
        Range { low: middle / factor, high: middle * factor * factor }
    };
    Some([read_off(|board| board.num_states), read_off(|board| board.all_states)])
}

/// Plies over which the rate of growth is taken: sets of either side alternate.
const RATE_PLIES: f64 = 2.0;

/// Plies of a solve of which none was seen.
const UNSEEN_PLIES: f64 = 100.0;

/// How many times the plies seen growth goes on at most.
const AGES: f64 = 3.0;

/// How many sets of values there are for each forward set.
const SETS_OF_VALUES: f64 = 4.0;

/// States of the largest ply and of all sets, by the growth that was seen.
///
/// A set of reached positions has a power of its positions as states, and that power falls as sets grow. So it has no more than
/// that power of all positions that are admissible.
///
/// The rate is the last one, or the mean of all where that is greater: sets may rest for a few plies and grow on. Where not one ply
/// was seen, nothing is known but what the words allow.
fn by_growth(course: &Course, bounds: Bounds) -> [Range<f64>; 2] {
    let states = course.last_phase();
    if states.is_empty() {
        let any = Range { low: 1.0, high: bounds.states.max(1.0) };
        return [any, Range { low: 1.0, high: any.high * UNSEEN_PLIES }];
    }
    let seen = course.largest.max(1) as f64;
    let plies = states.len().max(1) as f64;
    let rate = match states[..] {
        [first, .., before, _, last] if first > 0 && before > 0 => {
            let per_ply = |from: u64, plies: f64| (last as f64 / from as f64).ln() / plies;
            per_ply(before, RATE_PLIES).max(per_ply(first, plies - 1.0)).max(0.0)
        }
        _ => std::f64::consts::LN_10,
    };
    let last =
        course.plies.last().filter(|line| line.phase == "forward" && line.positions > FEWEST_POSITIONS);
    let (sets, most) = match last {
        Some(line) => {
            let power = (line.states as f64).ln() / (line.positions as f64).ln();
            (1.0 + SETS_OF_VALUES, bounds.positions.powf(power))
        }
        None => (1.0, f64::INFINITY),
    };
    // A rate that falls evenly to nothing does half of what it would do if it stayed.
    let carried_on = seen * (rate * AGES * plies / 2.0).min(MOST_GROWTH).exp().max(2.0);
    let high = sets * carried_on.min(most.max(seen));
    let all = course.all as f64;
    [Range { low: seen, high }, Range { low: all + seen, high: all + high * (1.0 + AGES) * plies }]
}

/// Positions from which on the power of a set says something.
const FEWEST_POSITIONS: u128 = 1000;

/// Logarithm of the most growth that is believed: beyond it numbers say nothing.
const MOST_GROWTH: f64 = 40.0;

/// Bytes of a file for each state, as the game itself has them, or else the largest of the smaller boards.
fn file_bytes_a_state(course: &Course, smaller: &[Smaller]) -> f64 {
    let seen = smaller.iter().map(|board| (board.all_states, board.bytes));
    let largest = seen.chain([(course.all, course.bytes)]).filter(|(_, bytes)| *bytes > 0).max();
    largest.map_or(FILE_BYTES_A_STATE, |(states, bytes)| bytes as f64 / states.max(1) as f64)
}

/// States made in a second: of the game itself or the smaller board that took longest.
fn speed(course: &Course, smaller: &[Smaller]) -> f64 {
    let seen = smaller.iter().map(|board| (board.all_states, board.seconds));
    let longest = seen
        .chain([(course.all, course.seconds)])
        .filter(|(states, seconds)| *states > 0 && *seconds > LEAST_SECONDS)
        .max_by(|a, b| a.1.total_cmp(&b.1));
    longest.map_or(STATES_A_SECOND, |(states, seconds)| states as f64 / seconds)
}

/// Positions of a sector solved in a second: `results/morris-sectors`.
const SECTOR_POSITIONS_A_SECOND: Range<f64> = Range { low: 7e5, high: 17e6 };

/// What a solve by sectors would take. Codes take a byte, or two where a depth does not fit one.
pub(super) fn of_sectors(sectors: &Sectors) -> Expected {
    let positions = sectors.positions as f64;
    let largest = sectors.largest_unit_bytes;
    Expected {
        basis: Basis::Exact,
        states: None,
        all_states: None,
        bytes: Range { low: sectors.bytes, high: sectors.bytes.saturating_mul(2) },
        memory_bytes: Range { low: largest, high: largest.saturating_mul(2) },
        least_memory_bytes: largest,
        seconds: Range {
            low: positions / SECTOR_POSITIONS_A_SECOND.high,
            high: positions / SECTOR_POSITIONS_A_SECOND.low,
        },
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
        bytes: Range { low: bytes, high: bytes },
        memory_bytes: Range { low: bytes, high: bytes.saturating_add(bytes / 8) },
        least_memory_bytes: bytes,
        seconds: Range {
            low: boards as f64 / BOARDS_A_SECOND.high,
            high: boards as f64 / BOARDS_A_SECOND.low,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::course::PlyGrowth;
    use super::*;

    fn course(states: &[u64]) -> Course {
        let line = |(ply, &states): (usize, &u64)| PlyGrowth {
            phase: "retrograde",
            ply: ply as u32,
            states,
            positions: 0,
            bytes: states * 5,
        };
        let all = states.iter().sum();
        Course {
            plies: states.iter().enumerate().map(line).collect(),
            largest: states.iter().copied().max().unwrap_or(0),
            all,
            bytes: all * 5,
            seconds: 1.0,
            ..Course::default()
        }
    }

    fn bounds(states: f64) -> Bounds {
        Bounds { states, positions: 1e12 }
    }

    /// States of what play reaches stay below the power of positions that they have.
    #[test]
    fn forward_growth_ends_at_the_admissible_positions() {
        let mut forward = course(&[1, 100, 5_000]);
        for line in &mut forward.plies {
            (line.phase, line.positions) = ("forward", 1_000_000);
        }
        let expected = of_sets("x", &forward, &[], bounds(f64::MAX)).states.unwrap();
        let most = (1.0 + SETS_OF_VALUES) * 1e12_f64.powf(5_000_f64.ln() / 1e6_f64.ln());
        assert!(expected.high as f64 <= most && expected.high > 5_000, "{expected:?}");
    }

    #[test]
    fn growth_is_carried_on_and_its_end_is_between() {
        let expected = of_sets("chess:KRvK", &course(&[10, 100, 400, 1000]), &[], bounds(f64::MAX));
        let states = expected.states.unwrap();
        assert_eq!((expected.basis, states.low), (Basis::Growth, 1000));
        assert!(states.contains(3000) && states.high > 10_000);
        // Sets that rest for a while may grow on, as those of morris do.
        let resting = of_sets("chess:KRvK", &course(&[10, 1000, 900, 800]), &[], bounds(f64::MAX));
        assert!(resting.states.is_some_and(|states| states.low == 1000 && states.high > 10_000));
        // And no set has more states than its words allow.
        let bounded = of_sets("chess:KRvK", &course(&[10, 100, 400, 1000]), &[], bounds(1500.0));
        assert_eq!(bounded.states, Some(Range { low: 1000, high: 1500 }));
        assert!(bounded.memory_bytes.high < expected.memory_bytes.high);
    }

    #[test]
    fn a_course_without_plies_says_little_and_does_not_fail() {
        let expected = of_sets("connect:7x6", &course(&[]), &[], bounds(1e9));
        assert_eq!(expected.states, Some(Range { low: 1, high: 1_000_000_000 }));
        assert!(expected.seconds.low.is_finite() && expected.seconds.high.is_finite());
    }

    #[test]
    fn tables_are_exact_but_for_the_time() {
        let expected = of_table(Some(1000)).unwrap();
        assert_eq!((expected.basis, expected.memory_bytes.low), (Basis::Exact, 4000));
        assert!(of_table(None).is_none() && of_table(Some(u128::MAX)).is_none());
    }
}
