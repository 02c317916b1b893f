//! 16-bit codes for the value and depth of a position, used in the tables of the oracle, table files and value maps.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | draw |
//! | 1 + 2d | loss in d plies |
//! | 2 + 2d | win in d plies |
//! | 65535 | unknown |
//!
//! Losses therefore have odd codes and wins have even codes. Among losses, and likewise among wins, a smaller code
//! means a smaller depth.

use crate::side::Value;

use super::{Depth, Outcome};

/// The greatest depth that a code can hold, in plies.
pub const MAX_DEPTH: u16 = 32_766;

/// The code of a draw.
pub const DRAW: u16 = 0;

/// The code of an undecided position.
pub const UNKNOWN: u16 = u16::MAX;

/// Returns the code of an outcome, or `None` for a draw with a rank and for a win or loss whose depth is not known
/// exactly or exceeds [`MAX_DEPTH`].
pub fn code(outcome: Outcome) -> Option<u16> {
    let plies = |depth: Depth| depth.exact().and_then(|plies| u16::try_from(plies).ok());
    match outcome {
        Outcome::Unknown => Some(UNKNOWN),
        Outcome::Loss(depth) => plies(depth).and_then(loss_in),
        Outcome::DRAW => Some(DRAW),
        Outcome::Draw { .. } => None,
        Outcome::Win(depth) => plies(depth).and_then(win_in),
    }
}

/// Returns the outcome of a code. Every number is a valid code.
///
/// # Examples
/// ```
/// use nerode_games::outcome::{Outcome, code16};
/// assert_eq!(code16::outcome(8), Outcome::win_in(3));
/// assert_eq!(code16::code(Outcome::win_in(3)), Some(8));
/// assert_eq!(code16::outcome(65535), Outcome::Unknown);
/// ```
pub fn outcome(code: u16) -> Outcome {
    match code {
        DRAW => Outcome::DRAW,
        UNKNOWN => Outcome::Unknown,
        _ if is_win(code) => Outcome::win_in(depth(code).into()),
        _ => Outcome::loss_in(depth(code).into()),
    }
}

/// Returns `true` if the code denotes a loss.
pub fn is_loss(code: u16) -> bool {
    code % 2 == 1 && code != UNKNOWN
}

/// Returns `true` if the code denotes a win.
pub fn is_win(code: u16) -> bool {
    code != DRAW && code.is_multiple_of(2)
}

/// Returns the depth of a win or loss.
pub fn depth(code: u16) -> u16 {
    code.saturating_sub(1) / 2
}

/// Returns the code of a terminal position with the given value.
pub fn terminal(value: Value) -> u16 {
    match value {
        Value::Loss => 1,
        Value::Draw => DRAW,
        Value::Win => 2,
    }
}

/// Returns the code of a loss in `depth` plies, or `None` if `depth` exceeds [`MAX_DEPTH`].
pub fn loss_in(depth: u16) -> Option<u16> {
    (depth <= MAX_DEPTH).then(|| 1 + 2 * depth)
}

/// Returns the code of a win in `depth` plies, or `None` if `depth` exceeds [`MAX_DEPTH`].
pub fn win_in(depth: u16) -> Option<u16> {
    (depth <= MAX_DEPTH).then(|| 2 + 2 * depth)
}

/// Returns the code of the win one ply before a loss, or `None` if its depth exceeds [`MAX_DEPTH`].
pub fn win_before(loss: u16) -> Option<u16> {
    loss.checked_add(3).filter(|&code| code != UNKNOWN)
}

/// Returns the code of the loss one ply before a win, or `None` if its depth exceeds [`MAX_DEPTH`].
pub fn loss_before(win: u16) -> Option<u16> {
    win.checked_add(1).filter(|&code| code != UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_outcomes_are_one_to_one() {
        for number in 0..=u16::MAX {
            let found = outcome(number);
            assert_eq!(code(found), Some(number));
            assert_eq!(found.value() == Some(Value::Loss), is_loss(number));
            assert_eq!(found.value() == Some(Value::Win), is_win(number) && number != UNKNOWN);
        }
        assert_eq!(outcome(UNKNOWN), Outcome::Unknown);
    }

    #[test]
    fn what_has_no_code() {
        let most = u32::from(MAX_DEPTH);
        assert_eq!(code(Outcome::win_in(most + 1)), None);
        assert_eq!(code(Outcome::loss_in(1 << 16)), None);
        assert_eq!(code(Outcome::Loss(Depth::Unknown)), None);
        assert_eq!(code(Outcome::Win(Depth::AtMost(2))), None);
        assert_eq!(code(Outcome::Draw { rank: 1 }), None);
    }

    #[test]
    fn one_ply_back() {
        for depth in [0, 1, 17, MAX_DEPTH - 1] {
            assert_eq!(win_before(loss_in(depth).unwrap()), win_in(depth + 1));
            assert_eq!(loss_before(win_in(depth).unwrap()), loss_in(depth + 1));
        }
        assert_eq!(win_before(loss_in(MAX_DEPTH).unwrap()), None);
        assert_eq!(loss_before(win_in(MAX_DEPTH).unwrap()), None);
    }
}
