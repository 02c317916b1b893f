//! [`ValueMap`]: a function from words to 16-bit codes as one automaton, for look-ups, for files and for traversals of
//! all words.
//!
//! A target is either a state or, as soon as the code no longer depends on the rest of the word, the code itself.
//!
//! The following invariants hold. No two states of a layer have equal rows, no row consists of a single code, and
//! states are numbered breadth first with letters in ascending order. Therefore equal functions have equal tables.

#[cfg(feature = "engine")]
mod build;
mod file;
#[cfg(feature = "engine")]
mod pairs;
#[cfg(feature = "engine")]
mod rearrange;
#[cfg(feature = "engine")]
mod write;

use std::collections::BTreeSet;

#[cfg(feature = "engine")]
pub use pairs::CodePairs;

use crate::shape::{Letter, Shape};

/// The bit that marks a target as a code.
const CODE: u32 = 1 << 31;

/// The target of a transition of an automaton with codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeTarget {
    /// A state of the next layer, by its number within the layer.
    State(u32),
    /// The code of every continuation.
    Code(u16),
}

impl CodeTarget {
    fn of(target: u32) -> Self {
        if target & CODE == 0 { Self::State(target) } else { Self::Code(target as u16) }
    }
}

/// A total function from the words of a shape to codes.
///
/// # Examples
/// ```
/// use nerode_dfa::{Dfa, Shape, ValueMap};
/// let shape = Shape::uniform(3, 2).unwrap();
/// let ones = |n| Dfa::letter_count(&shape, 1, &[0, 1, 2], n..=n).unwrap();
/// let map = ValueMap::from_classes(&shape, &[(10, ones(1)), (20, ones(2))], u64::MAX).unwrap();
/// assert_eq!(map.get(&[0, 1, 0]), 10);
/// assert_eq!(map.get(&[1, 1, 0]), 20);
/// assert_eq!(map.get(&[1, 1, 1]), 0);
///
/// let nerode_dfa::CodeTarget::State(begin) = map.root() else { panic!("the codes differ") };
/// assert_eq!(map.num_states_in(0), 1);
/// assert!(matches!(map.target(0, begin, 1), nerode_dfa::CodeTarget::State(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMap {
    shape: Shape,
    root: u32,
    /// For each layer, the rows of targets. A target is a state number from 0 on, or [`CODE`] combined with the code of
    /// every continuation.
    layers: Vec<Vec<u32>>,
}

impl ValueMap {
    /// Returns the shape, which contains the alphabet of every layer.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the number of states.
    pub fn num_states(&self) -> usize {
        (0..self.shape.num_layers()).map(|layer| self.num_states_in(layer)).sum()
    }

    /// Returns the number of states of a layer.
    ///
    /// # Panics
    /// Panics if `layer` is out of bounds.
    pub fn num_states_in(&self, layer: usize) -> usize {
        self.layers[layer].len() / self.shape.num_letters(layer)
    }

    /// Returns the initial target: a state of the first layer, or the code of all words.
    pub fn root(&self) -> CodeTarget {
        CodeTarget::of(self.root)
    }

    /// Returns the target of a letter from a state, by its number within the layer.
    ///
    /// # Panics
    /// Panics if `layer`, `state` or `letter` is out of bounds.
    pub fn target(&self, layer: usize, state: u32, letter: Letter) -> CodeTarget {
        let letters = self.shape.num_letters(layer);
        assert!(usize::from(letter) < letters, "letter {letter} does not exist in layer {layer}");
        CodeTarget::of(self.layers[layer][state as usize * letters + usize::from(letter)])
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().map(|rows| 4 * rows.len() as u64).sum()
    }

    /// Returns the codes that at least one word has, in ascending order. Cost: one pass over the table.
    pub fn codes(&self) -> Vec<u16> {
        let targets = self.layers.iter().flatten().chain([&self.root]);
        targets.filter(|&&t| t & CODE != 0).map(|&t| t as u16).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the code of `word`. Cost: one table access per letter until the code is determined.
    ///
    /// # Panics
    /// Panics if the word does not fit the shape.
    #[inline]
    pub fn get(&self, word: &[Letter]) -> u16 {
        assert_eq!(word.len(), self.shape.num_layers(), "the word has the wrong length for this shape");
        let mut target = self.root;
        for (layer, &letter) in word.iter().enumerate() {
            if target & CODE != 0 {
                break;
            }
            let letters = self.shape.num_letters(layer);
            assert!(usize::from(letter) < letters, "letter {letter} does not exist in layer {layer}");
            target = self.layers[layer][target as usize * letters + usize::from(letter)];
        }
        target as u16
    }

    /// Returns a walk over all words, in the order in which layer `l` takes its letters as listed in `letters[l]`.
    ///
    /// # Panics
    /// Panics if there is not exactly one list per layer.
    pub fn walk(&self, letters: Vec<Vec<Letter>>) -> Walk<'_> {
        assert_eq!(letters.len(), self.shape.num_layers(), "expected one list of letters per layer");
        Walk { map: self, letters, prefix: Vec::new(), stack: Vec::new(), begun: false }
    }
}

/// A walk over all words that stops at the shortest prefixes that determine the code; see [`ValueMap::walk`].
#[derive(Debug)]
pub struct Walk<'a> {
    map: &'a ValueMap,
    letters: Vec<Vec<Letter>>,
    prefix: Vec<Letter>,
    /// For each letter of the prefix, the start of the row in which it was read and the number of letters of this row
    /// that have been processed.
    stack: Vec<(usize, usize)>,
    begun: bool,
}

impl Walk<'_> {
    /// Returns the next prefix that determines the code, together with the code. A prefix of length m stands for all of
    /// its continuations, which are the product of the alphabets of the layers from m on.
    ///
    /// Cost: one table access per letter that changes.
    #[inline]
    pub fn next_settled(&mut self) -> Option<(&[Letter], u16)> {
        if !self.begun {
            self.begun = true;
            if self.map.root & CODE != 0 {
                return Some((&[], self.map.root as u16));
            }
            self.stack.push((self.map.root as usize * self.map.shape.num_letters(0), 0));
        }
        loop {
            let layer = self.stack.len().checked_sub(1)?;
            let (start, done) = &mut self.stack[layer];
            let Some(&letter) = self.letters[layer].get(*done) else {
                self.stack.pop();
                continue;
            };
            *done += 1;
            self.prefix.truncate(layer);
            self.prefix.push(letter);
            let target = self.map.layers[layer][*start + usize::from(letter)];
            if target & CODE != 0 {
                return Some((&self.prefix, target as u16));
            }
            self.stack.push((target as usize * self.map.shape.num_letters(layer + 1), 0));
        }
    }
}
