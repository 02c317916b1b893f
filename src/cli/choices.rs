//! Choices that several commands share: plies and methods.

use clap::ValueEnum;

use nerode_solver::solve::method::Method;

/// Parses the number of plies of an option.
pub(super) fn plies(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("it is not a whole number from 0 to {}", u32::MAX))
}

/// How positions are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodArg {
    /// Every position of every ply back from the end
    Retrograde,
    /// Positions reachable from the start: forward, then values backed up
    Meet,
    /// Whichever of the two grows more slowly over the first plies
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
