//! Conditions on words as data: they can be built, written, read and compiled to a [`Dfa`].

mod compile;

use std::ops::{Not, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::{Letter, Shape};

pub(crate) use compile::Product;

/// A set of words, described.
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
    /// `{ w : w_layer ∈ letters }`.
    Letters {
        /// The layer looked at.
        layer: usize,
        /// Letters allowed there.
        letters: Vec<Letter>,
    },
    /// `{ w : |{ l ∈ layers : w_l ∈ letters }| ∈ range }`. A layer named twice counts once.
    Count {
        /// Layers looked at.
        layers: Vec<usize>,
        /// Letters counted.
        letters: Vec<Letter>,
        /// How many there may be.
        range: RangeInclusive<usize>,
    },
    /// `{ w : |{ line ∈ lines : w_l ∈ letters for every l ∈ line }| ∈ range }`. A line named twice counts twice.
    Lines {
        /// Layers of each line.
        lines: Vec<Vec<usize>>,
        /// Letters that fill a line.
        letters: Vec<Letter>,
        /// How many lines may be full.
        range: RangeInclusive<usize>,
    },
    /// The words of a set.
    Within(Dfa),
    /// Words that meet all of these conditions; every word if there are none.
    And(Vec<Condition>),
    /// Words that meet one of these conditions, or more; no word if there are none.
    Or(Vec<Condition>),
    /// Words that do not meet the condition.
    Not(Box<Condition>),
}

impl Default for Condition {
    /// Every word.
    fn default() -> Self {
        Self::any()
    }
}

impl Condition {
    /// Every word.
    pub fn any() -> Self {
        Self::And(Vec::new())
    }

    /// See [`Condition::Letters`].
    pub fn letters(layer: usize, letters: &[Letter]) -> Self {
        Self::Letters { layer, letters: letters.to_vec() }
    }

    /// See [`Condition::Count`].
    pub fn count(layers: &[usize], letters: &[Letter], range: RangeInclusive<usize>) -> Self {
        Self::Count { layers: layers.to_vec(), letters: letters.to_vec(), range }
    }

    /// See [`Condition::Lines`].
    pub fn lines(lines: &[Vec<usize>], letters: &[Letter], range: RangeInclusive<usize>) -> Self {
        Self::Lines { lines: lines.to_vec(), letters: letters.to_vec(), range }
    }

    /// Adds: layer `layer` holds one of `letters`.
    #[must_use]
    pub fn with(self, layer: usize, letters: &[Letter]) -> Self {
        self.and(Self::letters(layer, letters))
    }

    /// Adds: the word is in `set`.
    #[must_use]
    pub fn within(self, set: Dfa) -> Self {
        self.and(Self::Within(set))
    }

    /// Both conditions hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut parts = self.conjuncts();
        parts.append(&mut other.conjuncts());
        match <[Self; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => Self::And(parts),
        }
    }

    /// One of the conditions holds, or both.
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

    /// Whether `word` meets the condition, by its definition: nothing is compiled. A layer past the end holds no letter.
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

    /// The words of `shape` that meet the condition, as an automaton.
    ///
    /// # Errors
    /// [`crate::Error::Move`] when the condition does not fit the shape; [`crate::Error::TooManyStates`].
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
