//! Residual counters of drawn positions: how many turns keep the draw, by the reference program's count.
//!
//! That program goes through the drawn positions, each once up to symmetry, and adds one to every position that leads there. Here
//! the turns of one position are counted instead. A turn then counts as many times as symmetries keep the position after it,
//! divided by the number of those that keep the position before it.

use nerode_games::morris::{Rules, State, Turn};

use crate::error::{Error, Result};
use crate::morris::tables::{Sector, SectorTable, SectorTables};

/// Something for the sector after each kind of turn: placed or not, and stones taken. `None` where there are no such turns or
/// they end the game.
pub(super) struct ByTurn<T>([[Option<T>; 3]; 2]);

impl<T: Copy> ByTurn<T> {
    /// What `find` gives for the sectors that turns of `sector` lead to.
    pub fn new(rules: &Rules, sector: Sector, find: impl Fn(Sector) -> Result<T>) -> Result<Self> {
        let mut found = [[None; 3]; 2];
        for (row, places) in found.iter_mut().zip([false, true]) {
            for (cell, taken) in row.iter_mut().zip(0..) {
                *cell = sector.after(rules, places, taken).map(&find).transpose()?;
            }
        }
        Ok(Self(found))
    }

    #[inline]
    pub fn get(&self, turn: Turn) -> Option<T> {
        self.0[usize::from(turn.from == 0)].get(turn.taken.count_ones() as usize).copied().flatten()
    }
}

/// Counts the turns of one sector's positions.
pub(super) struct Counters<'a> {
    rules: &'a Rules,
    table: &'a SectorTable,
    children: ByTurn<&'a SectorTable>,
}

impl<'a> Counters<'a> {
    /// For `sector`, from tables in `unit` or `known`.
    pub fn new(
        rules: &'a Rules,
        unit: &'a [SectorTable],
        known: &'a SectorTables,
        sector: Sector,
    ) -> Result<Self> {
        let find = |wanted: Sector| {
            let inside = unit.iter().find(|table| table.sector == wanted);
            inside.or_else(|| known.get(&wanted).map(AsRef::as_ref)).ok_or_else(|| {
                let needed_by = (wanted != sector).then(|| sector.to_string());
                Error::MissingSector { sector: wanted.to_string(), needed_by, folder: None }
            })
        };
        Ok(Self { rules, table: find(sector)?, children: ByTurn::new(rules, sector, find)? })
    }

    pub fn table(&self) -> &'a SectorTable {
        self.table
    }

    /// The counter of the drawn position in `slot`.
    pub fn of(&self, slot: u64) -> u32 {
        let state: State = self.table.state(slot);
        let mut sum = 0;
        // Turns of one kind that take nothing leave the opponent's stones, who moves next, as they are.
        let mut quiet = [None; 2];
        self.rules.turns(state, |turn| {
            let Some(child) = self.children.get(turn) else { return };
            let after = state.after(turn);
            let slots = if turn.taken == 0 {
                *quiet[usize::from(turn.from == 0)].get_or_insert_with(|| child.index.slots_of(after.own))
            } else {
                child.index.slots_of(after.own)
            };
            if child.depth_at(slots.slot(after.other)).is_none() {
                sum += slots.num_stabilisers(after.other);
            }
        });
        // Turns that a symmetry of the position exchanges lead to positions that count alike: nothing is left over.
        sum / self.table.index.num_stabilisers(state.own, state.other)
    }
}
