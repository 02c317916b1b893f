//! The interface of players.

use std::fmt;

use chacha20::ChaCha12Rng;
use nerode_games::Move;
use rand::RngExt;

use crate::course::Course;
use nerode_solver::error::{Error, Result};

/// A player, which chooses moves.
pub trait Player: Send {
    /// Chooses a move in the position of `course`, in which the game is not over.
    ///
    /// # Errors
    /// Returns an error if a file of a solution is damaged. A malfunction of another program is a [`Failure`] instead
    /// of an error.
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen>;
}

/// The choice of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A legal move.
    Move(Move),
    /// No move, so that the player loses the game.
    Fails(Failure),
}

/// The reason why a player loses a game other than by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It did not answer in time.
    Time,
    /// Its answer is not a legal move.
    Illegal(String),
    /// It has terminated, or closed its output.
    Gone,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => f.write_str("no answer in time"),
            Self::Illegal(said) => write!(f, "an illegal move: '{said}'"),
            Self::Gone => f.write_str("the program has exited"),
        }
    }
}

/// Returns one element of a slice, with equal probabilities.
pub(super) fn one_of<'a, T>(all: &'a [T], course: &Course<'_>, rng: &mut ChaCha12Rng) -> Result<&'a T> {
    let no_move = || Error::Rules {
        game: course.game().spec(),
        reason: "a game that is not over has no legal move".into(),
    };
    all.get(rng.random_range(0..all.len().max(1))).ok_or_else(no_move)
}
