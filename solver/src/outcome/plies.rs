//! Depths alone: where every game ends with the loss of the side to move, the parity of the depth is the value.
//!
//! A position won by the side to move has an odd depth, a lost one an even depth, a draw has none.

use nerode_games::Value;

use super::Outcome;

/// The value of a position with that depth; `None` is a draw.
#[inline]
pub fn value(depth: Option<u16>) -> Value {
    match depth {
        None => Value::Draw,
        Some(plies) if plies % 2 == 1 => Value::Win,
        Some(_) => Value::Loss,
    }
}

/// The outcome of a position with that depth; `None` is a draw.
///
/// # Examples
/// ```
/// use nerode_solver::outcome::{Outcome, plies};
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
