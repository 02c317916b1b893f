//! [`Dfa`]: an immutable minimal automaton whose bytes depend only on its language.
//!
//! The following invariants hold. Every state is reachable from the root. No two states of a layer have the same
//! language, and no state has the empty or the full language, which are represented by the constants instead. States
//! are numbered layer by layer, in the order in which a breadth-first traversal from the root visits them when it reads
//! the letters in ascending order. Therefore equal languages have equal tables.

mod joined;
mod numbering;
mod table;

pub(crate) use numbering::{Numbering, number_as_met};
pub(crate) use table::Table;

use std::path::Path;
use std::sync::{Arc, Weak};

use crate::error::Result;
use crate::shape::{Letter, Shape};
use crate::unique::{ACCEPT, FIRST, REJECT};

/// The target of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A target from which no continuation is in the language.
    Reject,
    /// A target from which every continuation is in the language.
    Accept,
    /// A state of the next layer, numbered from 0.
    State(u32),
}

impl Target {
    pub(crate) fn from_raw(raw: u32) -> Self {
        match raw {
            REJECT => Target::Reject,
            ACCEPT => Target::Accept,
            s => Target::State(s - FIRST),
        }
    }
}

/// The size in bytes below which a layer is always stored in memory.
pub(crate) const SMALL_LAYER: u64 = 1 << 16;

/// A set of words of one shape, represented as a minimal layered automaton in canonical form.
///
/// A `Dfa` is a value: it is cheap to clone, can be compared, and does not depend on any [`crate::Store`]. A store is
/// faster for many operations on the same sets.
///
/// # Examples
/// ```
/// use nerode_dfa::{Dfa, Shape};
/// let shape = Shape::uniform(4, 2).unwrap();
/// let even = Dfa::from_step(&shape, 0u8, |_, ones, letter| Some((ones + letter) % 2), |ones| *ones == 0).unwrap();
/// assert!(even.contains(&[1, 0, 1, 0]));
/// assert!(!even.contains(&[1, 0, 0, 0]));
/// assert_eq!(even.num_states(), 1 + 2 + 2 + 2);
/// assert_eq!(even.count().unwrap(), 8);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dfa {
    shape: Shape,
    root: u32,
    /// For each layer, the concatenated rows of its ordinary states; the row of state `s` begins at
    /// `(s - FIRST) * letters`.
    layers: Arc<Vec<Table>>,
}

impl Dfa {
    /// Returns the empty set `∅`.
    pub fn empty(shape: &Shape) -> Self {
        Self::constant(shape, REJECT)
    }

    /// Returns the set of all words of the shape.
    pub fn full(shape: &Shape) -> Self {
        Self::constant(shape, ACCEPT)
    }

    fn constant(shape: &Shape, root: u32) -> Self {
        let layers = (0..shape.num_layers()).map(|_| Vec::new().into()).collect();
        Self { shape: shape.clone(), root, layers: Arc::new(layers) }
    }

    /// Brings a hash-consed table into canonical form. The result contains only states that are reachable from `root`,
    /// numbered breadth first.
    ///
    /// `rows(layer, states)` is called once for each layer, beginning with the first. It returns the concatenated
    /// transitions of these states, and an upper bound of the state numbers in use in the next layer. Cost: one visit
    /// for each state of the result, and one word of scratch memory for each number in use in one layer.
    pub(crate) fn canonical(
        shape: &Shape,
        root: u32,
        mut rows: impl FnMut(usize, &[u32]) -> (Vec<u32>, usize),
    ) -> Self {
        let mut layers = Vec::with_capacity(shape.num_layers());
        let mut current: Vec<u32> = if root >= FIRST { vec![root] } else { Vec::new() };
        for layer in 0..shape.num_layers() {
            let (mut rows, limit) = rows(layer, &current);
            current = number_as_met(&mut rows, limit);
            rows.shrink_to_fit();
            layers.push(rows.into());
        }
        Self { shape: shape.clone(), root: root.min(FIRST), layers: Arc::new(layers) }
    }

    /// Wraps tables that are already in canonical form, which is the caller's responsibility.
    pub(crate) fn from_canonical(
        shape: Shape,
        root: u32,
        layers: impl IntoIterator<Item: Into<Table>>,
    ) -> Self {
        Self { shape, root, layers: Arc::new(layers.into_iter().map(Into::into).collect()) }
    }

    /// Moves the large layers of the set into unnamed files in `folder`. Does nothing if other values share the tables.
    ///
    /// Cost: each of these layers is written once, and its memory is released before the next one is written.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if a file cannot be written.
    pub(crate) fn in_files(self, folder: &Path) -> Result<Self> {
        let layers = match Arc::try_unwrap(self.layers) {
            Ok(layers) => layers,
            Err(layers) => return Ok(Self { layers, ..self }),
        };
        let layers = layers.into_iter().map(|rows| rows.filed(folder)).collect::<Result<_>>()?;
        Ok(Self { layers: Arc::new(layers), ..self })
    }

    pub(crate) fn raw_root(&self) -> u32 {
        self.root
    }

    /// Returns the rows of a layer, which have `letters` transitions each.
    pub(crate) fn raw_rows(&self, layer: usize) -> &[u32] {
        &self.layers[layer]
    }

    #[inline]
    pub(crate) fn raw_target(&self, layer: usize, state: u32, letter: Letter) -> u32 {
        self.layers[layer][(state - FIRST) as usize * self.shape.num_letters(layer) + usize::from(letter)]
    }

    /// Returns the shape, which contains the alphabet of every layer.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the target at which the first letter is read.
    pub fn root(&self) -> Target {
        Target::from_raw(self.root)
    }

