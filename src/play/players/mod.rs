//! Players: what chooses moves in a game.

mod alphabeta;
mod external;
mod player;
mod solved;

use std::sync::Arc;

use nerode_games::Game;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

use super::alphabeta::Budget;
use super::course::Course;
use super::traps::{TrapModel, Traps};
use crate::facade::Solution;
use nerode_solver::error::Result;
use player::one_of;

pub use external::ExternalProgram;
pub use player::{Chosen, Failure, Player};

/// Which player, with all that it needs.
#[derive(Clone)]
pub enum PlayerKind {
    /// The best moves of a solution by value and depth; a random one of several. Wins without depths go where play has been least
    /// often, so that they are won in the end.
    Perfect(Arc<Solution>),
    /// The best moves by value, depth and rank of draws. Of several the one that asks most where traps are given, else a random one.
    Ranked(Arc<Solution>, Option<Traps>),
    /// Of the moves that keep the value the one that asks most; a random one of several.
    Trapping(Arc<Solution>, Traps),
    /// Moves as a model of a fallible side says.
    Fallible(Arc<Solution>, TrapModel),
    /// Looks ahead, without a solution.
    AlphaBeta(Budget),
    /// Any legal move.
    Random,
    /// Another program.
    External(ExternalProgram),
}

impl PlayerKind {
    /// A player of that kind for one game. Equal seeds make equal choices, other programs aside.
    ///
    /// # Errors
    /// [`Error::Io`](nerode_solver::error::Error::Io) where another program cannot be started.
    pub fn start(&self, game: &dyn Game, seed: u64) -> Result<Box<dyn Player>> {
        let rng = ChaCha12Rng::seed_from_u64(seed);
        Ok(match self {
            Self::Perfect(solution) => Box::new(solved::Perfect { solution: Arc::clone(solution), rng }),
            Self::Ranked(solution, traps) => {
                Box::new(solved::Ranked { solution: Arc::clone(solution), traps: *traps, rng })
            }
            Self::Trapping(solution, traps) => {
                Box::new(solved::Trapping { solution: Arc::clone(solution), traps: *traps, rng })
            }
            Self::Fallible(solution, model) => {
                Box::new(solved::Fallible { solution: Arc::clone(solution), model: *model, rng })
            }
            Self::AlphaBeta(budget) => Box::new(alphabeta::AlphaBeta::new(game, *budget, rng)),
            Self::Random => Box::new(AnyMove { rng }),
            Self::External(program) => Box::new(external::External::start(program, game)?),
        })
    }

    /// The solution that the player asks, if it is one that does.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Self::Perfect(solution)
            | Self::Ranked(solution, _)
            | Self::Trapping(solution, _)
            | Self::Fallible(solution, _) => Some(solution),
            Self::AlphaBeta(_) | Self::Random | Self::External(_) => None,
        }
    }
}

/// Any legal move.
struct AnyMove {
    rng: ChaCha12Rng,
}

impl Player for AnyMove {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let mut moves = Vec::new();
        let at = course.position();
        course.game().legal_moves(&at.board, at.side, &mut moves);
        one_of(&moves, course, &mut self.rng).map(|mv| Chosen::Move(mv.clone()))
    }
}
