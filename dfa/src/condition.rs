//! Conditions on words as data: they can be built, written, read and compiled to a [`Dfa`].

use std::ops::{Not, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::automaton::Dfa;
use crate::builder::from_step;
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};

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
    /// [`Error::Move`] when the condition does not fit the shape; [`Error::TooManyStates`].
    pub fn compile(&self, shape: &Shape) -> Result<Dfa> {
        self.check(shape)?;
        self.build(shape)
    }

    /// Whether all layers, letters and automata are of `shape`.
    ///
    /// # Errors
    /// [`Error::Move`] naming the first thing that is not.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        match self {
            Self::Letters { layer, letters } => check_layers(shape, &[*layer], letters),
            Self::Count { layers, letters, .. } => check_layers(shape, layers, letters),
            Self::Lines { lines, letters, .. } => {
                lines.iter().try_for_each(|line| check_layers(shape, line, letters))
            }
            Self::Within(set) if set.shape() != shape => {
                Err(Error::Move("condition of another shape".into()))
            }
            Self::Within(_) => Ok(()),
            Self::And(parts) | Self::Or(parts) => parts.iter().try_for_each(|part| part.check(shape)),
            Self::Not(part) => part.check(shape),
        }
    }

    /// The automaton of a condition that was checked.
    fn build(&self, shape: &Shape) -> Result<Dfa> {
        match self {
            Self::Letters { layer, letters } => Dfa::cube(shape, &[(*layer, letters.clone())]),
            Self::Count { layers, letters, range } => {
                let lines: Vec<Vec<usize>> = (0..shape.num_layers())
                    .filter(|layer| layers.contains(layer))
                    .map(|layer| vec![layer])
                    .collect();
                full_lines(shape, &lines, letters, range)
            }
            Self::Lines { lines, letters, range } => full_lines(shape, lines, letters, range),
            Self::Within(set) => Ok(set.clone()),
            Self::And(_) => self.product(shape)?.compile(shape),
            Self::Or(parts) => parts
                .iter()
                .try_fold(Dfa::empty(shape), |any, part| part.build(shape).and_then(|set| any.or(&set))),
            Self::Not(part) => Ok(part.build(shape)?.not()),
        }
    }

    /// A condition that was checked, as letters allowed in each layer and an automaton.
    pub(crate) fn product(&self, shape: &Shape) -> Result<Product> {
        let allowed = shape.alphabets().iter().map(|&letters| vec![true; usize::from(letters)]).collect();
        let mut product = Product { allowed, automaton: None };
        self.add_to(&mut product, shape)?;
        Ok(product)
    }

    fn add_to(&self, product: &mut Product, shape: &Shape) -> Result<()> {
        match self {
            Self::And(parts) => parts.iter().try_for_each(|part| part.add_to(product, shape)),
            Self::Letters { layer, letters } => {
                let allowed = product.allowed[*layer].iter_mut().enumerate();
                allowed.for_each(|(letter, allowed)| *allowed &= letters.contains(&(letter as Letter)));
                Ok(())
            }
            other => {
                let set = other.build(shape)?;
                product.automaton = Some(match &product.automaton {
                    Some(known) => known.and(&set)?,
                    None => set,
                });
                Ok(())
            }
        }
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

/// A condition in two parts: `{ w : allowed[l][w_l] for every l } ∩ automaton`.
pub(crate) struct Product {
    allowed: Vec<Vec<bool>>,
    automaton: Option<Dfa>,
}

impl Product {
    /// Whether the first part lets `letter` stand in `layer`.
    pub(crate) fn allows(&self, layer: usize, letter: Letter) -> bool {
        self.allowed[layer][usize::from(letter)]
    }

    /// The words that meet both parts.
    fn compile(&self, shape: &Shape) -> Result<Dfa> {
        let allowed = |layer: usize, (): &(), letter: Letter| self.allows(layer, letter).then_some(());
        let words = from_step(shape, (), allowed, |()| true)?;
        match &self.automaton {
            Some(set) => words.and(set),
            None => Ok(words),
        }
    }

    /// The second part, if there is one.
    pub(crate) fn automaton(&self) -> Option<&Dfa> {
        self.automaton.as_ref()
    }
}

fn check_layers(shape: &Shape, layers: &[usize], letters: &[Letter]) -> Result<()> {
    let fits = |layer: usize| {
        layer < shape.num_layers() && letters.iter().all(|&a| usize::from(a) < shape.num_letters(layer))
    };
    match layers.iter().find(|&&layer| !fits(layer)) {
        Some(layer) => Err(Error::Move(format!("condition on layer {layer} is outside the shape"))),
        None => Ok(()),
    }
}

/// See [`Condition::Lines`]; `range` counts lines.
fn full_lines(
    shape: &Shape,
    lines: &[Vec<usize>],
    letters: &[Letter],
    range: &RangeInclusive<usize>,
) -> Result<Dfa> {
    let ends = |line: &Vec<usize>| Some((*line.iter().min()?, *line.iter().max()?));
    let empty = lines.iter().filter(|line| line.is_empty()).count();
    // What is read so far: lines that are full up to here and go on, and how many are full; `None` once the rest cannot matter.
    type Read = Option<(Vec<usize>, usize)>;
    let read = |open: Vec<usize>, full: usize| -> Option<Read> {
        let settled = *range.start() <= full && lines.len() <= *range.end();
        (full <= *range.end()).then_some((!settled).then_some((open, full)))
    };
    let step = |layer: usize, at: &Read, letter: Letter| {
        let Some((open, full)) = at else { return Some(None) };
        let (mut still, mut more) = (Vec::new(), 0);
        for (i, line) in lines.iter().enumerate() {
            let Some((first, last)) = ends(line) else { continue };
            let unbroken = (first == layer || open.binary_search(&i).is_ok())
                && (!line.contains(&layer) || letters.contains(&letter));
            if unbroken && last == layer {
                more += 1;
            } else if unbroken {
                still.push(i);
            }
        }
        read(still, full + more)
    };
    let Some(start) = read(Vec::new(), empty) else { return Ok(Dfa::empty(shape)) };
    from_step(shape, start, step, |at| at.as_ref().is_none_or(|(_, full)| range.contains(full)))
}
