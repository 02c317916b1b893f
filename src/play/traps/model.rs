//! How a side that goes wrong now and then chooses among its moves.

use nerode_solver::error::{Error, Result};

/// How a fallible side chooses among its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapModel {
    /// Every move is as likely as any other.
    Random,
    /// Short losses are seen and long ones missed.
    Distance(Horizon),
}

/// How far a fallible side sees losses. Lengths are plies to the end of the game, the move that loses among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    lower: u32,
    upper: u32,
}

impl Horizon {
    /// A side that sees every loss in `lower` plies or fewer, none in `upper` or more, and those between the better the shorter
    /// they are.
    ///
    /// # Errors
    /// [`Error::Malformed`] unless `lower` is less than `upper`.
    pub fn new(lower: u32, upper: u32) -> Result<Self> {
        if lower < upper {
            return Ok(Self { lower, upper });
        }
        Err(Error::Malformed {
            what: "a horizon",
            text: format!("{lower} to {upper}"),
            form: "the lower number of plies must be less than the upper one",
        })
    }

    /// Losses in so many plies or fewer are seen.
    pub fn lower(self) -> u32 {
        self.lower
    }

    /// Losses in so many plies or more are missed.
    pub fn upper(self) -> u32 {
        self.upper
    }
}

/// What a move does to the value of the position, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It keeps the value.
    Keeps,
    /// It gives a win away for a draw.
    Draws,
    /// It gives a win or a draw away and loses in so many plies, where that is known.
    Loses(Option<u32>),
}

impl TrapModel {
    /// How much a move weighs among the others. `None`: the model needs a depth, and there is none.
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

    /// The numbers of figure 11.3 of Lincke's thesis: nothing up to the lower bound, all from the upper one on.
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
