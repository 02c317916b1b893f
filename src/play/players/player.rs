//! What a player is asked, and what it says.

use std::fmt;

use nerode_games::Move;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use crate::play::course::Course;
use nerode_solver::error::{Error, Result};

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

/// One of some things, each as likely as the others.
pub(super) fn one_of<'a, T>(all: &'a [T], course: &Course<'_>, rng: &mut ChaCha12Rng) -> Result<&'a T> {
    let no_move = || Error::Rules {
        game: course.game().spec(),
        reason: "a game that is not over has no legal move".into(),
    };
    all.get(rng.random_range(0..all.len().max(1))).ok_or_else(no_move)
}