    /// Returns the target of the transition from `state` of `layer` by `letter`.
    ///
    /// # Panics
    /// Panics if the layer, state or letter is out of range.
    #[inline]
    pub fn target(&self, layer: usize, state: u32, letter: Letter) -> Target {
        Target::from_raw(self.raw_target(layer, state + FIRST, letter))
    }

    /// Returns the number of states, excluding the constants.
    pub fn num_states(&self) -> usize {
        (0..self.shape.num_layers()).map(|layer| self.num_states_in(layer)).sum()
    }

    /// Returns the same as [`Dfa::num_states_in`], or 0 if `layer` lies after the last layer.
    pub(crate) fn num_states_from(&self, layer: usize) -> usize {
        if layer < self.shape.num_layers() { self.num_states_in(layer) } else { 0 }
    }

    /// Returns the number of states of one layer.
    pub fn num_states_in(&self, layer: usize) -> usize {
        self.layers[layer].len() / self.shape.num_letters(layer)
    }

    /// Returns `true` if the language is empty. Takes constant time.
    pub fn is_empty(&self) -> bool {
        self.root == REJECT
    }

    /// Returns `true` if every word is in the language. Takes constant time.
    pub fn is_full(&self) -> bool {
        self.root == ACCEPT
    }

    /// Returns `true` if `word ∈ L`. A word of another shape is not in any language. Cost: one table access per letter.
    pub fn contains(&self, word: &[Letter]) -> bool {
        if word.len() != self.shape.num_layers() {
            return false;
        }
        let mut state = self.root;
        for (layer, &letter) in word.iter().enumerate() {
            if state < FIRST {
                break;
            }
            if usize::from(letter) >= self.shape.num_letters(layer) {
                return false;
            }
            state = self.raw_target(layer, state, letter);
        }
        state == ACCEPT && self.shape.check_word(word).is_ok()
    }

    /// Returns, for each pair of an automaton and a word, whether the automaton accepts the word; see [`Dfa::contains`].
    ///
    /// All words are read together, layer by layer, so that the waits for memory overlap where the sets are larger than
    /// the caches of the processor.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(2, 3).unwrap();
    /// let (a, b) = (Dfa::word(&shape, &[2, 0]).unwrap(), Dfa::word(&shape, &[2, 1]).unwrap());
    /// assert_eq!(Dfa::contain_each(&[(&a, &[2, 0]), (&a, &[2, 1]), (&b, &[2, 1])]), [true, false, true]);
    /// ```
    pub fn contain_each(words: &[(&Self, &[Letter])]) -> Vec<bool> {
        let start = |&(set, word): &(&Self, &[Letter])| {
            if word.len() == set.shape.num_layers() { set.root } else { REJECT }
        };
        let mut states: Vec<u32> = words.iter().map(start).collect();
        let num_layers = words.iter().map(|(set, _)| set.shape.num_layers()).max().unwrap_or(0);
        for layer in 0..num_layers {
            for (state, (set, word)) in states.iter_mut().zip(words) {
                if *state >= FIRST {
                    let letter = usize::from(word[layer]);
                    let letters = set.shape.num_letters(layer);
                    *state = if letter < letters {
                        set.layers[layer][(*state - FIRST) as usize * letters + letter]
                    } else {
                        REJECT
                    };
                }
            }
        }
        let is_in = |(state, (set, word)): (u32, &(&Self, &[Letter]))| {
            state == ACCEPT && set.shape.check_word(word).is_ok()
        };
        states.into_iter().zip(words).map(is_in).collect()
    }

    /// Returns `true` if both automata share their tables, which implies that the sets are equal. The converse does not
    /// hold: equal sets may have separate tables. Takes constant time.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.layers, &other.layers) && self.root == other.root
    }

    /// Returns the number of bytes that the transition tables occupy in memory. Tables in files do not count.
    pub fn bytes(&self) -> u64 {
        bytes_of(&self.layers)
    }

    /// Creates the set of words accepted by a recogniser. The recogniser begins with the value `start` and calls `step`
    /// for each letter, where `None` rejects the word. After the last letter, `accept` decides.
    ///
    /// Cost: one call of `step` for each distinct value and letter of each layer.
    ///
    /// # Errors
    /// Returns [`crate::Error::TooManyStates`] if a layer would need too many states.
    pub fn from_step<S: Clone + Eq + std::hash::Hash>(
        shape: &Shape,
        start: S,
        step: impl Fn(usize, &S, Letter) -> Option<S>,
        accept: impl Fn(&S) -> bool,
    ) -> Result<Self> {
        crate::builder::from_step(shape, start, step, accept)
    }
}

fn bytes_of(layers: &[Table]) -> u64 {
    layers.iter().map(Table::bytes).sum()
}

/// A weak reference to the tables of an automaton. It can tell whether they are still in memory without keeping them
/// alive.
#[derive(Debug)]
pub(crate) struct Watch {
    tables: Weak<Vec<Table>>,
    bytes: u64,
}

impl Watch {
    pub(crate) fn new(dfa: &Dfa) -> Self {
        Self { tables: Arc::downgrade(&dfa.layers), bytes: dfa.bytes() }
    }

    /// Returns `true` if this watches the tables of `dfa`.
    pub(crate) fn is_of(&self, dfa: &Dfa) -> bool {
        std::ptr::eq(self.tables.as_ptr(), Arc::as_ptr(&dfa.layers))
    }

    /// Returns the size of the tables in bytes, or 0 if they have been dropped.
    pub(crate) fn bytes(&self) -> u64 {
        if self.tables.strong_count() > 0 { self.bytes } else { 0 }
    }
}
