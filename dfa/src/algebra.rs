//! Boolean algebra on finished automata, for those who hold a [`Dfa`] and no store.
//!
//! Nothing is remembered from one operation to the next, and no memory cap is kept. Whoever works on many sets, or on
//! large ones, takes a [`crate::Store`] or [`crate::Passes`].

use hashbrown::HashSet;

use crate::automaton::Dfa;
use crate::builder::from_step;
use crate::error::{Error, Result};
use crate::shape::Letter;
use crate::unique::{ACCEPT, FIRST, REJECT};

/// The value of a pair of residuals, where it follows from those of them that are constant.
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

/// Where `letter` leads from a state of `layer`, or from a constant.
fn follow(dfa: &Dfa, layer: usize, state: u32, letter: Letter) -> u32 {
    if state < FIRST { state } else { dfa.raw_target(layer, state, letter) }
}

/// # Boolean algebra
/// Results are canonical: minimal, and numbered breadth first. Cost of the operations on two sets: at worst one step for
/// each pair of states, and letter, that equal prefixes lead to.
impl Dfa {
    /// `self ∩ other`.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`]; [`Error::TooManyStates`].
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

    /// `self ∪ other`.
    ///
    /// # Errors
    /// As [`Dfa::and`].
    pub fn or(&self, other: &Self) -> Result<Self> {
        self.product(other, either)
    }

    /// `self \ other`.
    ///
    /// # Errors
    /// As [`Dfa::and`].
    pub fn minus(&self, other: &Self) -> Result<Self> {
        self.product(other, first_only)
    }

    /// Every word of the shape that is not in `self`. Cost: one visit per transition.
    #[must_use]
    pub fn not(&self) -> Self {
        // States are numbered in the order in which they are named, whatever the constants between them.
        let negated = |&target: &u32| if target < FIRST { ACCEPT - target } else { target };
        let rows = |layer| self.raw_rows(layer).iter().map(negated).collect::<Vec<u32>>();
        let layers = (0..self.shape().num_layers()).map(rows);
        Self::from_canonical(self.shape().clone(), negated(&self.raw_root()), layers)
    }

    /// `self ⊆ other`. Cost: at worst one visit per pair of states; nothing is built.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`].
    pub fn is_subset(&self, other: &Self) -> Result<bool> {
        self.never(other, first_only)
    }

    /// `self ∩ other = ∅`. Cost: at worst one visit per pair of states; nothing is built.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`].
    pub fn is_disjoint(&self, other: &Self) -> Result<bool> {
        self.never(other, both)
    }

    fn same_shape(&self, other: &Self) -> Result<()> {
        if self.shape() == other.shape() {
            return Ok(());
        }
        Err(Error::ShapeMismatch("two automata that are to be combined".into()))
    }

    /// The words whose pair of residuals `decide` says yes to.
    fn product(&self, other: &Self, decide: Decide) -> Result<Self> {
        self.same_shape(other)?;
        // No pair: every continuation is in the result.
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

    /// Whether `decide` says no to every pair of residuals that a word leads to.
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
                        // A residual that is not empty has a word.
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
