//! The shape of a word: how many layers it has and how many letters each layer knows.

use crate::error::{Error, Result};

/// One letter of a word, `0 .. Shape::num_letters(layer)`.
pub type Letter = u8;

/// The alphabet of every layer: words are exactly `num_layers` letters long.
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
    /// Most letters one layer may have.
    pub const MAX_LETTERS: u16 = 256;
    /// Most layers a word may have.
    pub const MAX_LAYERS: usize = 512;

    /// A shape with `letters[l]` letters in layer `l`.
    ///
    /// # Errors
    /// [`Error::Shape`] when there is no layer, too many, or an alphabet that is empty or too large.
    pub fn new(letters: Vec<u16>) -> Result<Self> {
        if letters.is_empty() || letters.len() > Self::MAX_LAYERS {
            return Err(Error::Shape(format!(
                "{} layers; a word has between 1 and {}",
                letters.len(),
                Self::MAX_LAYERS
            )));
        }
        if let Some(layer) = letters.iter().position(|&k| k == 0 || k > Self::MAX_LETTERS) {
            return Err(Error::Shape(format!(
                "layer {layer} has {} letters; a layer has between 1 and {}",
                letters[layer],
                Self::MAX_LETTERS
            )));
        }
        Ok(Self { letters })
    }

    /// `num_layers` layers of `letters` letters each.
    ///
    /// # Errors
    /// As [`Shape::new`].
    pub fn uniform(num_layers: usize, letters: u16) -> Result<Self> {
        Self::new(vec![letters; num_layers])
    }

    /// Length of every word.
    pub fn num_layers(&self) -> usize {
        self.letters.len()
    }

    /// Number of letters of `layer`.
    ///
    /// # Panics
    /// When `layer` is out of range.
    pub fn num_letters(&self, layer: usize) -> usize {
        usize::from(self.letters[layer])
    }

    /// The alphabet of every layer, first layer first.
    pub fn alphabets(&self) -> &[u16] {
        &self.letters
    }

    /// Number of words, `∏ k_l`, or `None` when it exceeds 128 bits.
    pub fn num_words(&self) -> Option<u128> {
        self.letters.iter().try_fold(1u128, |n, &k| n.checked_mul(u128::from(k)))
    }

    /// Whether `word` has this shape.
    ///
    /// # Errors
    /// [`Error::Word`] naming the first thing wrong.
    pub fn check_word(&self, word: &[Letter]) -> Result<()> {
        if word.len() != self.letters.len() {
            return Err(Error::Word(format!(
                "it has {} letters; this shape has {}",
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
