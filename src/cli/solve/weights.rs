//! Weights of the units of a solve, for the estimate of the remaining time.

use std::collections::BTreeMap;

use nerode_games::morris::Rules;

use nerode_morris::tables::{IndexMaker, Sector, Unit, num_slots};

/// The numbers of slots of the units to be solved. They weight the remaining work, because late sectors are a
/// thousand times as large as early ones.
pub(super) struct Weights {
    slots: BTreeMap<Sector, u64>,
    pub(super) all: u64,
}

impl Weights {
    pub(super) fn of<'a>(maker: &IndexMaker, rules: &Rules, units: impl Iterator<Item = &'a Unit>) -> Self {
        let weigh = |unit: &Unit| {
            (unit.first(), unit.sectors().iter().map(|&sector| num_slots(maker, rules, sector)).sum())
        };
        let slots: BTreeMap<Sector, u64> = units.map(weigh).collect();
        Self { all: slots.values().sum(), slots }
    }

    /// Returns the number of slots of one of these units.
    pub(super) fn of_unit(&self, unit: &Unit) -> u64 {
        self.slots.get(&unit.first()).copied().unwrap_or(0)
    }
}
