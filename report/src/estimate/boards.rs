//! Solves of smaller boards of the family of a game.

use std::sync::Arc;
use std::time::Instant;

use nerode_games::registry::families;
use nerode_games::{Game, Registry};
use nerode_rules::rbg::{LANGUAGE, board_size, with_board};

use super::board::Board;
use super::count::positions;
use super::law::Law;
use super::probe::{Budget, Probe};
use nerode_solver::error::Result;
use nerode_solver::solve::resources::Resources;

/// The number of states below which a board is not representative of larger ones.
const FEWEST_STATES: u64 = 20;

/// The distance of smaller boards, in columns and in rows. Rules from a file take some time to compile.
const FARTHEST: usize = 4;
const FARTHEST_OF_RULES: usize = 2;

/// The number of boards that must be solved before the growth law decides whether another one is small enough.
const ENOUGH: usize = 3;

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

/// Returns the boards of the family that are smaller in width, in height, or in both, smallest first.
pub(super) fn candidates(spec: &str) -> Vec<(Arc<dyn Game>, [usize; 2])> {
    let Some([width, height]) = size(spec) else { return Vec::new() };
    let farthest = if parts(spec).is_some() { FARTHEST } else { FARTHEST_OF_RULES };
    let least = |edge: usize| edge.saturating_sub(farthest).max(1);
    let sizes = (least(width)..=width).flat_map(|w| (least(height)..=height).map(move |h| [w, h]));
    let registry = Registry::new(families(), &[LANGUAGE]);
    let open = |size: [usize; 2]| Some((registry.open(&sized(spec, size)?).ok()?, size));
    let mut boards: Vec<_> = sizes.filter(|&size| size != [width, height]).filter_map(open).collect();
    boards.sort_by_key(|(game, size)| {
        (game.shape().num_words().unwrap_or(u128::MAX), size[0].abs_diff(size[1]))
    });
    boards
}

/// The boards of a family that were solved.
pub(super) struct Survey {
    /// The boards, smallest first.
    pub boards: Vec<Board>,
    /// Whether the growth law admits that the game itself can be solved within the budget.
    pub is_game_small: bool,
}

/// Solves smaller boards of the family of `game` within `budget`. Skips boards that are too large according to the growth
/// law, and those that are at least as wide and as high as a board that was not solved. `num_positions` is that of the game,
/// if it is known. `solve` solves one board and returns how often its numbers count.
///
/// # Errors
/// Returns the same errors as `solve`.
pub(super) fn survey(
    game: &dyn Game,
    num_positions: Option<f64>,
    resources: &Resources,
    budget: Budget,
    solve: impl Fn(&Arc<dyn Game>) -> Result<(Probe, u64)>,
) -> Result<Survey> {
    let mut boards = Vec::new();
    let mut too_large: Vec<[usize; 2]> = Vec::new();
    let may_be_small = |boards: &[Board], size, positions| {
        let law = Law::new(boards, size, positions);
        let predicted = law.predict(|board| board.num_states);
        law.num_boards() < ENOUGH || predicted.is_none_or(|states| states <= budget.states as f64)
    };
    for (board, size) in candidates(&game.spec()) {
        if Instant::now() >= budget.until {
            break;
        }
        if too_large.iter().any(|other| other[0] <= size[0] && other[1] <= size[1]) {
            continue;
        }
        let Some(positions) = positions(board.as_ref(), resources, budget.until)? else { continue };
        if !may_be_small(&boards, size, positions) {
            continue;
        }
        let (probe, times) = solve(&board)?;
        // Boards whose plies depend on a counter take as many plies when they are larger.
        if probe.left.is_some() {
            break;
        }
        if !probe.finished {
            too_large.push(size);
        } else if probe.largest >= FEWEST_STATES {
            boards.push(Board {
                game: board.spec(),
                num_states: times * probe.largest,
                all_states: times * probe.all,
                bytes: times * probe.bytes,
                seconds: times as f64 * probe.seconds,
                size,
                positions,
                first_bytes: probe.first_bytes,
            });
        }
    }
    let admitted =
        size(&game.spec()).zip(num_positions).is_none_or(|(size, p)| may_be_small(&boards, size, p));
    let is_game_small = admitted && (too_large.is_empty() || boards.len() < ENOUGH);
    Ok(Survey { boards, is_game_small })
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Board {
        /// Creates a board of `family` with the given number of states in its largest ply and ten times as many in total.
        pub(in super::super) fn of(family: &str, size: [usize; 2], num_states: u64) -> Self {
            let game = format!("{family}:{}x{}", size[0], size[1]);
            let all_states = 10 * num_states;
            let positions = 2_f64.powi((size[0] * size[1]) as i32);
            let (bytes, first_bytes) = (5 * all_states, 1 << 20);
            Self { game, num_states, all_states, bytes, seconds: 1.0, size, positions, first_bytes }
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
        assert!(specs("amazons:6x6").len() > 1 && specs("nim:5x31").len() > 8);
    }
}
