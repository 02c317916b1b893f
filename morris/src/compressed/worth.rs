//! The worth of a position for the side to move, as a number that is greater for better positions.

use nerode_games::Value;
#[cfg(feature = "solve")]
use nerode_games::counted;

/// A value with or without its depth. The order is the preference of the side to move: earlier wins before later ones,
/// then draws, then later losses before earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(u16);

/// The information contained in worths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Win, draw or loss: all wins are worth the same, and all losses.
    Values,
    /// Win, draw or loss with the number of plies to the end.
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
    /// A loss, which is immediate if depths are included.
    pub const LOSS: Self = Self(0);
    /// A draw.
    pub const DRAW: Self = Self(1 << 15);
    const BEST: u16 = u16::MAX;

    /// Returns the worth of a position with the given depth, which is `None` for a draw, as in
    /// [`crate::tables::SectorTable::depth`].
    #[inline]
    pub fn of(depth: Option<u16>, detail: Detail) -> Self {
        match (depth, detail) {
            (None, _) => Self::DRAW,
            (Some(plies), Detail::Values) => Self(if plies % 2 == 1 { Self::BEST } else { 0 }),
            (Some(plies), Detail::Depths) if plies % 2 == 1 => Self(Self::BEST - plies),
            (Some(plies), Detail::Depths) => Self(plies),
        }
    }

    /// Returns win, draw or loss.
    #[inline]
    pub fn value(self) -> Value {
        match self.cmp(&Self::DRAW) {
            std::cmp::Ordering::Less => Value::Loss,
            std::cmp::Ordering::Equal => Value::Draw,
            std::cmp::Ordering::Greater => Value::Win,
        }
    }

    /// Returns the number of plies to the end, or `None` for draws. Meaningful only with [`Detail::Depths`].
    #[inline]
    pub fn depth(self) -> Option<u16> {
        match self.value() {
            Value::Loss => Some(self.0),
            Value::Draw => None,
            Value::Win => Some(Self::BEST - self.0),
        }
    }

    /// Returns the worth of a turn to a position that has this worth for the opponent.
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

    /// Describes the value, with its depth if that is included.
    #[cfg(feature = "solve")]
    pub(super) fn in_words(self, detail: Detail) -> String {
        match self.depth().filter(|_| detail == Detail::Depths) {
            Some(plies) => format!("{} in {}", self.value(), counted(plies.into(), "ply")),
            None => self.value().to_string(),
        }
    }

    /// Returns the number itself, for files.
    #[cfg(feature = "solve")]
    pub(super) fn code(self) -> u16 {
        self.0
    }

    /// Returns the worth with the given number.
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
