//! Compiles comparisons and assignments into effects on cells and scores.

use super::super::book::{Comparison, Register, Value};
use super::super::fault::{At, Fault, Result};
use super::expand::Expander;
use super::graph::{Effect, ScoresId, Test};
use super::numbers::{CompareTest, Needs, number, with_scores};

/// The maximum number of values of a variable, and of an assigned number that depends on several cells.
const VALUES: u32 = 256;

impl Expander<'_> {
    /// Compiles a comparison. Returns `None` if it never holds.
    pub(super) fn compared(
        &self,
        left: &Value,
        comparison: Comparison,
        right: &Value,
        scores: ScoresId,
    ) -> Option<Effect> {
        let scores = &self.scores[scores as usize];
        let comparing =
            CompareTest { left: with_scores(left, scores), comparison, right: with_scores(right, scores) };
        let needs = comparing.needs();
        if needs.is_nothing() {
            return comparing.holds(&|_| 0, &|_| 0).then(Effect::default);
        }
        let Some(variable) = needs.one_variable() else {
            return Some(Effect { test: Some(Test::Compare(comparing)), cells: Vec::new() });
        };
        let cell = self.contents.variable(variable);
        let fits = |&value: &u32| comparing.holds(&|_| i64::from(value), &|_| 0);
        let kept: Vec<u32> = self.contents.of(cell).filter(fits).collect();
        (!kept.is_empty()).then(|| self.keeping(cell, &kept))
    }

    /// Compiles an assignment to its possible effects, each with the resulting scores.
    pub(super) fn assigned(
        &mut self,
        register: Register,
        value: &Value,
        scores: ScoresId,
        at: At,
    ) -> Result<Vec<(Effect, ScoresId)>> {
        let bound = self.book.register(register).bound;
        let value = with_scores(value, &self.scores[scores as usize]);
        let needs = Needs::of(&[&value]);
        let within = |number: Option<i64>| number.and_then(|n| u32::try_from(n).ok()).filter(|&n| n <= bound);
        if needs.is_nothing() {
            let Some(number) = within(number(&value, &|_| 0, &|_| 0)) else { return Ok(Vec::new()) };
            return Ok(vec![self.with_assignment(register, number, Effect::default(), scores, at)?]);
        }
        let mut found = Vec::new();
        if let Some(variable) = needs.one_variable() {
            let source = self.contents.variable(variable);
            let of = |held: u32| within(number(&value, &|_| i64::from(held), &|_| 0)).map(|new| (held, new));
            let mut pairs: Vec<(u32, u32)> = self.contents.of(source).filter_map(of).collect();
            if register == Register::Variable(variable) {
                // A new value can be the input of the same assignment again, so this runs to a fixpoint.
                loop {
                    for &(_, new) in &pairs {
                        self.add_number(source, new, at)?;
                    }
                    let known = pairs.len();
                    pairs = self.contents.of(source).filter_map(of).collect();
                    if pairs.len() == known {
                        break;
                    }
                }
                let cells = vec![(source, pairs.clone())];
                return Ok(if pairs.is_empty() {
                    found
                } else {
                    vec![(Effect { test: None, cells }, scores)]
                });
            }
            for (held, new) in pairs {
                let kept = self.keeping(source, &[held]);
                found.push(self.with_assignment(register, new, kept, scores, at)?);
            }
            return Ok(found);
        }
        // Large bounds, as in a file for a larger board, do not matter if the value is small.
        let range = self.book.range(&value).filter(|_| bound >= VALUES);
        let (low, high) = range.unwrap_or((0, i64::from(bound)));
        let (low, high) = (low.max(0) as u32, high.clamp(0, i64::from(bound)) as u32);
        if high.saturating_sub(low) >= VALUES {
            let name = &self.book.register(register).name;
            let message = format!("'{name}' can have more than {VALUES} values here");
            let fault = Fault::new(at, message, "this value depends on more than one variable or count");
            let help = format!("use a smaller board, or a bound of '{name}' of at most {}", VALUES - 1);
            return Err(self.book.error(fault.help(help)));
        }
        for number in low..=high {
            let (left, right) = (value.clone(), Value::Number(number));
            let test = Some(Test::Compare(CompareTest { left, comparison: Comparison::Equal, right }));
            found.push(self.with_assignment(
                register,
                number,
                Effect { test, cells: Vec::new() },
                scores,
                at,
            )?);
        }
        Ok(found)
    }

    /// Returns the effect followed by the assignment of a number to the register.
    fn with_assignment(
        &mut self,
        register: Register,
        number: u32,
        mut effect: Effect,
        scores: ScoresId,
        at: At,
    ) -> Result<(Effect, ScoresId)> {
        match register {
            Register::Variable(variable) => {
                let cell = self.contents.variable(variable);
                self.add_number(cell, number, at)?;
                effect.cells.extend(self.setting(cell, number).cells);
                Ok((effect, scores))
            }
            Register::Score(player) => {
                let mut after = self.scores[scores as usize].clone();
                after[player] = number;
                Ok((effect, self.scores_id(after)))
            }
        }
    }

    fn add_number(&mut self, cell: usize, number: u32, at: At) -> Result<()> {
        self.contents.add(cell, number);
        if self.contents.number_of(cell) <= VALUES as usize {
            return Ok(());
        }
        let name = &self.book.variables()[cell - self.contents.num_squares()].name;
        let message = format!("'{name}' can have more than {VALUES} values");
        Err(self.book.error(
            Fault::new(at, message, "including this one")
                .help("reduce the largest value of the variable in its declaration"),
        ))
    }

    pub(super) fn scores_id(&mut self, scores: Vec<u32>) -> ScoresId {
        let known = self.scores.iter().position(|known| *known == scores);
        known.unwrap_or_else(|| {
            self.scores.push(scores);
            self.scores.len() - 1
        }) as ScoresId
    }
}
