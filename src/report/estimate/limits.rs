//! Whether a solve is hopeless: whether even the low end of its estimate is beyond what there is.

use std::sync::Arc;
use std::time::Duration;

use nerode_games::Game;
use serde::Serialize;

use super::{Asked, EngineName, Estimate, estimate, usual_engine};
use crate::error::Result;
use crate::solve::resources::Resources;

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
        let Some(expected) = &self.expected else { return Vec::new() };
        let mut found = Vec::new();
        let (memory, disk) = (expected.least_memory_bytes, expected.bytes.low);
        if memory > limits.memory {
            found.push(Shortage::Memory { needed: memory, allowed: limits.memory });
        }
        if let Some(free) = limits.disk.filter(|&free| disk > free) {
            found.push(Shortage::Disk { needed: disk, free });
        }
        if expected.seconds.low > limits.seconds {
            found.push(Shortage::Time { needed: expected.seconds.low });
        }
        found
    }
}

/// Words up to which boards were solved on a laptop, whatever the game: those are not looked at.
const LIKELY_WORDS: u128 = 1 << 44;

/// How long a solve that may be hopeless is looked at.
const LOOK: Duration = Duration::from_secs(4);

/// The estimate and what is too little for it, if a solve is hopeless; found in a few seconds.
///
/// Cost: nothing for boards of few words; a few seconds for others.
///
/// # Errors
/// Those of [`estimate`].
pub fn hopeless(
    game: &Arc<dyn Game>,
    asked: &Asked,
    resources: &Resources,
    limits: &Limits,
) -> Result<Option<(Estimate, Vec<Shortage>)>> {
    let engine = asked.engine.unwrap_or_else(|| usual_engine(game.as_ref()));
    let likely = game.shape().num_words().is_some_and(|words| words <= LIKELY_WORDS);
    if likely && engine == EngineName::Sets {
        return Ok(None);
    }
    let found = estimate(game, &Asked { probe: asked.probe.min(LOOK), ..asked.clone() }, resources)?;
    let shortages = found.shortages(limits);
    Ok((!shortages.is_empty()).then_some((found, shortages)))
}

#[cfg(test)]
mod tests {
    use nerode_games::registry::open;

    use super::*;

    fn look(spec: &str, engine: Option<EngineName>, memory: u64, disk: u64) -> Vec<Shortage> {
        let asked = Asked { engine, ..Asked::default() };
        let limits = Limits { memory, disk: Some(disk), seconds: PATIENCE };
        let found = hopeless(&open(spec).unwrap(), &asked, &Resources::default(), &limits).unwrap();
        found.map_or_else(Vec::new, |(_, shortages)| shortages)
    }

    #[test]
    fn what_lacks_is_named_with_the_least_that_is_needed() {
        let (much, little) = (1 << 40, 1000);
        assert_eq!(look("tictactoe:3x3", None, little, much), []);
        assert_eq!(look("tictactoe:3x3", Some(EngineName::Table), much, much), []);
        let [Shortage::Memory { needed, allowed }] =
            look("tictactoe:3x3", Some(EngineName::Table), little, much)[..]
        else {
            panic!("memory")
        };
        assert_eq!((needed, allowed), (4 * 3_u64.pow(9), little));
        assert_eq!(look("morris:nine", None, much, much), []);
        assert!(matches!(
            look("morris:nine", None, much, 1 << 30)[..],
            [Shortage::Disk { free: 0x4000_0000, .. }]
        ));
        assert!(matches!(look("morris:nine", None, 1 << 30, much)[..], [Shortage::Memory { .. }]));
    }
}
