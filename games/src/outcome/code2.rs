//! 2-bit codes for the value of a position: 0 unknown, 1 loss, 2 draw, 3 win.

use crate::side::Value;

use super::{Depth, Outcome};

/// The code of an undecided position.
pub const UNKNOWN: u8 = 0;
/// The code of a loss for the side to move.
pub const LOSS: u8 = 1;
/// The code of a proved draw.
pub const DRAW: u8 = 2;
/// The code of a win for the side to move.
pub const WIN: u8 = 3;

/// Returns the code of a value; `None` stands for unknown.
#[inline]
pub fn code(value: Option<Value>) -> u8 {
    match value {
        None => UNKNOWN,
        Some(Value::Loss) => LOSS,
        Some(Value::Draw) => DRAW,
        Some(Value::Win) => WIN,
    }
}

/// Returns the outcome of a code, without depth, or `None` for a number above 3.
///
/// # Examples
/// ```
/// use nerode_games::outcome::{Outcome, code2};
/// assert_eq!(code2::outcome(code2::DRAW), Some(Outcome::DRAW));
/// assert_eq!(code2::outcome(4), None);
/// ```
#[inline]
pub fn outcome(code: u8) -> Option<Outcome> {
    match code {
        UNKNOWN => Some(Outcome::Unknown),
        LOSS => Some(Outcome::Loss(Depth::Unknown)),
        DRAW => Some(Outcome::DRAW),
        WIN => Some(Outcome::Win(Depth::Unknown)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values_are_one_to_one() {
        for number in 0..=WIN {
            assert_eq!(code(outcome(number).unwrap().value()), number);
        }
        assert_eq!(outcome(WIN + 1), None);
    }
}
