//! Players, which choose the moves in a game.

#[cfg(feature = "engine")]
mod alphabeta;
#[cfg(feature = "engine")]
mod external;
mod named;
mod player;
mod solved;

use std::sync::Arc;

use chacha20::ChaCha12Rng;
use nerode_games::Game;
use rand::SeedableRng;

#[cfg(feature = "engine")]
use super::alphabeta::Budget;
use super::course::Course;
use super::traps::{TrapModel, Traps};
use nerode_solver::error::Result;
use nerode_solver::stored::Solution;
use player::one_of;

#[cfg(feature = "engine")]
pub use external::ExternalProgram;
pub use named::Named;
pub use player::{Chosen, Failure, Player};

/// The kind of a player, with all its parameters.
#[derive(Clone)]
pub enum PlayerKind {
    /// Plays the best moves of a solution by value and depth, and chooses randomly among several. For wins without
    /// depths, it chooses the position that has occurred least often, so that the game is won eventually.
    Perfect(Arc<Solution>),
    /// Plays the best moves by value, depth and rank of draws. Among several, it chooses the most demanding one if
    /// traps are given, and otherwise a random one.
    Ranked(Arc<Solution>, Option<Traps>),
    /// Plays the most demanding of the moves that keep the value, and chooses randomly among several.
    Trapping(Arc<Solution>, Traps),
    /// Plays moves according to a model of a fallible side.
    Fallible(Arc<Solution>, TrapModel),
    /// Searches ahead, without a solution.
    #[cfg(feature = "engine")]
    AlphaBeta(Budget),
    /// Plays random legal moves.
    Random,
    /// Another program.
    #[cfg(feature = "engine")]
    External(ExternalProgram),
}

impl PlayerKind {
    /// Creates a player of this kind for one game. With equal seeds it makes the same choices, unless it is another
    /// program.
    ///
    /// # Errors
    /// Returns [`PlayError::Program`](nerode_solver::error::PlayError::Program) if another program cannot be started.
    #[cfg_attr(
        not(feature = "engine"),
        expect(unused_variables, reason = "these players know the game from its solution")
    )]
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
            #[cfg(feature = "engine")]
            Self::AlphaBeta(budget) => Box::new(alphabeta::AlphaBeta::new(game, *budget, rng)),
            Self::Random => Box::new(AnyMove { rng }),
            #[cfg(feature = "engine")]
            Self::External(program) => Box::new(external::External::start(program, game)?),
        })
    }

    /// Returns the solution that the player queries, if it uses one.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Self::Perfect(solution)
            | Self::Ranked(solution, _)
            | Self::Trapping(solution, _)
            | Self::Fallible(solution, _) => Some(solution),
            Self::Random => None,
            #[cfg(feature = "engine")]
            Self::AlphaBeta(_) | Self::External(_) => None,
        }
    }
}

/// A player of random legal moves.
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
