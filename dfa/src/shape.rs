//! The shape of a word: the number of its layers and the number of letters in each layer's alphabet.

use crate::error::{Error, Result};

/// One letter of a word, in the range `0 .. Shape::num_letters(layer)`.
pub type Letter = u8;

/// The maximum number of states of a layer of an automaton, which leaves room for a hash tag next to the state number.
#[cfg(feature = "read")]
pub(crate) const MAX_STATES: usize = 1 << 30;

/// The alphabets of all layers. Every word of a shape has exactly `num_layers` letters.
///
/// # Examples
/// ```
/// use nerode_dfa::Shape;
/// let shape = Shape::new(vec![3, 3, 2]).unwrap();
/// assert_eq!(shape.num_layers(), 3);
/// assert_eq!(shape.num_words(), Some(18));
/// assert!(shape.check_word(&[2, 0, 1]).is_ok());
/// assert!(shape.check_word(&[2, 0, 2]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    letters: Vec<u16>,
}

impl Shape {
    /// The maximum number of letters in a layer.
    pub const MAX_LETTERS: u16 = 256;
    /// The maximum number of layers in a word.
    pub const MAX_LAYERS: usize = 512;

    /// Creates a shape that has `letters[l]` letters in layer `l`.
    ///
    /// # Errors
    /// Returns [`Error::Shape`] if the list is empty or too long, or if an alphabet is empty or too large.
    pub fn new(letters: Vec<u16>) -> Result<Self> {
        if letters.is_empty() || letters.len() > Self::MAX_LAYERS {
            return Err(Error::Shape(format!(
                "{} layers; a word must have between 1 and {}",
                letters.len(),
                Self::MAX_LAYERS
            )));
        }
        if let Some(layer) = letters.iter().position(|&k| k == 0 || k > Self::MAX_LETTERS) {
            return Err(Error::Shape(format!(
                "layer {layer} has {} letters; a layer must have between 1 and {}",
                letters[layer],
                Self::MAX_LETTERS
            )));
        }
        Ok(Self { letters })
    }

    /// Creates a shape with `num_layers` layers of `letters` letters each.
    ///
    /// # Errors
    /// Returns the same errors as [`Shape::new`].
    pub fn uniform(num_layers: usize, letters: u16) -> Result<Self> {
        Self::new(vec![letters; num_layers])
    }

    /// Returns the number of layers, which is the length of every word.
    pub fn num_layers(&self) -> usize {
        self.letters.len()
    }

    /// Returns the number of letters of `layer`.
    ///
    /// # Panics
    /// Panics if `layer` is out of range.
    pub fn num_letters(&self, layer: usize) -> usize {
        usize::from(self.letters[layer])
    }

    /// Returns the number of letters of every layer, beginning with the first layer.
    pub fn alphabets(&self) -> &[u16] {
        &self.letters
    }

    /// Returns the number of words, `∏ k_l`, or `None` if it does not fit into 128 bits.
    pub fn num_words(&self) -> Option<u128> {
        self.letters.iter().try_fold(1u128, |n, &k| n.checked_mul(u128::from(k)))
    }

    /// Checks that `word` has this shape.
    ///
    /// # Errors
    /// Returns [`Error::Word`], which describes the first problem found.
    pub fn check_word(&self, word: &[Letter]) -> Result<()> {
        if word.len() != self.letters.len() {
            return Err(Error::Word(format!(
                "found {} letters, but words of this shape have {}",
                word.len(),
                self.letters.len()
            )));
        }
        match word.iter().zip(&self.letters).position(|(&a, &k)| u16::from(a) >= k) {
            None => Ok(()),
            Some(layer) => Err(Error::Word(format!(
                "letter {} in layer {layer}, which has {} letters",
                word[layer], self.letters[layer]
            ))),
        }
    }
}
