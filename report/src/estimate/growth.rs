//! Growth that was seen over the first plies, carried on.

use super::course::Course;
use super::expected::{NoEstimate, Range};

/// What bounds every ply, whatever the growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// States that the words allow.
    pub(super) states: f64,
    /// Positions with one side to move that are admissible, or all words.
    pub(super) positions: f64,
}

/// Plies that must be seen, so that their growth says something.
const FEWEST_PLIES: usize = 4;

/// Plies over which the last rate of growth is taken: sets of either side alternate.
const RATE_PLIES: f64 = 2.0;

/// Plies of which the later half says more of growth than all of them.
const MANY_PLIES: usize = 8;

/// How many times the plies seen growth goes on at most.
const AGES: f64 = 3.0;

/// How many sets of values there are for each forward set.
pub(super) const SETS_OF_VALUES: f64 = 4.0;

/// States of the largest ply and of all sets, by the growth that was seen.
///
/// A set of reached positions has a power of its positions as states, and that power falls as sets grow. So it has no more than
/// that power of all positions that are admissible.
///
/// The rate is the last one, or the mean over the later half where that is greater (over all, of a few plies): sets may rest for a
/// few plies and grow on.
pub(super) fn by_growth(course: &Course, bounds: Bounds) -> Result<[Range<f64>; 2], NoEstimate> {
    let states = course.last_phase();
    let later = if states.len() < MANY_PLIES { &states[..] } else { &states[states.len() / 2..] };
    let [first, .., before, _, last] = later[..] else {
        return Err(NoEstimate::FewPlies { plies: course.moved_plies() });
    };
    if states.len() < FEWEST_PLIES {
        return Err(NoEstimate::FewPlies { plies: course.moved_plies() });
    }
    let seen = course.largest.max(1) as f64;
    let plies = states.len() as f64;
    let per_ply = |from: u64, plies: f64| (last.max(1) as f64 / from.max(1) as f64).ln() / plies;
    let rate = per_ply(before, RATE_PLIES).max(per_ply(first, later.len() as f64 - 1.0)).max(0.0);
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
    Ok([Range { low: seen, high }, Range { low: all + seen, high: all + high * (1.0 + AGES) * plies }])
}

/// Positions from which on the power of a set says something.
const FEWEST_POSITIONS: u128 = 1000;

/// Logarithm of the most growth that is believed: beyond it numbers say nothing.
const MOST_GROWTH: f64 = 40.0;
