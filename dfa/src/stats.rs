//! Counters of the engine's work, which make cache hits observable and provide the numbers for tables of costs.

use crate::ops::Local;

/// Totals since a store was created. They depend on the timing of threads if several threads work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpStats {
    /// The number of pairs of operands that were looked up in the computed cache.
    pub lookups: u64,
    /// The number of look-ups that found a result.
    pub hits: u64,
    /// The number of states created.
    pub states_made: u64,
    /// The number of garbage collections.
    pub collections: u64,
}

impl OpStats {
    pub(crate) fn add(&mut self, local: &Local) {
        self.lookups += local.lookups;
        self.hits += local.hits;
        self.states_made += local.made;
    }
}
