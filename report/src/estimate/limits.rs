//! Comparison of an estimate with the available resources, at its low end and at its high end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nerode_games::Game;
use serde::Serialize;

use super::count::positions;
use super::{EngineKind, Estimate, Expected, NoEstimate, Options, boards, usual_engine};
use nerode_solver::error::Result;
use nerode_solver::solve::resources::Resources;

/// The resources available for a solve.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The memory in bytes.
    pub memory: u64,
    /// The free disk space in bytes, if the file system reports it.
    pub disk: Option<u64>,
    /// The longest acceptable duration in seconds.
    pub seconds: f64,
}

/// The duration above which a solve is considered hopeless: a week.
const PATIENCE: f64 = 7.0 * 24.0 * 3600.0;

impl Limits {
    /// Creates limits from the memory of `resources`, the free disk space in bytes, and a duration of a week.
    pub fn new(resources: &Resources, disk: Option<u64>) -> Self {
        Self { memory: resources.memory, disk, seconds: PATIENCE }
    }
}

/// An insufficient resource, with the least amount that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shortage {
    /// Insufficient memory, in bytes.
    Memory {
        /// The smallest sufficient amount.
        needed: u64,
        /// The allowed amount.
        allowed: u64,
    },
    /// Insufficient disk space, in bytes.
    Disk {
        /// The smallest sufficient amount.
        needed: u64,
        /// The free space.
        free: u64,
    },
    /// Insufficient time, in seconds.
    Time {
        /// The smallest sufficient amount.
        needed: f64,
    },
}

impl Estimate {
    /// Returns the resources that are insufficient even for the low end of the estimate. The list is empty if the solve
    /// may succeed.
    pub fn shortages(&self, limits: &Limits) -> Vec<Shortage> {
        let needed =
            |expected: &Expected| (expected.least_memory_bytes, expected.bytes.low, expected.seconds.low);
        self.expected.as_ref().map_or_else(Vec::new, |expected| beyond(limits, needed(expected)))
    }

    /// Returns the resources that are insufficient for the high end. If the estimate is right and the list is empty,
    /// the solve will succeed.
    pub fn risks(&self, limits: &Limits) -> Vec<Shortage> {
        let needed = |expected: &Expected| {
            (expected.most_least_memory_bytes, expected.bytes.high, expected.seconds.high)
        };
        self.expected.as_ref().map_or_else(Vec::new, |expected| beyond(limits, needed(expected)))
    }
}

/// Returns the resources that are insufficient for the given memory, disk space and time.
fn beyond(limits: &Limits, (memory, disk, seconds): (u64, u64, f64)) -> Vec<Shortage> {
    let mut shortages = Vec::new();
    if memory > limits.memory {
        shortages.push(Shortage::Memory { needed: memory, allowed: limits.memory });
    }
    if let Some(free) = limits.disk.filter(|&free| disk > free) {
        shortages.push(Shortage::Disk { needed: disk, free });
    }
    if seconds > limits.seconds {
        shortages.push(Shortage::Time { needed: seconds });
    }
    shortages
}

/// The prospect of a solve.
#[derive(Clone, Debug, PartialEq)]
pub enum Prospect {
    /// A resource is insufficient even for the low end of the estimate.
    Hopeless(Vec<Shortage>),
    /// A resource is insufficient for the high end.
    Doubtful(Vec<Shortage>),
    /// The solve cannot be estimated.
    Unknown(NoEstimate),
}

/// An estimate before a solve that may not succeed.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The estimate.
    pub estimate: Estimate,
    /// The prospect of the solve.
    pub prospect: Prospect,
}

/// The number of positions up to which boards of any game were solved on a laptop with the memory below. Such boards
/// are not probed.
const LIKELY_POSITIONS: f64 = (1_u64 << 33) as f64;
const LIKELY_MEMORY: u64 = 2 << 30;

/// The number of positions up to which boards were solved with less memory.
const SURE_POSITIONS: f64 = (1_u64 << 25) as f64;

/// The divisor of the states of the first, brief probe. It takes less than a second, a small part of any solve that is
/// probed.
const BRIEF: u64 = 128;

/// The time for counting positions, which takes little memory.
const COUNT_TIME: Duration = Duration::from_secs(5);

/// The memory below which nothing is probed before a solve, because the process could exceed its memory cap.
const PROBED_MEMORY: u64 = 32 << 20;

