//! [`Dfa`]: an immutable minimal automaton whose bytes depend on its language alone.
//!
//! Invariants: every state is reachable from the root; no two states of a layer have the same language; none has the
//! empty or the full language (those are the constants); states are numbered layer by layer in the order in which a
//! breadth-first walk from the root, letters ascending, meets them. Equal languages therefore have equal tables.

mod numbering;
mod table;

pub(crate) use numbering::{Numbering, number_as_met};
pub(crate) use table::Table;

use std::path::Path;
use std::sync::{Arc, Weak};

use crate::error::Result;
use crate::shape::{Letter, Shape};
use crate::unique::{ACCEPT, FIRST, REJECT};

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// No continuation is in the language.
    Reject,
    /// Every continuation is in the language.
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

/// Layers of fewer bytes stay in memory.
pub(crate) const SMALL_LAYER: u64 = 1 << 16;

/// A set of words of one shape, as a minimal layered automaton in canonical form.
///
/// A value: cheap to clone, comparable, independent of any [`crate::Store`]. A store is faster where many operations are done on
/// the same sets.
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
    /// Per layer, rows of the ordinary states one after the other: row of state `s` at `(s - FIRST) * letters`.
    layers: Arc<Vec<Table>>,
}

impl Dfa {
    /// `∅`.
    pub fn empty(shape: &Shape) -> Self {
        Self::constant(shape, REJECT)
    }

    /// Every word of the shape.
    pub fn full(shape: &Shape) -> Self {
        Self::constant(shape, ACCEPT)
    }

    fn constant(shape: &Shape, root: u32) -> Self {
        let layers = (0..shape.num_layers()).map(|_| Vec::new().into()).collect();
        Self { shape: shape.clone(), root, layers: Arc::new(layers) }
    }

    /// Puts a hash-consed table into canonical form: keeps what `root` reaches and numbers it breadth first.
    ///
    /// `rows(layer, states)` is called once for each layer, first layer first. It gives the transitions of these states one after
    /// the other, and a bound of the numbers in use in the next layer. Cost: one visit for each state kept, and one word of
    /// scratch for each number in use in one layer.
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

    /// Wraps tables that are canonical already. The caller sees to that.
    pub(crate) fn from_canonical(
        shape: Shape,
        root: u32,
        layers: impl IntoIterator<Item: Into<Table>>,
    ) -> Self {
        Self { shape, root, layers: Arc::new(layers.into_iter().map(Into::into).collect()) }
    }

    /// The same set, with its large layers in nameless files in `folder`. It stays as it is where others have its tables too.
    ///
    /// Cost: writes each of these layers once; their memory goes one by one.
    ///
    /// # Errors
    /// [`Error::Io`].
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

    /// Rows of a layer, `letters` transitions each.
    pub(crate) fn raw_rows(&self, layer: usize) -> &[u32] {
        &self.layers[layer]
    }

    #[inline]
    pub(crate) fn raw_target(&self, layer: usize, state: u32, letter: Letter) -> u32 {
        self.layers[layer][(state - FIRST) as usize * self.shape.num_letters(layer) + usize::from(letter)]
    }

    /// The alphabet of every layer.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where the first letter is read.
    pub fn root(&self) -> Target {
        Target::from_raw(self.root)
    }

    /// Where `letter` leads from `state` of `layer`.
    ///
    /// # Panics
    /// When layer, state or letter is out of range.
    #[inline]
    pub fn target(&self, layer: usize, state: u32, letter: Letter) -> Target {
        Target::from_raw(self.raw_target(layer, state + FIRST, letter))
    }

    /// Number of states, the constants not counted.
    pub fn num_states(&self) -> usize {
        (0..self.shape.num_layers()).map(|layer| self.num_states_in(layer)).sum()
    }

    /// As [`Dfa::num_states_in`], and 0 after the last layer.
    pub(crate) fn num_states_from(&self, layer: usize) -> usize {
        if layer < self.shape.num_layers() { self.num_states_in(layer) } else { 0 }
    }

    /// Number of states of one layer.
    pub fn num_states_in(&self, layer: usize) -> usize {
        self.layers[layer].len() / self.shape.num_letters(layer)
    }

    /// Whether the language is empty. Constant time.
    pub fn is_empty(&self) -> bool {
        self.root == REJECT
    }

    /// Whether every word is in the language. Constant time.
    pub fn is_full(&self) -> bool {
        self.root == ACCEPT
    }

    /// `word ∈ L`. Cost: one table access per letter. A word of another shape is in no language.
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

    /// Whether the two share their tables, in constant time. If so, the sets are equal; if not, they may be equal too.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.layers, &other.layers) && self.root == other.root
    }

    /// Bytes of the transition tables in memory. Those in files do not count.
    pub fn bytes(&self) -> u64 {
        bytes_of(&self.layers)
    }

    /// The words that a recogniser accepts. It begins with `start` and takes one `step` for each letter; `None` rejects the word.
    /// After the last letter `accept` decides.
    ///
    /// Cost: one call of `step` for each distinct value and letter of each layer.
    ///
    /// # Errors
    /// [`crate::Error::TooManyStates`].
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

/// Knows whether the tables of an automaton are still in memory, without keeping them there.
#[derive(Debug)]
pub(crate) struct Watch {
    tables: Weak<Vec<Table>>,
    bytes: u64,
}

impl Watch {
    pub(crate) fn new(dfa: &Dfa) -> Self {
        Self { tables: Arc::downgrade(&dfa.layers), bytes: dfa.bytes() }
    }

    /// Whether this watches the tables of `dfa`.
    pub(crate) fn is_of(&self, dfa: &Dfa) -> bool {
        std::ptr::eq(self.tables.as_ptr(), Arc::as_ptr(&dfa.layers))
    }

    /// Bytes of the tables, 0 once no automaton has them any more.
    pub(crate) fn bytes(&self) -> u64 {
        if self.tables.strong_count() > 0 { self.bytes } else { 0 }
    }
}
