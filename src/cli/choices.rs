//! Choices that several commands share: plies, engines and methods.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::ValueEnum;

use super::output::grouped;
use nerode_solver::solve::method::{EngineKind, Method};

/// Parses the number of plies of an option.
pub(super) fn plies(text: &str) -> Result<u32, String> {
    whole(text, &(0..=u32::MAX))
}

/// Parses a number of threads.
pub(super) fn threads(text: &str) -> Result<u16, String> {
    whole(text, &(1..=1024))
}

/// Returns the value parser of an option that is a whole number.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Copy + FromStr + PartialOrd + Into<u128>,
{
    move |text| whole(text, &range)
}

fn whole<T>(text: &str, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: Copy + FromStr + PartialOrd + Into<u128>,
{
    let wrong = || {
        let [least, most] = [*range.start(), *range.end()].map(|end| grouped(end.into()));
        format!("not a whole number from {least} to {most}")
    };
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(wrong)
}

/// What solves a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineArg {
    /// Sets; sectors for morris games, except for the smallest of these games; a table for chess endings of four men; reached
    /// positions if these are few in a game with very many boards
    #[default]
    Auto,
    /// Sets of positions as automata; with --sector, sectors of a morris game without stones in hand as sets
    Sets,
    /// The positions that play reaches from the start, each with its value and depth, by the plain rules alone; on disk beyond
    /// the memory cap
    Reached,
    /// One table of all positions, each with its value and depth
    Table,
    /// One table for each sector of a morris game, which contains the positions with equal numbers of stones
    Sectors,
}

impl EngineArg {
    /// Returns the engine for an estimate, or `None` if the most suitable one is to be chosen. Reached positions cannot be
    /// estimated.
    pub(super) fn engine(self) -> Option<EngineKind> {
        match self {
            Self::Auto | Self::Reached => None,
            Self::Sets => Some(EngineKind::Sets),
            Self::Table => Some(EngineKind::Table),
            Self::Sectors => Some(EngineKind::Sectors),
        }
    }
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
