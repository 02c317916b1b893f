//! Value and depth of a position as one 16-bit code, the unit of the oracle's tables and of table files.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | draw (while solving: not decided) |
//! | 1 + 2d | loss in d plies |
//! | 2 + 2d | win in d plies |
//! | 65535 | never from the oracle; in a table file: unknown, not decided |
//!
//! So losses are odd, wins are even, and among codes of one value the lesser code is the lesser depth.

use nerode_games::Value;

/// Greatest depth that a code can hold, in plies.
pub const MAX_DEPTH: u16 = 32_766;

/// Code of a draw.
pub(super) const DRAW: u16 = 0;

/// While solving only: a terminal draw for the sweeps, a position not visited yet for the single pass.
pub(super) const RESERVED: u16 = u16::MAX;

/// Value of a position for the side to move, with its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Win, draw or loss for the side to move.
    pub value: Value,
    /// DTW or DTL in plies; `None` for a draw.
    pub depth: Option<u16>,
}

impl Verdict {
    /// The code of this verdict; `None` when a decided value has no depth, a draw has one, or the depth is above
    /// [`MAX_DEPTH`].
    pub fn code(self) -> Option<u16> {
        match (self.value, self.depth) {
            (Value::Draw, None) => Some(DRAW),
            (Value::Loss, Some(depth)) => loss_in(depth),
            (Value::Win, Some(depth)) => win_in(depth),
            _ => None,
        }
    }

    /// The verdict of a code; `None` for 65535, unknown.
    ///
    /// # Examples
    /// ```
    /// use nerode::explicit::Verdict;
    /// use nerode_games::Value;
    /// let verdict = Verdict { value: Value::Win, depth: Some(3) };
    /// assert_eq!(verdict.code(), Some(8));
    /// assert_eq!(Verdict::from_code(8), Some(verdict));
    /// assert_eq!(Verdict::from_code(65535), None);
    /// ```
    pub fn from_code(code: u16) -> Option<Self> {
        match code {
            DRAW => Some(Self { value: Value::Draw, depth: None }),
            RESERVED => None,
            _ => {
                let value = if is_win(code) { Value::Win } else { Value::Loss };
                Some(Self { value, depth: Some(depth(code)) })
            }
        }
    }
}

/// Whether the code of a visited position says loss.
pub(super) fn is_loss(code: u16) -> bool {
    code % 2 == 1 && code != RESERVED
}

/// Whether the code says win.
pub(super) fn is_win(code: u16) -> bool {
    code != DRAW && code.is_multiple_of(2)
}

/// Depth of a win or loss.
pub(super) fn depth(code: u16) -> u16 {
    code.saturating_sub(1) / 2
}

/// Code of a terminal position of that value.
pub(super) fn terminal(value: Value) -> u16 {
    match value {
        Value::Loss => 1,
        Value::Draw => DRAW,
        Value::Win => 2,
    }
}

/// Code of a loss in that many plies; `None` past [`MAX_DEPTH`].
pub(super) fn loss_in(depth: u16) -> Option<u16> {
    (depth <= MAX_DEPTH).then(|| 1 + 2 * depth)
}

/// Code of a win in that many plies; `None` past [`MAX_DEPTH`].
pub(super) fn win_in(depth: u16) -> Option<u16> {
    (depth <= MAX_DEPTH).then(|| 2 + 2 * depth)
}

/// Code of the win one ply before a loss; `None` past [`MAX_DEPTH`].
pub(super) fn win_before(loss: u16) -> Option<u16> {
    loss.checked_add(3).filter(|&code| code != RESERVED)
}

/// Code of the loss one ply before a win; `None` past [`MAX_DEPTH`].
pub(super) fn loss_before(win: u16) -> Option<u16> {
    win.checked_add(1).filter(|&code| code != RESERVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_verdicts_are_one_to_one() {
        for code in 0..RESERVED {
            let verdict = Verdict::from_code(code).unwrap();
            assert_eq!(verdict.code(), Some(code));
            assert_eq!(verdict.value == Value::Loss, is_loss(code));
            assert_eq!(verdict.value == Value::Win, is_win(code));
        }
        assert_eq!(Verdict::from_code(RESERVED), None);
        assert!(!is_loss(RESERVED));
    }

    #[test]
    fn what_has_no_code() {
        assert_eq!(Verdict { value: Value::Win, depth: Some(MAX_DEPTH + 1) }.code(), None);
        assert_eq!(Verdict { value: Value::Loss, depth: None }.code(), None);
        assert_eq!(Verdict { value: Value::Draw, depth: Some(0) }.code(), None);
    }

    #[test]
    fn one_ply_back() {
        let of = |value, depth| Verdict { value, depth: Some(depth) }.code().unwrap();
        for depth in [0, 1, 17, MAX_DEPTH - 1] {
            assert_eq!(win_before(of(Value::Loss, depth)), Some(of(Value::Win, depth + 1)));
            assert_eq!(loss_before(of(Value::Win, depth)), Some(of(Value::Loss, depth + 1)));
        }
        assert_eq!(win_before(of(Value::Loss, MAX_DEPTH)), None);
        assert_eq!(loss_before(of(Value::Win, MAX_DEPTH)), None);
    }
}
