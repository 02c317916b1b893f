//! Estimates of a solve by sets, derived from the observed plies and from smaller boards.

use super::course::Course;
use super::expected::{Basis, Expected, NoEstimate, Range};
use super::family::{self, Smaller};
use super::fit;
use super::growth::{Bounds, by_growth};

/// The memory in bytes for each state of the largest ply; see `results/estimates`.
const BYTES_A_STATE: Range<f64> = Range { low: 60.0, high: 350.0 };

/// The memory in bytes for each state if a ply is processed in parts: a ply of 6x6 Breakthrough was computed with 28;
/// see `results/breakthrough-6x6`.
const LEAST_BYTES_A_STATE: f64 = 28.0;

/// The memory of the program itself in bytes.
const PROGRAM_BYTES: f64 = 5e6;

/// The memory of recursions in bytes while sets are small.
const RECURSIONS_BYTES: f64 = 128e6;

/// The ratio of the peak memory of the engine during a ply to its memory after the ply.
const WITHIN_A_PLY: f64 = 3.0;

/// The file size in bytes for each state if no file was written.
const FILE_BYTES_A_STATE: f64 = 4.5;

/// The factors by which the file size per state differs between small and large sets.
const FILES: Range<f64> = Range { low: 0.7, high: 1.6 };

/// The number of states created per second if nothing was observed: `results/breakthrough-boards`.
const STATES_A_SECOND: f64 = 3e5;

/// The factors by which the speed of a complete solve differs from that on small sets.
const SPEED: Range<f64> = Range { low: 0.2, high: 2.0 };

/// The number of seconds for which a solve must have been observed before its speed counts.
const LEAST_SECONDS: f64 = 0.2;

/// The largest supported ratio of the cells of a board to those of the largest solved board.
const MOST_TIMES: usize = 2;

/// The largest useful ratio of the high end of the states to their low end.
const WIDEST: f64 = 1e4;

/// The high end of the time is at least this multiple of the time spent on an unfinished solve.
const NOT_OVER: f64 = 4.0;

/// Returns the range of whole numbers from `low` to `high`.
fn whole(low: f64, high: f64) -> Range<u64> {
    Range { low: low as u64, high: high as u64 }
}

/// Estimates the cost of a solve by sets. No number is below the cost of the observed part.
///
/// # Errors
/// Returns the reason why there is no estimate.
pub(super) fn of_sets(
    spec: &str,
    course: &Course,
    smaller: &[Smaller],
    most: Bounds,
) -> Result<Expected, NoEstimate> {
    if course.finished {
        return Ok(solved(course));
    }
    if course.moved_plies() == 0 {
        return Err(NoEstimate::NoPly);
    }
    let seen = course.largest as f64;
    let near = must_be_near(spec, smaller);
    // A fit that barely reaches the observed size is refuted.
    let refuted = |[states, _]: &[Range<f64>; 2]| states.high < 2.0 * seen;
    let fitted = near.as_ref().ok().and_then(|()| by_smaller(spec, smaller)).filter(|fit| !refuted(fit));
    let (basis, [states, all]) = match fitted {
        Some(fitted) => (Basis::SmallerBoards, fitted),
        None if course.is_backing_up() => (Basis::Growth, by_growth(course, most)?),
        None => near.and_then(|()| Ok((Basis::Growth, by_growth(course, most)?)))?,
    };
    let all = all.at_least(course.all as f64);
    // The number of states is at least the observed number and at most what the words allow.
    let within = |states: f64| states.max(seen).min(most.states.max(seen));
    let states = Range { low: within(states.low), high: within(states.high) };
    if states.high > WIDEST * states.low.max(1.0) {
        return Err(NoEstimate::TooWide { states: whole(states.low, states.high) });
    }
    Ok(from_states(basis, course, smaller, states, all))
}

