//! Players: what chooses moves in a game.

mod alphabeta;
mod external;
mod solved;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use nerode_games::{Game, Move};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::alphabeta::Budget;
use super::course::Course;
use super::traps::{TrapModel, Traps};
use crate::error::{Error, Result};
use crate::facade::Solution;

/// What chooses moves.
pub trait Player: Send {
    /// The move in the position of `course`, where the game is not over.
    ///
    /// # Errors
    /// Damaged files of a solution. What another program does wrong is a [`Failure`] and no error.
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen>;
}

/// What a player says when it is asked for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A legal move.
    Move(Move),
    /// It has none to offer, and loses the game.
    Fails(Failure),
}

/// Why a player loses a game without the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It did not answer in time.
    Time,
    /// What it said is no legal move.
    Illegal(String),
    /// It has ended, or closed its output.
    Gone,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => f.write_str("no answer in time"),
            Self::Illegal(said) => write!(f, "an illegal move: '{said}'"),
            Self::Gone => f.write_str("the program has ended"),
        }
    }
}

/// Which player, with all that it needs.
#[derive(Clone)]
pub enum PlayerKind {
    /// The best moves of a solution by value and depth; a random one of several.
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

/// Another program that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalProgram {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Time for a move.
    pub limit: Duration,
}

impl PlayerKind {
    /// A player of that kind for one game. Equal seeds make equal choices, other programs aside.
    ///
    /// # Errors
    /// [`Error::Io`] where another program cannot be started.
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

/// One of some things, each as likely as the others.
fn one_of<'a, T>(all: &'a [T], course: &Course<'_>, rng: &mut ChaCha12Rng) -> Result<&'a T> {
    let no_move = || Error::Rules {
        game: course.game().spec(),
        reason: "a game that is not over has no legal move".into(),
    };
    all.get(rng.random_range(0..all.len().max(1))).ok_or_else(no_move)
}
