//! A sector with its values.

use std::collections::BTreeMap;
use std::sync::Arc;

use nerode_games::Value;
use nerode_games::morris::State;

use super::codes::{Codes, Width};
use super::index::SectorIndex;
use super::sector::Sector;
use nerode_solver::error::Result;

/// The depths of all positions of a sector.
#[derive(Debug)]
pub struct SectorTable {
    /// The sector.
    pub sector: Sector,
    /// The slots of its positions.
    pub index: Arc<SectorIndex>,
    /// The depths of its positions.
    pub codes: Codes,
}

/// Sectors with their values, by name.
pub type SectorTables = BTreeMap<Sector, Arc<SectorTable>>;

/// Returns the value of a position from its depth: won in an odd number of plies, lost in an even number, or drawn.
pub fn value_of(depth: Option<u16>) -> Value {
    match depth {
        None => Value::Draw,
        Some(plies) if plies % 2 == 1 => Value::Win,
        Some(_) => Value::Loss,
    }
}

/// The numbers of positions of a sector, up to symmetry, by value and depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorCounts {
    /// The number of positions up to symmetry.
    pub num_positions: u64,
    /// The number of draws.
    pub draws: u64,
    /// The numbers of positions by depth in plies: wins at odd indices, losses at even ones.
    pub by_depth: Vec<u64>,
}

impl SectorCounts {
    /// Returns the number of won positions.
    pub fn wins(&self) -> u64 {
        self.by_depth.iter().skip(1).step_by(2).sum()
    }

    /// Returns the number of lost positions.
    pub fn losses(&self) -> u64 {
        self.by_depth.iter().step_by(2).sum()
    }

    /// Returns the greatest depth of a won and of a lost position.
    pub fn longest(&self) -> (Option<usize>, Option<usize>) {
        let last = |parity| (0..self.by_depth.len()).rev().find(|d| d % 2 == parity && self.by_depth[*d] > 0);
        (last(1), last(0))
    }
}

impl SectorTable {
    /// Creates a table with all positions open and all holes marked.
    ///
    /// # Errors
    /// Returns [`nerode_solver::error::Error::TooLarge`] if the system cannot provide the memory.
    pub fn open(sector: Sector, index: Arc<SectorIndex>, width: Width) -> Result<Self> {
        let codes = Codes::new(index.num_slots(), width)?;
        Ok(Self { sector, index, codes })
    }

    /// Returns the slot of a position of the sector.
    #[inline]
    pub fn slot(&self, state: State) -> u64 {
        self.index.slot(state.own, state.other)
    }

    /// Returns the position of a slot.
    #[inline]
    pub fn state(&self, slot: u64) -> State {
        let (own, other) = self.index.position(slot);
        self.sector.state(own, other)
    }

    /// Returns the depth in plies of the position in `slot`, or `None` for draws and holes.
    #[inline]
    pub fn depth_at(&self, slot: u64) -> Option<u16> {
        let code = self.codes.get(slot);
        (code < self.codes.width().open()).then_some(code)
    }

    /// Returns the depth in plies of a position of the sector, or `None` for draws.
    ///
    /// *Cost*: about fifteen table look-ups, the last of which is a cache miss in large sectors.
    #[inline]
    pub fn depth(&self, state: State) -> Option<u16> {
        self.depth_at(self.slot(state))
    }

    /// Returns the number of bytes in memory, without the index.
    pub fn bytes(&self) -> u64 {
        self.codes.bytes()
    }

    /// Counts the positions by value and depth. *Cost*: one pass, on the threads of the current pool.
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
