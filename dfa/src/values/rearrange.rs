//! Value maps whose words have their letters in another order.
//!
//! Neighbouring layers are exchanged one pair at a time. The functions of the states before and after the pair stay the same, and a
//! state at the first of the two layers stays one, which only reads the other letter first. Therefore only the states between the
//! two letters are built again.

use std::sync::atomic::{AtomicBool, Ordering};

use super::build::merge_layer;
use super::{CODE, ValueMap};
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};

/// The number of states that are exchanged between two checks of the interrupt flag.
const CHECK_EVERY: usize = 1 << 14;

/// The number of bytes of a row's entry in the table of known rows, and of its target.
const BYTES_PER_ROW: u64 = 16;

impl ValueMap {
    /// Returns the map that assigns to each word `w` the code that this map assigns to the word with the letter
    /// `letters[l][w[l]]` in layer `layers[l]`, for every layer `l` of `w`.
    ///
    /// Cost: one pass over two layers for each pair of layers whose order changes. The orders in between may need many more states
    /// than the first and the last one. `memory_limit` caps the workspace in bytes.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`], [`Error::TooManyStates`], or [`Error::Interrupted`] once `interrupt` is set.
    ///
    /// # Panics
    /// Panics if `layers` is not a permutation of the layers, or if `letters` does not contain a permutation of the alphabet of
    /// each of them.
    ///
    /// # Examples
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use nerode_dfa::{Dfa, Shape, ValueMap};
    /// let shape = Shape::new(vec![2, 3]).unwrap();
    /// let map = ValueMap::from_classes(&shape, &[(7, Dfa::word(&shape, &[1, 2]).unwrap())], u64::MAX).unwrap();
    /// let letters = [vec![0, 1, 2], vec![1, 0]];
    /// let back = map.rearranged(&[1, 0], &letters, u64::MAX, &AtomicBool::new(false)).unwrap();
    /// assert_eq!(back.get(&[2, 0]), 7);
    /// ```
    pub fn rearranged(
        &self,
        layers: &[usize],
        letters: &[Vec<Letter>],
        memory_limit: u64,
        interrupt: &AtomicBool,
    ) -> Result<Self> {
        let num_layers = self.shape.num_layers();
        assert!(is_permutation(layers, num_layers), "expected a permutation of the layers");
        assert_eq!(letters.len(), num_layers, "expected one list of letters per layer");
        let mut rows = self.layers.clone();
        for (&layer, letters) in layers.iter().zip(letters) {
            let letters: Vec<usize> = letters.iter().map(|&letter| usize::from(letter)).collect();
            let alphabet = self.shape.num_letters(layer);
            assert!(is_permutation(&letters, alphabet), "expected a permutation of the letters of a layer");
            for row in rows[layer].chunks_mut(alphabet) {
                let before = row.to_vec();
                row.iter_mut().zip(&letters).for_each(|(target, &letter)| *target = before[letter]);
            }
        }
        let mut work = Work { order: (0..num_layers).collect(), rows, memory_limit, interrupt };
        for (to, wanted) in layers.iter().enumerate() {
            let from = work.order.iter().position(|layer| layer == wanted).unwrap_or(to);
            for layer in (to..from).rev() {
                work.exchange(&self.shape, layer)?;
            }
        }
        let alphabets = layers.iter().map(|&layer| self.shape.alphabets()[layer]).collect();
        let shape = Shape::new(alphabets)?;
        Ok(Self { root: self.root, layers: breadth_first(&shape, work.rows), shape })
    }
}

fn is_permutation(list: &[usize], len: usize) -> bool {
    let mut seen = vec![false; len];
    list.len() == len
        && list.iter().all(|&item| seen.get_mut(item).is_some_and(|seen| !std::mem::replace(seen, true)))
}

struct Work<'a> {
    /// The layers of the original map in their present order.
    order: Vec<usize>,
    /// The rows of each layer in this order.
    rows: Vec<Vec<u32>>,
    memory_limit: u64,
    interrupt: &'a AtomicBool,
}

impl Work<'_> {
    /// Exchanges a layer with the next one.
    fn exchange(&mut self, shape: &Shape, layer: usize) -> Result<()> {
        let [first, second] = [layer, layer + 1].map(|at| shape.num_letters(self.order[at]));
        let [upper, lower] = [layer, layer + 1].map(|at| std::mem::take(&mut self.rows[at]));
        let kept: usize = self.rows.iter().map(Vec::len).sum();
        let built = (upper.len() * second) as u64;
        let needed = 4 * ((kept + upper.len() + lower.len()) as u64 + built)
            + BYTES_PER_ROW * (built / first.max(1) as u64);
        if needed > self.memory_limit {
            return Err(Error::OutOfMemory {
                what: "a value map in another letter order",
                needed_bytes: needed,
                limit_bytes: self.memory_limit,
            });
        }
        if built >= u64::from(CODE) {
            return Err(Error::TooManyStates { layer: layer + 1, limit: u64::from(CODE) });
        }
        let mut between = Vec::with_capacity(upper.len() * second);
        for (number, row) in upper.chunks(first).enumerate() {
            if number % CHECK_EVERY == 0 && self.interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            for letter in 0..second {
                let follow = |&target: &u32| match target & CODE {
                    0 => lower[target as usize * second + letter],
                    _ => target,
                };
                between.extend(row.iter().map(follow));
            }
        }
        self.rows[layer] = merge_layer(&mut between, first);
        self.rows[layer + 1] = between;
        self.order.swap(layer, layer + 1);
        Ok(())
    }
}

/// Numbers the states breadth first with letters in ascending order.
fn breadth_first(shape: &Shape, mut layers: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for layer in 1..layers.len() {
        let letters = shape.num_letters(layer);
        let before = std::mem::take(&mut layers[layer]);
        let mut numbers = vec![None; before.len() / letters];
        let mut rows = Vec::with_capacity(before.len());
        for target in layers[layer - 1].iter_mut().filter(|target| **target & CODE == 0) {
            let old = *target as usize;
            *target = *numbers[old].get_or_insert_with(|| {
                let number = (rows.len() / letters) as u32;
                rows.extend_from_slice(&before[old * letters..][..letters]);
                number
            });
        }
        layers[layer] = rows;
    }
    layers
}
