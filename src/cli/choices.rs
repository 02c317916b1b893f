//! Choices that several commands share: plies and methods.

use clap::ValueEnum;

use nerode_solver::solve::method::Method;

/// Parses the number of plies of an option.
pub(super) fn plies(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("not a whole number from 0 to {}", u32::MAX))
}

/// How positions are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodArg {
    /// Solve all positions, backward from the end of the game
    Retrograde,
    /// Solve the reachable positions: search forward from the start, then back up the values
    Meet,
    /// Choose the method whose sets grow more slowly over the first plies
    Auto,
}

impl MethodArg {
    /// Returns the method, or `None` if the most suitable one is to be chosen.
    pub(super) fn method(self) -> Option<Method> {
        match self {
            Self::Auto => None,
            Self::Retrograde => Some(Method::Retrograde),
            Self::Meet => Some(Method::Meet),
        }
    }
}
