//! Smaller boards of the family of a game.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use nerode_games::registry::families;
use nerode_games::{Game, Registry};
use nerode_rules::rbg::{LANGUAGE, board_size, with_board};
use serde::Serialize;

use super::course::Course;
use super::deadline::is_stop;
use super::fit::Known;
use nerode_solver::error::Result;
use nerode_solver::solve::choose::choose;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;

/// A smaller board that was solved.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Smaller {
    /// The canonical spec of the game.
    pub game: String,
    /// The number of states of the largest ply.
    pub num_states: u64,
    /// The number of states of all sets that were created.
    pub all_states: u64,
    /// The size of all files in bytes.
    pub bytes: u64,
    /// The duration of the solve in seconds.
    pub seconds: f64,
    #[serde(skip)]
    size: [usize; 2],
}

impl Smaller {
    /// Returns the number of cells of the board.
    pub(super) fn cells(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// Returns the board together with one of its numbers.
    pub(super) fn known(&self, number: u64) -> Known {
        Known { size: self.size, number: number as f64 }
    }
}

/// The number of states below which a board is not representative of larger ones.
const FEWEST_STATES: u64 = 20;

/// The range of distances of smaller boards, in columns and in rows. The smallest distance that yields enough small
/// boards is used.
const FARTHEST: RangeInclusive<usize> = 3..=8;

/// The distance for rules from a file, which take some time to compile.
const FARTHEST_OF_RULES: usize = 2;

/// The number of words up to which a board can probably be solved quickly, and the number of such boards that is sufficient.
const SMALL_WORDS: u128 = 1 << 33;
const ENOUGH: usize = 8;

/// The fraction of the remaining time that one board may use, as a divisor.
const SHARE: u32 = 3;

/// Splits a spec `family:WxH,options` into three parts: the text before the size, the size, and the text after it.
fn parts(spec: &str) -> Option<(&str, [usize; 2], &str)> {
    let (family, rest) = spec.split_once(':')?;
    let end = rest.find(',').unwrap_or(rest.len());
    let (width, height) = rest[..end].split_once('x')?;
    Some((family, [width.parse().ok()?, height.parse().ok()?], &rest[end..]))
}

/// Returns the size of the board in `spec`, if the family has sizes or if the rules come from a file that supports
/// other board sizes.
pub(super) fn size(spec: &str) -> Option<[usize; 2]> {
    parts(spec).map(|(_, size, _)| size).or_else(|| board_size(spec))
}

/// Returns the spec of the same game on a board of another size.
fn sized(spec: &str, size: [usize; 2]) -> Option<String> {
    match parts(spec) {
        Some((family, _, options)) => Some(format!("{family}:{}x{}{options}", size[0], size[1])),
        None => with_board(spec, size),
    }
}

/// Returns all boards of the family that are smaller in width, in height, or in both, smallest first.
fn candidates(spec: &str) -> Vec<Board> {
    let Some(size) = size(spec) else { return Vec::new() };
    if parts(spec).is_none() {
        return boards_within(FARTHEST_OF_RULES, spec, size);
    }
    for farthest in FARTHEST {
        let boards = boards_within(farthest, spec, size);
        let small = |board: &&Board| board.0.shape().num_words().is_some_and(|words| words <= SMALL_WORDS);
        if farthest == *FARTHEST.end() || boards.iter().filter(small).count() >= ENOUGH {
            return boards;
        }
    }
    Vec::new()
}

/// A board and its size.
type Board = (Arc<dyn Game>, [usize; 2]);

/// Returns the boards that are smaller by at most `farthest` columns and rows.
fn boards_within(farthest: usize, spec: &str, [width, height]: [usize; 2]) -> Vec<Board> {
    let least = |edge: usize| edge.saturating_sub(farthest).max(1);
    let sizes = (least(width)..=width).flat_map(|w| (least(height)..=height).map(move |h| [w, h]));
    let open = |size: [usize; 2]| {
        let game = Registry::new(families(), &[LANGUAGE]).open(&sized(spec, size)?).ok()?;
        Some((game, size))
    };
    let mut boards: Vec<_> = sizes.filter(|&size| size != [width, height]).filter_map(open).collect();
    boards.sort_by_key(|(game, size)| {
        (game.shape().num_words().unwrap_or(u128::MAX), size[0].abs_diff(size[1]))
    });
    boards
}

/// Solves smaller boards until the deadline, each in at most a fraction of the remaining time. If a board takes too
/// long, all boards that are at least as wide and as high are skipped.
///
/// # Errors
/// Returns the same errors as `solve`.
pub(super) fn smaller_boards(
    game: &dyn Game,
    until: Instant,
    solve: impl Fn(&Arc<dyn Game>, Instant) -> Result<Course>,
) -> Result<Vec<Smaller>> {
    let mut solved = Vec::new();
    let mut too_large: Vec<[usize; 2]> = Vec::new();
    for (board, size) in candidates(&game.spec()) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        if too_large.iter().any(|other| other[0] <= size[0] && other[1] <= size[1]) {
            continue;
        }
        let course = solve(&board, Instant::now() + left / SHARE)?;
        if !course.finished {
            too_large.push(size);
        } else if course.largest >= FEWEST_STATES {
            solved.push(Smaller {
                game: board.spec(),
                num_states: course.largest,
                all_states: course.all,
                bytes: course.bytes,
                seconds: course.seconds,
                size,
            });
        }
    }
    Ok(solved)
}

