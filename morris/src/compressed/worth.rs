//! What a position is worth to the side to move, as one number that is greater the better it is.

use nerode_games::Value;

/// A value with or without its depth; the order is that of preference of the side to move: wins soon rather than late, then
/// draws, then losses late rather than soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(u16);

/// Whether worths tell depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Win, draw or loss: all wins are worth the same, and all losses.
    Values,
    /// Plies to the end as well.
    Depths,
}

impl std::fmt::Display for Detail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Values => "worths without depths",
            Self::Depths => "worths with depths",
        })
    }
}

impl Worth {
    /// A loss, at once where depths are told.
    pub const LOSS: Self = Self(0);
    /// A draw.
    pub const DRAW: Self = Self(1 << 15);
    const BEST: u16 = u16::MAX;

    /// The worth of a position with that depth, `None` for a draw, as in [`crate::tables::SectorTable::depth`].
    #[inline]
    pub fn of(depth: Option<u16>, detail: Detail) -> Self {
        match (depth, detail) {
            (None, _) => Self::DRAW,
            (Some(plies), Detail::Values) => Self(if plies % 2 == 1 { Self::BEST } else { 0 }),
            (Some(plies), Detail::Depths) if plies % 2 == 1 => Self(Self::BEST - plies),
            (Some(plies), Detail::Depths) => Self(plies),
        }
    }

    /// Win, draw or loss.
    #[inline]
    pub fn value(self) -> Value {
        match self.cmp(&Self::DRAW) {
            std::cmp::Ordering::Less => Value::Loss,
            std::cmp::Ordering::Equal => Value::Draw,
            std::cmp::Ordering::Greater => Value::Win,
        }
    }

    /// Plies to the end; `None` for draws. Of use only with [`Detail::Depths`].
    #[inline]
    pub fn depth(self) -> Option<u16> {
        match self.value() {
            Value::Loss => Some(self.0),
            Value::Draw => None,
            Value::Win => Some(Self::BEST - self.0),
        }
    }

    /// What a turn is worth that leads to a position of this worth to the opponent.
    #[inline]
    #[must_use]
    pub fn before(self, detail: Detail) -> Self {
        let later = u16::from(detail == Detail::Depths);
        match self.value() {
            Value::Loss => Self(Self::BEST - self.0 - later),
            Value::Draw => Self::DRAW,
            Value::Win => Self(Self::BEST - self.0 + later),
        }
    }

    /// A value, with its depth where that is told.
    pub(super) fn in_words(self, detail: Detail) -> String {
        match self.depth().filter(|_| detail == Detail::Depths) {
            Some(plies) => format!("{} in {plies} plies", self.value()),
            None => self.value().to_string(),
        }
    }

    /// The number itself, for files.
    pub(super) fn code(self) -> u16 {
        self.0
    }

    /// The worth with that number.
    pub(super) fn of_code(code: u16) -> Self {
        Self(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_preference_and_turns_change_sides() {
        let depths = [Some(0), Some(2), Some(254), None, Some(255), Some(3), Some(1)];
        let worths = depths.map(|depth| Worth::of(depth, Detail::Depths));
        assert!(worths.is_sorted_by(|a, b| a < b));
        for (worth, depth) in worths.into_iter().zip(depths) {
            assert_eq!((worth.depth(), worth.value()), (depth, crate::tables::value_of(depth)));
            let before = worth.before(Detail::Depths);
            assert_eq!(before.depth(), depth.map(|plies| plies + 1));
            let plain = Worth::of(depth, Detail::Values);
            assert_eq!(plain.before(Detail::Values).value(), before.value());
        }
    }
}
