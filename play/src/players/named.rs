//! Players by name, with the parameters that a person plays against.

use std::sync::Arc;

use super::{Chosen, PlayerKind};
use crate::course::Course;
use crate::traps::{Horizon, TrapModel, Traps};
use nerode_solver::error::Result;
use nerode_solver::stored::{DepthSource, Solution, Stored};

/// The horizon of a fallible player: it sees all losses up to the first number of plies, and none from the second
/// number on.
const SIGHT: (u32, u32) = (2, 12);
/// The number of plies that a trapping player looks ahead.
const AHEAD: u8 = 2;

/// A player that a person can choose as opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The best move by value and depth.
    Perfect,
    /// The best move by value, depth and rank of draws, if the solution ranks draws.
    Ranked,
    /// The most demanding move for the other side among those that keep the value.
    Trapping,
    /// The move of a fallible player, which sees short losses and misses long ones.
    Fallible,
}

impl Named {
    /// All players.
    pub const ALL: [Self; 4] = [Self::Perfect, Self::Ranked, Self::Trapping, Self::Fallible];

    /// Returns the name.
    ///
    /// # Examples
    /// ```
    /// use nerode_play::players::Named;
    /// assert_eq!(Named::ALL.map(Named::name), ["perfect", "ranked", "trapping", "fallible"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Ranked => "ranked",
            Self::Trapping => "trapping",
            Self::Fallible => "fallible",
        }
    }

    /// Returns the players that are available with a solution.
    pub fn available(solution: &dyn Stored) -> Vec<Self> {
        let is_available = |player: &Self| match player {
            Self::Perfect | Self::Trapping => true,
            Self::Ranked => solution.ranks_draws(),
            // The player that only sees short losses needs depths, for which bounds are not enough.
            Self::Fallible => solution.has_depths() && solution.depth_source() != DepthSource::Bounds,
        };
        Self::ALL.into_iter().filter(is_available).collect()
    }

    /// Returns the kind of the player with its parameters, or `None` if the player needs ranks of draws that the solution lacks.
    fn kind(self, solution: &Arc<Solution>) -> Result<Option<PlayerKind>> {
        let of = || Arc::clone(solution);
        Ok(Some(match self {
            Self::Perfect => PlayerKind::Perfect(of()),
            Self::Ranked if !solution.ranks_draws() => return Ok(None),
            Self::Ranked => PlayerKind::Ranked(of(), None),
            Self::Trapping => PlayerKind::Trapping(of(), Traps { model: TrapModel::Random, plies: AHEAD }),
            Self::Fallible => {
                PlayerKind::Fallible(of(), TrapModel::Distance(Horizon::new(SIGHT.0, SIGHT.1)?))
            }
        }))
    }

    /// Returns the move of the player in a game, in the notation of the game, which is `Some(None)` if the game is over. Returns
    /// `None` if the player needs ranks of draws that the solution lacks. Equal seeds lead to equal choices.
    ///
    /// # Errors
    /// Returns the errors of queries.
    pub fn choose(
        self,
        solution: &Arc<Solution>,
        course: &Course<'_>,
        seed: u64,
    ) -> Result<Option<Option<String>>> {
        let Some(kind) = self.kind(solution)? else { return Ok(None) };
        let (game, at) = (solution.game(), course.position());
        if game.outcome(&at.board, at.side).is_some() {
            return Ok(Some(None));
        }
        Ok(Some(match kind.start(game, seed)?.choose(course)? {
            Chosen::Move(mv) => Some(game.format_move(at, &mv)),
            Chosen::Fails(_) => None,
        }))
    }
}