/// The number of words beyond which the choice of a method is not tried on a smaller board.
const MOST_WORDS: u128 = 1 << 26;

/// Returns the method that suits smaller boards of the family. If there are none, or memory is insufficient for them,
/// returns the method that suits games of the same kind.
///
/// # Errors
/// Returns an error if the rules contradict themselves.
pub(super) fn method_of_smaller(game: &dyn Game, resources: &Resources) -> Result<Method> {
    let small = |board: &Arc<dyn Game>| board.shape().num_words().is_some_and(|words| words <= MOST_WORDS);
    let board = candidates(&game.spec()).into_iter().map(|(board, _)| board).rfind(small);
    match board.map(|board| choose(board, resources)) {
        Some(Err(error)) if !is_stop(&error) => Err(error),
        Some(Ok(method)) => Ok(method),
        _ if game.may_cycle() => Ok(Method::Retrograde),
        _ => Ok(Method::Meet),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Smaller {
        /// Creates a board of `family` with the given number of states in its largest ply and ten times as many in total.
        pub(in super::super) fn of(family: &str, size: [usize; 2], num_states: u64, seconds: f64) -> Self {
            let (game, all_states) = (format!("{family}:{}x{}", size[0], size[1]), 10 * num_states);
            Self { game, num_states, all_states, bytes: 5 * all_states, seconds, size }
        }
    }

    #[test]
    fn smaller_boards_have_the_options_and_come_smallest_first() {
        let specs =
            |spec: &str| candidates(spec).into_iter().map(|(game, _)| game.spec()).collect::<Vec<_>>();
        assert_eq!(specs("breakthrough:3x5"), ["breakthrough:2x4", "breakthrough:2x5", "breakthrough:3x4"]);
        let scored = specs("othello:3x4,margin=2");
        assert_eq!(scored, ["othello:3x3,margin=2"]);
        let smaller = ["1x4", "1x5", "2x4"].map(|size| format!("rbg:breakthrough:board={size}"));
        assert_eq!(specs("rbg:breakthrough:board=2x5"), smaller);
        for none in ["morris:nine", "chess:KRvK", "chess:start", "rbg:pretwa"] {
            assert!(specs(none).is_empty(), "{none}");
        }
        assert!(specs("amazons:6x6").len() > 1 && specs("nim:5x31").len() >= ENOUGH);
    }
}
