//! Compared and assigned numbers, as functions of the cells.

use std::collections::BTreeSet;

use super::super::book::{Arithmetic, Comparison, Register, Value};

/// The cells on which a number depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) variables: BTreeSet<usize>,
    /// The pieces that are counted.
    pub(super) pieces: BTreeSet<usize>,
}

impl Needs {
    pub(super) fn of(values: &[&Value]) -> Self {
        let mut needs = Self::default();
        values.iter().for_each(|value| needs.add(value));
        needs
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Number(_) | Value::Register(Register::Score(_)) => {}
            Value::Register(Register::Variable(index)) => _ = self.variables.insert(*index),
            Value::Count(piece) => _ = self.pieces.insert(*piece),
            Value::Joined(_, parts) => parts.iter().for_each(|part| self.add(part)),
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.variables.is_empty() && self.pieces.is_empty()
    }

    /// Returns the only variable on which the number depends, if it depends on nothing else.
    pub(super) fn one_variable(&self) -> Option<usize> {
        if self.pieces.is_empty() && self.variables.len() == 1 {
            self.variables.first().copied()
        } else {
            None
        }
    }
}

/// Returns the value with the scores substituted.
pub(super) fn with_scores(value: &Value, scores: &[u32]) -> Value {
    match value {
        Value::Register(Register::Score(player)) => Value::Number(scores[*player]),
        Value::Joined(operator, parts) => {
            Value::Joined(*operator, parts.iter().map(|part| with_scores(part, scores)).collect())
        }
        other => other.clone(),
    }
}

/// Returns the number, or `None` for a division by zero or a number that does not fit into 64 bits.
pub(super) fn number(
    value: &Value,
    variable: &dyn Fn(usize) -> i64,
    count: &dyn Fn(usize) -> i64,
) -> Option<i64> {
    match value {
        Value::Number(number) => Some(i64::from(*number)),
        Value::Register(Register::Variable(index)) => Some(variable(*index)),
        Value::Register(Register::Score(_)) => None,
        Value::Count(piece) => Some(count(*piece)),
        Value::Joined(operator, parts) => {
            let (first, rest) = parts.split_first()?;
            let mut sum = number(first, variable, count)?;
            for part in rest {
                let part = number(part, variable, count)?;
                sum = match operator {
                    Arithmetic::Plus => sum.checked_add(part)?,
                    Arithmetic::Minus => sum.checked_sub(part)?,
                    Arithmetic::Times => sum.checked_mul(part)?,
                    Arithmetic::Over => sum.checked_div(part)?,
                };
            }
            Some(sum)
        }
    }
}

/// Returns `true` if a comparison of numbers holds. It does not hold if either of them is undefined.
pub(super) fn holds(left: Option<i64>, comparison: Comparison, right: Option<i64>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    let order = left.cmp(&right);
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::Unequal => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::AtMost => order.is_le(),
        Comparison::More => order.is_gt(),
        Comparison::AtLeast => order.is_ge(),
    }
}

/// A comparison with the scores substituted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CompareTest {
    pub(super) left: Value,
    pub(super) comparison: Comparison,
    pub(super) right: Value,
}

impl CompareTest {
    pub(super) fn needs(&self) -> Needs {
        Needs::of(&[&self.left, &self.right])
    }

    pub(super) fn holds(&self, variable: &dyn Fn(usize) -> i64, count: &dyn Fn(usize) -> i64) -> bool {
        let (left, right) = (number(&self.left, variable, count), number(&self.right, variable, count));
        holds(left, self.comparison, right)
    }
}
