//! Evaluation of numbers in a position.

use super::super::book::{Arithmetic, Comparison, Value};
use super::program::register_index;

/// The inputs of values.
pub(super) struct Numbers<'a> {
    /// The variables, followed by the scores.
    pub(super) registers: &'a [u32],
    /// The number of pieces of each kind on the board.
    pub(super) counts: &'a [u32],
    pub(super) num_variables: usize,
}

impl Numbers<'_> {
    /// Returns the value, or `None` if it is undefined because of a division by zero or a number beyond 64 bits.
    pub(super) fn value(&self, value: &Value) -> Option<i64> {
        match value {
            Value::Number(number) => Some(i64::from(*number)),
            Value::Register(register) => {
                self.registers.get(register_index(self.num_variables, *register)).map(|&n| i64::from(n))
            }
            Value::Count(piece) => self.counts.get(*piece).map(|&n| i64::from(n)),
            Value::Joined(operator, parts) => {
                let join = match operator {
                    Arithmetic::Plus => i64::checked_add,
                    Arithmetic::Minus => i64::checked_sub,
                    Arithmetic::Times => i64::checked_mul,
                    Arithmetic::Over => i64::checked_div,
                };
                let mut parts = parts.iter();
                let first = self.value(parts.next()?)?;
                parts.try_fold(first, |sum, part| join(sum, self.value(part)?))
            }
        }
    }

    /// Returns `true` if the comparison holds. It does not hold if either side is undefined.
    pub(super) fn holds(&self, left: &Value, comparison: Comparison, right: &Value) -> bool {
        let (Some(left), Some(right)) = (self.value(left), self.value(right)) else { return false };
        match comparison {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}
