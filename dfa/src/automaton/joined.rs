//! Several letters as one, so that look-ups in large sets wait for memory less often.

use rayon::prelude::*;

use super::Dfa;
use crate::error::Result;
use crate::shape::{Letter, Shape};
use crate::unique::{FIRST, REJECT};

impl Shape {
    /// Returns the shape of the words in which every `count` consecutive letters, and those that remain, are one letter.
    ///
    /// # Errors
    /// Returns [`crate::Error::Shape`] if a joined letter needs an alphabet that is too large.
    ///
    /// # Panics
    /// Panics if `count` is 0.
    pub fn joined(&self, count: usize) -> Result<Self> {
        let product = |group: &[u16]| group.iter().fold(1u16, |product, &k| product.saturating_mul(k));
        Self::new(self.alphabets().chunks(count).map(product).collect())
    }
}

impl Dfa {
    /// Returns the same set with every `count` consecutive letters of a word, and those that remain, as one letter. The letters
    /// `a` and `b`, of which the second has `k` values, become `a · k + b`.
    ///
    /// A look-up then reads one table entry for `count` letters. The tables become larger: rows of `k` letters become rows of
    /// `k^count`, of which there are about as many as before divided by `count`.
    ///
    /// # Errors
    /// Returns the errors of [`Shape::joined`].
    ///
    /// # Panics
    /// Panics if `count` is 0.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(3, 4).unwrap();
    /// let set = Dfa::word(&shape, &[2, 0, 3]).unwrap();
    /// let joined = set.joined(2).unwrap();
    /// assert_eq!(joined, Dfa::word(&Shape::new(vec![16, 4]).unwrap(), &[2 * 4 + 0, 3]).unwrap());
    /// ```
    pub fn joined(&self, count: usize) -> Result<Self> {
        let shape = self.shape.joined(count)?;
        let rows_of = |layer: usize| {
            let (first, letters) = (layer * count, shape.num_letters(layer));
            let end = (first + count).min(self.shape.num_layers());
            let mut rows = vec![REJECT; self.num_states_in(first) * letters];
            rows.par_chunks_mut(letters).enumerate().for_each(|(state, row)| {
                row[0] = FIRST + state as u32;
                let mut len = 1;
                for layer in first..end {
                    let k = self.shape.num_letters(layer);
                    // The last targets first: the row grows into what has been read.
                    for (at, letter) in
                        (0..len).rev().flat_map(|at| (0..k).rev().map(move |letter| (at, letter)))
                    {
                        let from = row[at];
                        let to =
                            if from < FIRST { from } else { self.raw_target(layer, from, letter as Letter) };
                        row[at * k + letter] = to;
                    }
                    len *= k;
                }
            });
            rows
        };
        // The order of the states, that of the least words that lead to them, is the same.
        let layers: Vec<_> = (0..shape.num_layers()).map(rows_of).collect();
        Ok(Self::from_canonical(shape, self.root, layers))
    }
}
