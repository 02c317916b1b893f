//! Boolean algebra on finished automata, for callers that have a [`Dfa`] but no store.
//!
//! These operations do not cache results between calls and do not enforce a memory cap. For many sets or large sets,
//! use a [`crate::Store`] or [`crate::Passes`] instead.

use hashbrown::HashSet;

use crate::automaton::Dfa;
use crate::builder::from_step;
use crate::error::{Error, Result};
use crate::shape::Letter;
use crate::unique::{ACCEPT, FIRST, REJECT};

/// Decides the result for a pair of residuals if it follows from those that are constant.
type Decide = fn(u32, u32) -> Option<bool>;

fn both(x: u32, y: u32) -> Option<bool> {
    if x == REJECT || y == REJECT { Some(false) } else { (x == ACCEPT && y == ACCEPT).then_some(true) }
}

fn either(x: u32, y: u32) -> Option<bool> {
    if x == ACCEPT || y == ACCEPT { Some(true) } else { (x == REJECT && y == REJECT).then_some(false) }
}

fn first_only(x: u32, y: u32) -> Option<bool> {
    if x == REJECT || y == ACCEPT { Some(false) } else { (x == ACCEPT && y == REJECT).then_some(true) }
}

/// Returns the target of `letter` from a state of `layer` or from a constant.
fn follow(dfa: &Dfa, layer: usize, state: u32, letter: Letter) -> u32 {
    if state < FIRST { state } else { dfa.raw_target(layer, state, letter) }
}

/// # Boolean algebra
/// Results are canonical: minimal, and numbered breadth first. The operations on two sets cost at worst one step per
/// letter for each pair of states that is reached by a common prefix.
impl Dfa {
    /// Returns the intersection `self ∩ other`.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] or [`Error::TooManyStates`].
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(3, 2).unwrap();
    /// let first = Dfa::cube(&shape, &[(0, vec![1])]).unwrap();
    /// let last = Dfa::cube(&shape, &[(2, vec![1])]).unwrap();
    /// let both = first.and(&last).unwrap();
    /// assert_eq!(both.count().unwrap(), 2);
    /// assert!(both.is_subset(&first).unwrap());
    /// assert_eq!(first.or(&last).unwrap().not(), first.not().and(&last.not()).unwrap());
    /// ```
    pub fn and(&self, other: &Self) -> Result<Self> {
        self.product(other, both)
    }

    /// Returns the union `self ∪ other`.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::and`].
    pub fn or(&self, other: &Self) -> Result<Self> {
        self.product(other, either)
    }

    /// Returns the difference `self \ other`.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::and`].
    pub fn minus(&self, other: &Self) -> Result<Self> {
        self.product(other, first_only)
    }

    /// Returns the complement, which contains every word of the shape that is not in `self`. Cost: one visit per
    /// transition.
    #[must_use]
    pub fn not(&self) -> Self {
        // Swapping the constants preserves the canonical numbering, because it depends only on the order of the state
        // targets.
        let negated = |&target: &u32| if target < FIRST { ACCEPT - target } else { target };
        let rows = |layer| self.raw_rows(layer).iter().map(negated).collect::<Vec<u32>>();
        let layers = (0..self.shape().num_layers()).map(rows);
        Self::from_canonical(self.shape().clone(), negated(&self.raw_root()), layers)
    }

    /// Returns `true` if `self ⊆ other`. Cost: at worst one visit per pair of states; no automaton is built.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] if the shapes differ.
    pub fn is_subset(&self, other: &Self) -> Result<bool> {
        self.never(other, first_only)
    }

    /// Returns `true` if `self ∩ other = ∅`. Cost: at worst one visit per pair of states; no automaton is built.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] if the shapes differ.
    pub fn is_disjoint(&self, other: &Self) -> Result<bool> {
        self.never(other, both)
    }

    fn same_shape(&self, other: &Self) -> Result<()> {
        if self.shape() == other.shape() {
            return Ok(());
        }
        Err(Error::ShapeMismatch("the two automata cannot be combined".into()))
    }

    /// Computes the words whose pair of residuals `decide` maps to `true`.
    fn product(&self, other: &Self, decide: Decide) -> Result<Self> {
        self.same_shape(other)?;
        // `None` stands for the full language, in which every continuation is accepted.
        type Pair = Option<(u32, u32)>;
        let pair = |x, y| match decide(x, y) {
            Some(false) => None,
            Some(true) => Some(None),
            None => Some(Some((x, y))),
        };
        let Some(start) = pair(self.raw_root(), other.raw_root()) else {
            return Ok(Self::empty(self.shape()));
        };
        let step = |layer: usize, at: &Pair, letter: Letter| match *at {
            None => Some(None),
            Some((x, y)) => pair(follow(self, layer, x, letter), follow(other, layer, y, letter)),
        };
        from_step(self.shape(), start, step, |_| true)
    }

    /// Returns `true` if `decide` yields `false` for every pair of residuals that some word reaches.
    fn never(&self, other: &Self, decide: Decide) -> Result<bool> {
        self.same_shape(other)?;
        let mut pairs = HashSet::from([(self.raw_root(), other.raw_root())]);
        if let Some(known) = decide(self.raw_root(), other.raw_root()) {
            return Ok(!known);
        }
        for layer in 0..self.shape().num_layers() {
            let mut next = HashSet::new();
            for (x, y) in pairs {
                for letter in 0..self.shape().num_letters(layer) {
                    let letter = letter as Letter;
                    let (x, y) = (follow(self, layer, x, letter), follow(other, layer, y, letter));
                    match decide(x, y) {
                        // A residual that is not empty contains a word.
                        Some(true) => return Ok(false),
                        Some(false) => {}
                        None => {
                            next.insert((x, y));
                        }
                    }
                }
            }
            pairs = next;
        }
        Ok(true)
    }
}
