//! Ranges of values that an undecided position can have, from a least to a greatest value (paper 001, section 5).

use std::fmt;

use crate::side::Value;

/// A range of values from a least to a greatest, from the point of view of the side to move. The value is proved if the
/// two are equal.
///
/// # Examples
/// ```
/// use nerode_games::outcome::ValueRange;
/// use nerode_games::Value;
/// let draws_at_least = ValueRange::exact(Value::Draw).max(ValueRange::UNKNOWN);
/// assert_eq!(draws_at_least.to_string(), "at least a draw");
/// assert_eq!((draws_at_least.value(), draws_at_least.negated().most()), (None, Value::Draw));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueRange {
    least: Value,
    most: Value,
}

impl ValueRange {
    /// The range of all values: nothing is known.
    pub const UNKNOWN: Self = Self { least: Value::Loss, most: Value::Win };

    /// Returns the range of a proved value.
    pub fn exact(value: Value) -> Self {
        Self { least: value, most: value }
    }

    /// Returns the range of the values that are `value` or better.
    pub fn at_least(value: Value) -> Self {
        Self { least: value, most: Value::Win }
    }

    /// Returns the least possible value.
    pub fn least(self) -> Value {
        self.least
    }

    /// Returns the greatest possible value.
    pub fn most(self) -> Value {
        self.most
    }

    /// Returns the value if it is proved.
    pub fn value(self) -> Option<Value> {
        (self.least == self.most).then_some(self.least)
    }

    /// Returns the same range from the point of view of the other side.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { least: self.most.negated(), most: self.least.negated() }
    }

    /// Returns the range of the maximum of two values, which is the value for a side that may choose between them.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// Returns the intersection of two ranges that both contain the value, or `None` if they contradict each other.
    pub fn both(self, other: Self) -> Option<Self> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (least <= most).then_some(Self { least, most })
    }

    /// Returns a sort key by which ranges are ordered from worst to best for the side to move. Guaranteed values take
    /// precedence.
    pub fn order(self) -> (Value, Value) {
        (self.least, self.most)
    }
}

impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.least, self.most) {
            (Value::Loss, Value::Win) => "unknown",
            (Value::Draw, Value::Win) => "at least a draw",
            (Value::Loss, Value::Draw) => "at most a draw",
            (value, _) => return write!(f, "{value}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<ValueRange> {
        let values = [Value::Loss, Value::Draw, Value::Win];
        let from = |least| values.into_iter().filter(move |most| least <= *most);
        values.into_iter().flat_map(|least| from(least).map(move |most| ValueRange { least, most })).collect()
    }

    fn holds(range: ValueRange, value: Value) -> bool {
        range.least <= value && value <= range.most
    }

    /// Checks the table of figure 3.4 of paper 001: each of its 36 entries contains the maximum of any two values of
    /// the operands, and no other value.
    #[test]
    fn the_greater_of_two_ranges_holds_the_greater_of_any_two_values() {
        assert_eq!(all().len(), 6);
        for first in all() {
            for second in all() {
                for value in [Value::Loss, Value::Draw, Value::Win] {
                    let values = |range| {
                        [Value::Loss, Value::Draw, Value::Win].into_iter().filter(move |v| holds(range, *v))
                    };
                    let is_one = values(first).any(|a| values(second).any(|b| a.max(b) == value));
                    assert_eq!(holds(first.max(second), value), is_one, "{first:?} {second:?} {value}");
                    let in_both = holds(first, value) && holds(second, value);
                    assert_eq!(first.both(second).is_some_and(|range| holds(range, value)), in_both);
                }
            }
            assert_eq!(first.negated().negated(), first);
            assert_eq!(first.value().is_some(), first.least == first.most);
        }
    }

    #[test]
    fn ranges_are_described_in_words() {
        let words = ["loss", "at most a draw", "unknown", "draw", "at least a draw", "win"];
        assert_eq!(all().iter().map(ValueRange::to_string).collect::<Vec<_>>(), words);
        assert_eq!(ValueRange::at_least(Value::Draw).negated().to_string(), "at most a draw");
    }
}
