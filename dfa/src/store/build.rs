//! Sets that a store creates from scratch: constants, words, products and counts.

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Letter;
use crate::unique::{ACCEPT, REJECT};

use super::{Set, Store};

impl Store {
    /// Returns the empty set `∅`.
    pub fn empty(&mut self) -> Set {
        self.handle(REJECT)
    }

    /// Returns the set of all words of the shape.
    pub fn full(&mut self) -> Set {
        self.handle(ACCEPT)
    }

    /// Returns the set `{word}`.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::word`], or [`crate::Error::OutOfMemory`].
    pub fn word(&mut self, word: &[Letter]) -> Result<Set> {
        let dfa = Dfa::word(&self.shape, word)?;
        self.import(&dfa)
    }

    /// Returns the set `{ w : w_layer = letter }`.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::cube`], or [`crate::Error::OutOfMemory`].
    pub fn fixed(&mut self, layer: usize, letter: Letter) -> Result<Set> {
        self.cube(&[(layer, vec![letter])])
    }

    /// Returns the set `{ w : w_l ∈ letters for every (l, letters) in allowed }`.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::cube`], or [`crate::Error::OutOfMemory`].
    pub fn cube(&mut self, allowed: &[(usize, Vec<Letter>)]) -> Result<Set> {
        let dfa = Dfa::cube(&self.shape, allowed)?;
        self.import(&dfa)
    }

    /// Returns the set `{ w : the number of l in layers with w_l = letter lies in range }`.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::letter_count`], or [`crate::Error::OutOfMemory`].
    pub fn letter_count(
        &mut self,
        letter: Letter,
        layers: &[usize],
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<Set> {
        let dfa = Dfa::letter_count(&self.shape, letter, layers, range)?;
        self.import(&dfa)
    }
}
