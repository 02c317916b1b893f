//! Depths without values: if every decisive game ends with a loss of the side to move, the parity of the depth
//! determines the value.
//!
//! A position won for the side to move has an odd depth, a lost one has an even depth, and a draw has none.

use crate::side::Value;

use super::Outcome;

/// Returns the value of a position with the given depth; `None` stands for a draw.
#[inline]
pub fn value(depth: Option<u16>) -> Value {
    match depth {
        None => Value::Draw,
        Some(plies) if plies % 2 == 1 => Value::Win,
        Some(_) => Value::Loss,
    }
}

/// Returns the outcome of a position with the given depth; `None` stands for a draw.
///
/// # Examples
/// ```
/// use nerode_games::outcome::{Outcome, plies};
/// assert_eq!(plies::outcome(Some(4)), Outcome::loss_in(4));
/// assert_eq!(plies::outcome(Some(5)), Outcome::win_in(5));
/// assert_eq!(plies::outcome(None), Outcome::DRAW);
/// ```
#[inline]
pub fn outcome(depth: Option<u16>) -> Outcome {
    match depth {
        None => Outcome::DRAW,
        Some(plies) if plies % 2 == 1 => Outcome::win_in(plies.into()),
        Some(plies) => Outcome::loss_in(plies.into()),
    }
}
