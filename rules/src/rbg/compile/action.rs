//! Actions, which combine several effects: a condition on the position before, and rewritten letters.

use std::collections::BTreeMap;

use nerode_dfa::{Condition, Letter, Result, Set, Step};

use super::sets::{Rewriting, Sets};

/// The letters of a layer before and after. Each letter before has a single letter after.
type Pairs = Vec<(Letter, Letter)>;

/// The combined effect of the edges from one node to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Action {
    /// The positions before, or `None` for all positions.
    pre: Option<Set>,
    /// The rewritten letters by layer. Other letters do not occur before.
    letters: BTreeMap<usize, Pairs>,
}

impl Action {
    /// Creates an action with one condition and some rewritten letters.
    pub(super) fn new(pre: Option<Set>, letters: Rewriting) -> Option<Self> {
        let mut action = Self { pre, letters: BTreeMap::new() };
        letters.into_iter().all(|(layer, pairs)| action.rewrite(layer, &pairs)).then_some(action)
    }

    /// Rewrites letters. Returns `false` if no letters remain.
    fn rewrite(&mut self, layer: usize, pairs: &[(Letter, Letter)]) -> bool {
        let after = match self.letters.get(&layer) {
            None => pairs.to_vec(),
            Some(known) => {
                let then = |&(first, middle): &(Letter, Letter)| {
                    let next = pairs.iter().find(|(before, _)| *before == middle);
                    next.map(|&(_, last)| (first, last))
                };
                known.iter().filter_map(then).collect()
            }
        };
        let some = !after.is_empty();
        self.letters.insert(layer, after);
        some
    }

    /// Returns the composition of this action and `next`, or `None` if no position allows both.
    pub(super) fn then(&self, next: &Self, sets: &mut Sets<'_>) -> Result<Option<Self>> {
        let mut both = self.clone();
        if let Some(pre) = &next.pre {
            let letters: Rewriting =
                self.letters.iter().map(|(&layer, pairs)| (layer, pairs.clone())).collect();
            let before = sets.back(&letters, pre)?;
            let pre = match &self.pre {
                Some(own) => sets.store.intersection(own, &before)?,
                None => before,
            };
            if pre.is_empty() {
                return Ok(None);
            }
            both.pre = (!pre.is_full()).then_some(pre);
        }
        let possible = next.letters.iter().all(|(&layer, pairs)| both.rewrite(layer, pairs));
        Ok(possible.then_some(both))
    }

    /// Converts the action to a step of a move graph.
    pub(super) fn step(&self, sets: &Sets<'_>) -> Step {
        let mut step = Step::identity();
        for (&layer, pairs) in &self.letters {
            if pairs.iter().any(|(before, after)| before != after) {
                step = step.change_any(layer, pairs);
            } else {
                let letters: Vec<Letter> = pairs.iter().map(|&(letter, _)| letter).collect();
                step = step.when(Condition::letters(layer, &letters));
            }
        }
        match &self.pre {
            Some(set) => step.when(Condition::any().within(sets.store.freeze(set))),
            None => step,
        }
    }
}
