//! Sets that a store makes from nothing: constants, words, products, counts.

use crate::automaton::Dfa;
use crate::error::Result;
use crate::shape::Letter;
use crate::unique::{ACCEPT, REJECT};

use super::{Set, Store};

impl Store {
    /// `∅`.
    pub fn empty(&mut self) -> Set {
        self.handle(REJECT)
    }

    /// Every word of the shape.
    pub fn full(&mut self) -> Set {
        self.handle(ACCEPT)
    }

    /// `{word}`.
    ///
    /// # Errors
    /// As [`Dfa::word`]; running out of memory.
    pub fn word(&mut self, word: &[Letter]) -> Result<Set> {
        let dfa = Dfa::word(&self.shape, word)?;
        self.import(&dfa)
    }

    /// `{ w : w_layer = letter }`.
    ///
    /// # Errors
    /// As [`Dfa::cube`]; running out of memory.
    pub fn fixed(&mut self, layer: usize, letter: Letter) -> Result<Set> {
        self.cube(&[(layer, vec![letter])])
    }

    /// `{ w : w_l ∈ letters for every (l, letters) in allowed }`.
    ///
    /// # Errors
    /// As [`Dfa::cube`]; running out of memory.
    pub fn cube(&mut self, allowed: &[(usize, Vec<Letter>)]) -> Result<Set> {
        let dfa = Dfa::cube(&self.shape, allowed)?;
        self.import(&dfa)
    }

    /// `{ w : the number of l in layers with w_l = letter lies in range }`.
    ///
    /// # Errors
    /// As [`Dfa::letter_count`]; running out of memory.
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