/// Returns memory, disk space and time of a solve with these numbers of states of the largest ply and in total.
fn from_states(
    basis: Basis,
    course: &Course,
    smaller: &[Smaller],
    states: Range<f64>,
    all: Range<f64>,
) -> Expected {
    let a_state = file_bytes_a_state(course, smaller);
    let speed = speed(course, smaller);
    let spent = course.spent_seconds;
    let least_memory = |states: f64| (PROGRAM_BYTES + states * LEAST_BYTES_A_STATE) as u64;
    let seconds = Range { low: all.low / (speed * SPEED.high), high: all.high / (speed * SPEED.low) };
    Expected {
        basis,
        states: Some(whole(states.low, states.high)),
        all_states: Some(whole(all.low, all.high)),
        bytes: whole(all.low * a_state * FILES.low, all.high * a_state * FILES.high).at_least(course.bytes),
        memory_bytes: memory(course, states).at_least(course.held_bytes),
        least_memory_bytes: least_memory(states.low),
        most_least_memory_bytes: least_memory(states.high),
        seconds: Range { low: seconds.low.max(spent), high: seconds.high.max(NOT_OVER * spent) },
    }
}

/// Returns the memory without a cap for the given number of states of the largest ply.
fn memory(course: &Course, states: Range<f64>) -> Range<u64> {
    let base = course.first_bytes as f64 + PROGRAM_BYTES;
    whole(
        PROGRAM_BYTES + states.low * BYTES_A_STATE.low,
        base * WITHIN_A_PLY + RECURSIONS_BYTES + states.high * BYTES_A_STATE.high,
    )
}

/// Returns the measurements of a solve that finished. The memory is a range until it is measured as well.
fn solved(course: &Course) -> Expected {
    let states = course.largest as f64;
    let least_memory = (PROGRAM_BYTES + states * LEAST_BYTES_A_STATE) as u64;
    Expected {
        basis: Basis::Solved,
        states: Some(Range::known(course.largest)),
        all_states: Some(Range::known(course.all)),
        bytes: Range::known(course.bytes),
        memory_bytes: memory(course, Range::known(states)).at_least(course.held_bytes),
        least_memory_bytes: least_memory,
        most_least_memory_bytes: least_memory,
        seconds: Range::known(course.spent_seconds),
    }
}

/// Rejects boards for which the solved boards are not representative. Games without sizes are accepted.
fn must_be_near(spec: &str, smaller: &[Smaller]) -> Result<(), NoEstimate> {
    let Some([width, height]) = family::size(spec) else { return Ok(()) };
    let largest = smaller.iter().max_by_key(|board| board.cells()).ok_or(NoEstimate::NoSmallerBoard)?;
    let (cells, solved_cells) = (width * height, largest.cells());
    if cells > MOST_TIMES * solved_cells {
        return Err(NoEstimate::TooFar { solved: largest.game.clone(), solved_cells, cells });
    }
    Ok(())
}

/// Returns the numbers of states of the largest ply and of all sets, derived from smaller boards. The growth from board
/// to board itself increases, so the fit tends to be too low. The error factor therefore counts twice upwards.
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

/// Returns the file size in bytes for each state of the game itself, or of the largest smaller board.
fn file_bytes_a_state(course: &Course, smaller: &[Smaller]) -> f64 {
    let seen = smaller.iter().map(|board| (board.all_states, board.bytes));
    let largest = seen.chain([(course.all, course.bytes)]).filter(|(_, bytes)| *bytes > 0).max();
    largest.map_or(FILE_BYTES_A_STATE, |(states, bytes)| bytes as f64 / states.max(1) as f64)
}

/// Returns the number of states created per second by the game itself, or by the smaller board that took longest.
fn speed(course: &Course, smaller: &[Smaller]) -> f64 {
    let seen = smaller.iter().map(|board| (board.all_states, board.seconds));
    let longest = seen
        .chain([(course.all, course.seconds)])
        .filter(|(states, seconds)| *states > 0 && *seconds > LEAST_SECONDS)
        .max_by(|a, b| a.1.total_cmp(&b.1));
    longest.map_or(STATES_A_SECOND, |(states, seconds)| states as f64 / seconds)
}

#[cfg(test)]
mod tests;
