//! Counters of what the engine did, so that a cache hit is observable and a table of costs can be printed.

use crate::ops::Local;

/// Totals since a store was made. Depends on thread timing when several threads work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpStats {
    /// Pairs of operands looked up in the computed cache.
    pub lookups: u64,
    /// Look-ups that found a result.
    pub hits: u64,
    /// States made.
    pub states_made: u64,
    /// Collections run.
    pub collections: u64,
}

impl OpStats {
    pub(crate) fn add(&mut self, local: &Local) {
        self.lookups += local.lookups;
        self.hits += local.hits;
        self.states_made += local.made;
    }
}
