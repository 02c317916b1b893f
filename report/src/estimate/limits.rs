//! What is to be expected of a solve with what there is: whether its estimate is beyond that, at the low end or at the high one.

use std::sync::Arc;
use std::time::Duration;

use nerode_games::Game;
use serde::Serialize;

use super::{Asked, EngineName, Estimate, Expected, NoEstimate, estimate, usual_engine};
use nerode_solver::error::Result;
use nerode_solver::solve::resources::Resources;

/// What there is for a solve.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes free on disk, where the file system tells.
    pub disk: Option<u64>,
    /// Seconds that anybody would wait.
    pub seconds: f64,
}

/// The longest that a solve may take before it is called hopeless: a week.
const PATIENCE: f64 = 7.0 * 24.0 * 3600.0;

impl Limits {
    /// The memory of `resources`, so many bytes of disk, and a week.
    pub fn new(resources: &Resources, disk: Option<u64>) -> Self {
        Self { memory: resources.memory, disk, seconds: PATIENCE }
    }
}

/// Something that is too little, with the least that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shortage {
    /// Memory, in bytes.
    Memory {
        /// At least.
        needed: u64,
        /// Allowed.
        allowed: u64,
    },
    /// Disk, in bytes.
    Disk {
        /// At least.
        needed: u64,
        /// Free.
        free: u64,
    },
    /// Time, in seconds.
    Time {
        /// At least.
        needed: f64,
    },
}

impl Estimate {
    /// What is too little even for the low end of the estimate; empty where the solve may succeed.
    pub fn shortages(&self, limits: &Limits) -> Vec<Shortage> {
        let needed =
            |expected: &Expected| (expected.least_memory_bytes, expected.bytes.low, expected.seconds.low);
        self.expected.as_ref().map_or_else(Vec::new, |expected| beyond(limits, needed(expected)))
    }

    /// What is too little for the high end; empty where the solve will succeed if the estimate is right.
    pub fn risks(&self, limits: &Limits) -> Vec<Shortage> {
        let needed = |expected: &Expected| {
            (expected.most_least_memory_bytes, expected.bytes.high, expected.seconds.high)
        };
        self.expected.as_ref().map_or_else(Vec::new, |expected| beyond(limits, needed(expected)))
    }
}

/// What is too little for so much memory, disk and time.
fn beyond(limits: &Limits, (memory, disk, seconds): (u64, u64, f64)) -> Vec<Shortage> {
    let mut found = Vec::new();
    if memory > limits.memory {
        found.push(Shortage::Memory { needed: memory, allowed: limits.memory });
    }
    if let Some(free) = limits.disk.filter(|&free| disk > free) {
        found.push(Shortage::Disk { needed: disk, free });
    }
    if seconds > limits.seconds {
        found.push(Shortage::Time { needed: seconds });
    }
    found
}

/// What is to be expected of a solve.
#[derive(Clone, Debug, PartialEq)]
pub enum Prospect {
    /// Something is too little even for the low end of the estimate.
    Hopeless(Vec<Shortage>),
    /// Something is too little for the high end.
    Doubtful(Vec<Shortage>),
    /// Nothing can be said.
    Untold(NoEstimate),
}

/// An estimate before a solve that may not come to its end.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// The estimate.
    pub estimate: Estimate,
    /// What is to be expected.
    pub prospect: Prospect,
}

/// Words up to which boards were solved on a laptop, whatever the game, with as much memory as that takes: those are not looked at.
const LIKELY_WORDS: u128 = 1 << 32;
const LIKELY_MEMORY: u64 = 2 << 30;

/// The same with less memory.
const SURE_WORDS: u128 = 1 << 24;

/// How long a solve is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// A board of no more words than this is passed by when a glance at it shows some plies: it may be solved in seconds, of which a
/// look must stay a small part.
const QUICK_WORDS: u128 = 1 << 42;
const GLANCE: Duration = Duration::from_millis(100);
const QUICK_PLIES: usize = 3;