/// Estimates a solve before it starts. Returns `None` if it is likely to succeed.
///
/// Cost: nothing for boards with few positions, less than a second for boards that a brief probe shows to be small, and
/// that of [`estimate`](super::estimate) for other boards.
///
/// # Errors
/// Returns the same errors as [`estimate`](super::estimate).
pub fn look_ahead(
    game: &Arc<dyn Game>,
    options: &Options,
    resources: &Resources,
    limits: &Limits,
) -> Result<Option<Forecast>> {
    let engine = options.engine.unwrap_or_else(|| usual_engine(game.as_ref()));
    let probe = if resources.memory < PROBED_MEMORY { Duration::ZERO } else { options.probe };
    let options = &Options { probe, ..options.clone() };
    let mut estimate = None;
    if engine == EngineKind::Sets {
        let likely = if limits.memory >= LIKELY_MEMORY { LIKELY_POSITIONS } else { SURE_POSITIONS };
        let until = Instant::now() + COUNT_TIME.max(options.probe);
        if positions(game.as_ref(), resources, until)?.is_some_and(|positions| positions <= likely) {
            return Ok(None);
        }
        let brief = Options { states: options.states / BRIEF, ..options.clone() };
        let brief = super::estimate(game, &brief, resources)?;
        if brief.expected.is_some() && brief.risks(limits).is_empty() {
            return Ok(None);
        }
        estimate = Some(brief);
    }
    // A longer probe of a game without smaller boards would only anticipate the solve.
    let estimate = match estimate {
        Some(brief) if boards::size(&brief.game).is_none() => brief,
        brief => {
            let method = brief.and_then(|brief| brief.method).or(options.method);
            super::estimate(game, &Options { method, ..options.clone() }, resources)?
        }
    };
    let prospect = match (&estimate.no_estimate, estimate.shortages(limits), estimate.risks(limits)) {
        (Some(why), _, _) => Prospect::Unknown(why.clone()),
        (None, shortages, _) if !shortages.is_empty() => Prospect::Hopeless(shortages),
        (None, _, risks) if !risks.is_empty() => Prospect::Doubtful(risks),
        _ => return Ok(None),
    };
    Ok(Some(Forecast { estimate, prospect }))
}

#[cfg(test)]
mod tests {

    use nerode_games::registry::open;

    use super::*;

    fn look(spec: &str, engine: Option<EngineKind>, memory: u64, disk: u64) -> Option<Prospect> {
        let options = Options { engine, ..Options::default() };
        let limits = Limits { memory, disk: Some(disk), seconds: PATIENCE };
        let forecast = look_ahead(&open(spec).unwrap(), &options, &Resources::default(), &limits).unwrap();
        forecast.map(|forecast| forecast.prospect)
    }

    const MUCH: u64 = 1 << 40;

    #[test]
    fn what_lacks_is_named_with_the_least_that_is_needed() {
        let little = 1000;
        assert_eq!(look("tictactoe:3x3", None, little, MUCH), None);
        assert_eq!(look("tictactoe:3x3", Some(EngineKind::Table), MUCH, MUCH), None);
        let Some(Prospect::Hopeless(lacks)) = look("tictactoe:3x3", Some(EngineKind::Table), little, MUCH)
        else {
            panic!("memory")
        };
        assert_eq!(lacks, [Shortage::Memory { needed: 4 * 3_u64.pow(9), allowed: little }]);
        assert_eq!(look("morris:nine", None, MUCH, MUCH), None);
        let lacks = |memory, disk| match look("morris:nine", None, memory, disk) {
            Some(Prospect::Hopeless(lacks)) => lacks,
            other => panic!("{other:?}"),
        };
        assert!(matches!(lacks(MUCH, 1 << 28)[..], [Shortage::Disk { free: 0x1000_0000, .. }]));
        assert!(matches!(lacks(1 << 30, MUCH)[..], [Shortage::Memory { .. }]));
        // The files of nine men's morris would take 28 GB without compression.
        let doubtful = look("morris:nine", None, MUCH, 20 << 30);
        let Some(Prospect::Doubtful(risks)) = doubtful else { panic!("{doubtful:?}") };
        assert!(matches!(risks[..], [Shortage::Disk { .. }]));
    }

    /// Checks that a board that is out of reach is always reported, even if the probe has little time or memory or a
    /// slow machine.
    #[test]
    fn what_is_far_beyond_is_always_told() {
        for (spec, memory, probe) in
            [("breakthrough:8x8", MUCH, 10), ("breakthrough:8x8", 48 << 20, 300), ("othello:8x8", MUCH, 10)]
        {
            let game = open(spec).unwrap();
            let options = Options { probe: Duration::from_millis(probe), ..Options::default() };
            let resources = Resources { memory, ..Resources::default() };
            let limits = Limits { memory, disk: Some(MUCH), seconds: PATIENCE };
            let forecast = look_ahead(&game, &options, &resources, &limits).unwrap();
            assert!(forecast.is_some(), "{spec} with {memory} bytes, {probe} ms");
        }
    }
}
