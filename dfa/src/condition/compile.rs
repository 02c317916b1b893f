//! Compilation of conditions: they are checked against a shape and then translated to automata.

use std::ops::RangeInclusive;

use crate::automaton::Dfa;
use crate::builder::from_step;
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};

use super::Condition;

impl Condition {
    /// Checks that all layers, letters and automata fit `shape`.
    ///
    /// # Errors
    /// Returns [`Error::Move`], which describes the first mismatch.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        match self {
            Self::Letters { layer, letters } => check_layers(shape, &[*layer], letters),
            Self::Count { layers, letters, .. } => check_layers(shape, layers, letters),
            Self::Lines { lines, letters, .. } => {
                lines.iter().try_for_each(|line| check_layers(shape, line, letters))
            }
            Self::Within(set) if set.shape() != shape => {
                Err(Error::Move("the set of a condition has a different shape".into()))
            }
            Self::Within(_) => Ok(()),
            Self::And(parts) | Self::Or(parts) => parts.iter().try_for_each(|part| part.check(shape)),
            Self::Not(part) => part.check(shape),
        }
    }

    /// Builds the automaton of a condition that has been checked.
    pub(super) fn build(&self, shape: &Shape) -> Result<Dfa> {
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

    /// Converts a checked condition to allowed letters for each layer and an automaton.
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

/// A condition in two parts: `{ w : allowed[l][w_l] for every l } ∩ automaton`.
pub(crate) struct Product {
    allowed: Vec<Vec<bool>>,
    automaton: Option<Dfa>,
}

impl Product {
    /// Returns `true` if the first part allows `letter` in `layer`.
    pub(crate) fn allows(&self, layer: usize, letter: Letter) -> bool {
        self.allowed[layer][usize::from(letter)]
    }

    /// Returns the words that satisfy both parts.
    fn compile(&self, shape: &Shape) -> Result<Dfa> {
        let allowed = |layer: usize, (): &(), letter: Letter| self.allows(layer, letter).then_some(());
        let words = from_step(shape, (), allowed, |()| true)?;
        match &self.automaton {
            Some(set) => words.and(set),
            None => Ok(words),
        }
    }

    /// Returns the second part, if it exists.
    pub(crate) fn automaton(&self) -> Option<&Dfa> {
        self.automaton.as_ref()
    }
}

fn check_layers(shape: &Shape, layers: &[usize], letters: &[Letter]) -> Result<()> {
    let fits = |layer: usize| {
        layer < shape.num_layers() && letters.iter().all(|&a| usize::from(a) < shape.num_letters(layer))
    };
    match layers.iter().find(|&&layer| !fits(layer)) {
        Some(layer) => Err(Error::Move(format!("the condition on layer {layer} is outside the shape"))),
        None => Ok(()),
    }
}

/// Builds the automaton of [`Condition::Lines`], where `range` limits the number of full lines.
fn full_lines(
    shape: &Shape,
    lines: &[Vec<usize>],
    letters: &[Letter],
    range: &RangeInclusive<usize>,
) -> Result<Dfa> {
    let ends = |line: &Vec<usize>| Some((*line.iter().min()?, *line.iter().max()?));
    let empty = lines.iter().filter(|line| line.is_empty()).count();
    // The state of the recogniser: the lines that are full so far and continue, and the number of full lines; `None` if
    // the remaining letters cannot change the result.
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