/// Looks at a solve before it is begun. `None`: nothing speaks against it.
///
/// Cost: nothing for boards of few words; a tenth of a second where plies come quickly; two seconds for others.
///
/// # Errors
/// Those of [`estimate`].
pub fn look_ahead(
    game: &Arc<dyn Game>,
    asked: &Asked,
    resources: &Resources,
    limits: &Limits,
) -> Result<Option<Ahead>> {
    let engine = asked.engine.unwrap_or_else(|| usual_engine(game.as_ref()));
    let likely = if limits.memory >= LIKELY_MEMORY { LIKELY_WORDS } else { SURE_WORDS };
    let by_sets_within =
        |most| engine == EngineName::Sets && game.shape().num_words().is_some_and(|words| words <= most);
    if by_sets_within(likely) {
        return Ok(None);
    }
    let looked_at =
        |time| estimate(game, &Asked { probe: asked.probe.min(time), ..asked.clone() }, resources);
    let may_be_quick = limits.memory >= LIKELY_MEMORY && by_sets_within(QUICK_WORDS);
    if may_be_quick && looked_at(GLANCE)?.growth.len() >= QUICK_PLIES {
        return Ok(None);
    }
    let estimate = looked_at(LOOK)?;
    let prospect = match (&estimate.no_estimate, estimate.shortages(limits), estimate.risks(limits)) {
        (Some(why), _, _) => Prospect::Untold(why.clone()),
        (None, shortages, _) if !shortages.is_empty() => Prospect::Hopeless(shortages),
        (None, _, risks) if !risks.is_empty() => Prospect::Doubtful(risks),
        _ => return Ok(None),
    };
    Ok(Some(Ahead { estimate, prospect }))
}

#[cfg(test)]
mod tests {
    use nerode_games::registry::open;

    use super::*;

    fn look(spec: &str, engine: Option<EngineName>, memory: u64, disk: u64) -> Option<Prospect> {
        let asked = Asked { engine, ..Asked::default() };
        let limits = Limits { memory, disk: Some(disk), seconds: PATIENCE };
        let found = look_ahead(&open(spec).unwrap(), &asked, &Resources::default(), &limits).unwrap();
        found.map(|ahead| ahead.prospect)
    }

    const MUCH: u64 = 1 << 40;

    #[test]
    fn what_lacks_is_named_with_the_least_that_is_needed() {
        let little = 1000;
        assert_eq!(look("tictactoe:3x3", None, little, MUCH), None);
        assert_eq!(look("tictactoe:3x3", Some(EngineName::Table), MUCH, MUCH), None);
        let Some(Prospect::Hopeless(lacks)) = look("tictactoe:3x3", Some(EngineName::Table), little, MUCH)
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
        // Files of nine men's morris would take 28 GB without compression.
        let doubtful = look("morris:nine", None, MUCH, 20 << 30);
        let Some(Prospect::Doubtful(risks)) = doubtful else { panic!("{doubtful:?}") };
        assert!(matches!(risks[..], [Shortage::Disk { .. }]));
    }

    /// However little time, memory or machine there is for the look: a board that is out of reach is never passed over.
    #[test]
    fn what_is_far_beyond_is_always_told() {
        for (spec, memory) in
            [("breakthrough:8x8", MUCH), ("breakthrough:8x8", 48 << 20), ("othello:8x8", MUCH)]
        {
            let game = open(spec).unwrap();
            for probe in [10, 800] {
                let asked = Asked { probe: Duration::from_millis(probe), ..Asked::default() };
                let resources = Resources { memory, ..Resources::default() };
                let limits = Limits { memory, disk: Some(MUCH), seconds: PATIENCE };
                let ahead = look_ahead(&game, &asked, &resources, &limits).unwrap();
                assert!(ahead.is_some(), "{spec} with {memory} bytes, {probe} ms");
            }
        }
    }
}
