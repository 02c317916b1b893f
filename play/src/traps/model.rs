//! Models of how a fallible side chooses its moves.

use nerode_solver::error::{Error, Result};

/// A model of how a fallible side chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapModel {
    /// All moves have the same probability.
    Random,
    /// Short losses are seen, and long ones are missed.
    Distance(Horizon),
}

/// The horizon up to which a fallible side sees losses. Lengths are plies to the end of the game, including the
/// losing move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    lower: u32,
    upper: u32,
}

impl Horizon {
    /// Creates the horizon of a side that sees every loss in `lower` plies or fewer, no loss in `upper` plies or
    /// more, and those in between with a higher probability if they are shorter.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] unless `lower` is less than `upper`.
    pub fn new(lower: u32, upper: u32) -> Result<Self> {
        if lower < upper {
            return Ok(Self { lower, upper });
        }
        Err(Error::Mismatch {
            what: "the horizon of a fallible side".into(),
            found: format!("{lower} and {upper}"),
            expected: "a lower number of plies that is less than the upper one".into(),
        })
    }

    /// Returns the number of plies up to which losses are seen.
    pub fn lower(self) -> u32 {
        self.lower
    }

    /// Returns the number of plies from which on losses are missed.
    pub fn upper(self) -> u32 {
        self.upper
    }
}

/// The effect of a move on the value of the position, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It keeps the value.
    Keeps,
    /// It turns a win into a draw.
    Draws,
    /// It turns a win or a draw into a loss in this many plies, if the number is known.
    Loses(Option<u32>),
}

impl TrapModel {
    /// Returns the weight of a move among the others, or `None` if the model requires a depth that is unknown.
    pub(super) fn weight(self, effect: Effect) -> Option<u64> {
        let Self::Distance(Horizon { lower, upper }) = self else { return Some(1) };
        let full = u64::from(upper - lower);
        match effect {
            Effect::Keeps | Effect::Draws => Some(full),
            Effect::Loses(plies) => plies.map(|plies| u64::from(plies.clamp(lower, upper) - lower)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are from figure 11.3 of Lincke's thesis: no weight up to the lower bound, full weight from the
    /// upper one on.
    #[test]
    fn losses_weigh_more_the_longer_they_are() {
        let model = TrapModel::Distance(Horizon::new(2, 12).unwrap());
        let weigh = |plies| model.weight(Effect::Loses(Some(plies)));
        assert_eq!([0, 2, 3, 7, 12, 40].map(weigh), [0, 0, 1, 5, 10, 10].map(Some));
        assert_eq!(model.weight(Effect::Keeps), Some(10));
        assert_eq!((model.weight(Effect::Draws), model.weight(Effect::Loses(None))), (Some(10), None));
        assert_eq!(TrapModel::Random.weight(Effect::Loses(None)), Some(1));
        assert!(Horizon::new(4, 4).is_err());
    }
}
