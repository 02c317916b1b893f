//! Probabilities as exact fractions.

use std::fmt;

use dashu_ratio::RBig;

/// An exact probability, from 0 to 1.
///
/// # Examples
/// ```
/// use nerode_play::traps::Chance;
/// let half = Chance::of(2, 4);
/// assert_eq!((half.to_string().as_str(), half.as_f64()), ("1/2", 0.5));
/// assert_eq!(Chance::of(1, 3).otherwise(), Chance::of(2, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chance(RBig);

impl Chance {
    /// Returns the probability `part / whole`.
    ///
    /// # Panics
    /// Panics if `whole` is 0.
    pub fn of(part: u64, whole: u64) -> Self {
        Self(RBig::from_parts(part.into(), whole.into()))
    }

    /// Returns the probability 0.
    pub fn never() -> Self {
        Self(RBig::ZERO)
    }

    /// Returns the probability 1.
    pub fn always() -> Self {
        Self(RBig::ONE)
    }

    /// Returns `true` if the probability is 0.
    pub fn is_never(&self) -> bool {
        self.0.is_zero()
    }

    /// Returns the probability of the complement.
    #[must_use]
    pub fn otherwise(&self) -> Self {
        Self(RBig::ONE - &self.0)
    }

    /// Returns the probability that one of two mutually exclusive events occurs.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    /// Returns the probability that two independent events both occur.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    /// Returns the probability as a rounded number.
    pub fn as_f64(&self) -> f64 {
        self.0.to_f64().value()
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
