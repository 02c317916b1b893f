//! What the units of a solve weigh, for the time that is left.

use std::collections::BTreeMap;

use nerode_games::morris::Rules;

use nerode_morris::tables::{IndexMaker, Sector, Unit, num_slots};

/// Slots of the units to be solved: what is left is weighed by them, since late sectors are a thousand times as large as early ones.
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

    /// Slots of one of these units.
    pub(super) fn of_unit(&self, unit: &Unit) -> u64 {
        self.slots.get(&unit.first()).copied().unwrap_or(0)
    }
}
