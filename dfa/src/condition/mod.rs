//! Conditions on words as data, which can be constructed, serialised, deserialised and compiled to a [`Dfa`].

mod compile;

use std::ops::{Not, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::{Letter, Shape};

pub(crate) use compile::Product;

/// A description of a set of words.
///
/// # Examples
/// ```
/// use nerode_dfa::{Condition, Shape};
/// let shape = Shape::uniform(3, 3).unwrap();
/// let row = Condition::lines(&[vec![0, 1, 2]], &[1], 1..=1);
/// let none = Condition::count(&[0, 1, 2], &[2], 0..=0);
/// let set = row.clone().or(none.and(!Condition::letters(0, &[0]))).compile(&shape).unwrap();
/// assert_eq!(set.words().collect::<Vec<_>>(), [[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]);
/// assert!(row.holds(&[1, 1, 1]) && !row.holds(&[1, 0, 1]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Condition {
    /// The set `{ w : w_layer ∈ letters }`.
    Letters {
        /// The layer to examine.
        layer: usize,
        /// The letters that the layer may have.
        letters: Vec<Letter>,
    },
    /// The set `{ w : |{ l ∈ layers : w_l ∈ letters }| ∈ range }`. A layer that is listed twice counts once.
    Count {
        /// The layers to examine.
        layers: Vec<usize>,
        /// The letters to count.
        letters: Vec<Letter>,
        /// The allowed numbers of such letters.
        range: RangeInclusive<usize>,
    },
    /// The set `{ w : |{ line ∈ lines : w_l ∈ letters for every l ∈ line }| ∈ range }`. A line that is listed twice
    /// counts twice.
    Lines {
        /// The layers of each line.
        lines: Vec<Vec<usize>>,
        /// The letters that fill a line.
        letters: Vec<Letter>,
        /// The allowed numbers of full lines.
        range: RangeInclusive<usize>,
    },
    /// The words of a set.
    Within(Dfa),
    /// The words that satisfy all of these conditions. An empty list is satisfied by every word.
    And(Vec<Condition>),
    /// The words that satisfy at least one of these conditions. An empty list is not satisfied by any word.
    Or(Vec<Condition>),
    /// The words that do not satisfy the condition.
    Not(Box<Condition>),
}

impl Default for Condition {
    /// Returns the condition that every word satisfies.
    fn default() -> Self {
        Self::any()
    }
}

impl Condition {
    /// Creates the condition that every word satisfies.
    pub fn any() -> Self {
        Self::And(Vec::new())
    }

    /// Creates a [`Condition::Letters`].
    pub fn letters(layer: usize, letters: &[Letter]) -> Self {
        Self::Letters { layer, letters: letters.to_vec() }
    }

    /// Creates a [`Condition::Count`].
    pub fn count(layers: &[usize], letters: &[Letter], range: RangeInclusive<usize>) -> Self {
        Self::Count { layers: layers.to_vec(), letters: letters.to_vec(), range }
    }

    /// Creates a [`Condition::Lines`].
    pub fn lines(lines: &[Vec<usize>], letters: &[Letter], range: RangeInclusive<usize>) -> Self {
        Self::Lines { lines: lines.to_vec(), letters: letters.to_vec(), range }
    }

    /// Adds the requirement that layer `layer` has one of `letters`.
    #[must_use]
    pub fn with(self, layer: usize, letters: &[Letter]) -> Self {
        self.and(Self::letters(layer, letters))
    }

    /// Adds the requirement that the word is in `set`.
    #[must_use]
    pub fn within(self, set: Dfa) -> Self {
        self.and(Self::Within(set))
    }

    /// Returns the conjunction, which is satisfied if both conditions hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut parts = self.conjuncts();
        parts.append(&mut other.conjuncts());
        match <[Self; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => Self::And(parts),
        }
    }

    /// Returns the disjunction, which is satisfied if at least one of the conditions holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match self {
            Self::Or(mut parts) => {
                parts.push(other);
                Self::Or(parts)
            }
            first => Self::Or(vec![first, other]),
        }
    }

    fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(parts) => parts,
            other => vec![other],
        }
    }

    /// Returns `true` if `word` satisfies the condition. Evaluates the definition directly, without compiling it. A
    /// layer beyond the end of the word has no letter.
    pub fn holds(&self, word: &[Letter]) -> bool {
        let one_of =
            |layer: &usize, letters: &[Letter]| word.get(*layer).is_some_and(|a| letters.contains(a));
        match self {
            Self::Letters { layer, letters } => one_of(layer, letters),
            Self::Count { layers, letters, range } => {
                let found = (0..word.len()).filter(|l| layers.contains(l) && one_of(l, letters));
                range.contains(&found.count())
            }
            Self::Lines { lines, letters, range } => {
                range.contains(&lines.iter().filter(|line| line.iter().all(|l| one_of(l, letters))).count())
            }
            Self::Within(set) => set.contains(word),
            Self::And(parts) => parts.iter().all(|part| part.holds(word)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(word)),
            Self::Not(part) => !part.holds(word),
        }
    }

    /// Compiles the condition to the automaton of all words of `shape` that satisfy it.
    ///
    /// # Errors
    /// Returns [`crate::Error::Move`] if the condition does not fit the shape, or [`crate::Error::TooManyStates`].
    pub fn compile(&self, shape: &Shape) -> Result<Dfa> {
        self.check(shape)?;
        self.build(shape)
    }
}

impl Not for Condition {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Not(part) => *part,
            other => Self::Not(Box::new(other)),
        }
    }
}
