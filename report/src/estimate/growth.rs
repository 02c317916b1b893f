//! Extrapolation of the growth over the first plies.

use super::course::Course;
use super::expected::{NoEstimate, Range};

/// The bounds of every ply, independent of its growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The number of states that the words allow.
    pub(super) states: f64,
    /// The number of admissible positions with one side to move, or of all words.
    pub(super) positions: f64,
}

/// The number of plies that must be observed before their growth is meaningful.
const FEWEST_PLIES: usize = 4;

/// The number of plies over which the last growth rate is measured. It is 2 because the sets of both sides alternate.
const RATE_PLIES: f64 = 2.0;

/// The number of plies from which the later half is a better measure of growth than all of them.
const MANY_PLIES: usize = 8;

/// The largest duration of further growth, as a multiple of the observed plies.
const AGES: f64 = 3.0;

/// The number of sets of values for each forward set.
pub(super) const SETS_OF_VALUES: f64 = 4.0;

/// Extrapolates the observed growth to the numbers of states of the largest ply and of all sets.
///
/// The number of states of a set of reached positions is a power of the number of its positions, and the exponent decreases as
/// sets grow. The number of states is therefore bounded by that power of the number of admissible positions.
///
/// The growth rate is the last one, or the mean over the later half if that is greater (over all plies if there are
/// few), because sets may stop growing for a few plies and then continue.
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
    // A rate that decreases linearly to zero has half the effect of a constant rate.
    let carried_on = seen * (rate * AGES * plies / 2.0).min(MOST_GROWTH).exp().max(2.0);
    let high = sets * carried_on.min(most.max(seen));
    let all = course.all as f64;
    Ok([Range { low: seen, high }, Range { low: all + seen, high: all + high * (1.0 + AGES) * plies }])
}

/// The number of positions from which the exponent of a set is meaningful.
const FEWEST_POSITIONS: u128 = 1000;

/// The logarithm of the largest plausible growth. Beyond it, the numbers are meaningless.
const MOST_GROWTH: f64 = 40.0;
