//! A sector with its values.

use std::collections::BTreeMap;
use std::sync::Arc;

use nerode_games::Value;
use nerode_games::morris::State;

use super::codes::{Codes, Width};
use super::index::SectorIndex;
use super::sector::Sector;
use nerode_solver::error::Result;

/// Depths of all positions of a sector.
#[derive(Debug)]
pub struct SectorTable {
    /// Which positions.
    pub sector: Sector,
    /// Their slots.
    pub index: Arc<SectorIndex>,
    /// Their depths.
    pub codes: Codes,
}

/// Sectors with their values, by name.
pub type SectorTables = BTreeMap<Sector, Arc<SectorTable>>;

/// Value and depth of a position of a sector: won in an odd, lost in an even number of plies, or drawn.
pub fn value_of(depth: Option<u16>) -> Value {
    match depth {
        None => Value::Draw,
        Some(plies) if plies % 2 == 1 => Value::Win,
        Some(_) => Value::Loss,
    }
}

/// How many positions of a sector, up to symmetry, have which value and depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorCounts {
    /// Positions up to symmetry.
    pub num_positions: u64,
    /// Drawn ones.
    pub draws: u64,
    /// By depth in plies: wins at odd places, losses at even ones.
    pub by_depth: Vec<u64>,
}

impl SectorCounts {
    /// Won positions.
    pub fn wins(&self) -> u64 {
        self.by_depth.iter().skip(1).step_by(2).sum()
    }

    /// Lost positions.
    pub fn losses(&self) -> u64 {
        self.by_depth.iter().step_by(2).sum()
    }

    /// The greatest depth of a won and of a lost position.
    pub fn longest(&self) -> (Option<usize>, Option<usize>) {
        let last = |parity| (0..self.by_depth.len()).rev().find(|d| d % 2 == parity && self.by_depth[*d] > 0);
        (last(1), last(0))
    }
}

impl SectorTable {
    /// All positions open, holes marked.
    ///
    /// # Errors
    /// [`nerode_solver::error::Error::TooLarge`] when the system does not give the memory.
    pub fn open(sector: Sector, index: Arc<SectorIndex>, width: Width) -> Result<Self> {
        let codes = Codes::new(index.num_slots(), width)?;
        Ok(Self { sector, index, codes })
    }

    /// The slot of a position of the sector.
    #[inline]
    pub fn slot(&self, state: State) -> u64 {
        self.index.slot(state.own, state.other)
    }

    /// The position of a slot.
    #[inline]
    pub fn state(&self, slot: u64) -> State {
        let (own, other) = self.index.position(slot);
        self.sector.state(own, other)
    }

    /// Depth in plies of the position in `slot`; `None` for draws, and for holes.
    #[inline]
    pub fn depth_at(&self, slot: u64) -> Option<u16> {
        let code = self.codes.get(slot);
        (code < self.codes.width().open()).then_some(code)
    }

    /// Depth in plies of a position of the sector; `None` for draws.
    ///
    /// *Cost*: some fifteen table look-ups, of which the last misses the caches in large sectors.
    #[inline]
    pub fn depth(&self, state: State) -> Option<u16> {
        self.depth_at(self.slot(state))
    }

    /// Bytes in memory, without the index.
    pub fn bytes(&self) -> u64 {
        self.codes.bytes()
    }

    /// Counts of positions by value and depth. *Cost*: one pass, on the threads of the pool in force.
    pub fn counts(&self) -> SectorCounts {
        let width = self.codes.width();
        let mut by_code = self.codes.histogram();
        let holes = by_code[usize::from(width.hole())];
        let draws = by_code[usize::from(width.open())];
        by_code.truncate(usize::from(width.open()));
        while by_code.last() == Some(&0) {
            by_code.pop();
        }
        SectorCounts { num_positions: self.codes.num_slots() - holes, draws, by_depth: by_code }
    }
}
