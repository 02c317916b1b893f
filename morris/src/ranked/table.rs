//! A sector with the ranks of its draws.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use nerode_games::morris::State;

use super::keys::Keys;
use crate::malom::SectorValues;
use crate::tables::{Sector, SectorTable};
use nerode_solver::error::Result;
use nerode_solver::outcome::RankedDraw;
use nerode_solver::outcome::rank::Pair;

/// The value of a position of a sector for the side to move, with ranked draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Won in the given number of plies.
    Win(u16),
    /// Lost in the given number of plies.
    Loss(u16),
    /// A draw.
    Draw(RankedDraw),
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win in {plies}"),
            Self::Loss(plies) => write!(f, "loss in {plies}"),
            Self::Draw(draw) => write!(f, "draw {draw}"),
        }
    }
}

/// A solved sector with the ranks of its draws.
#[derive(Debug)]
pub struct RankedTable {
    /// Wins, losses and draws.
    pub strong: Arc<SectorTable>,
    /// The keys of the draws.
    pub keys: Keys,
    /// The value of a won position. A lost position has the negated value.
    pub win: i32,
    /// The value of the sector.
    pub value: i32,
}

/// Ranked sectors by name.
pub type RankedTables = BTreeMap<Sector, Arc<RankedTable>>;

impl RankedTable {
    /// Creates the table of the sector `strong` before its draws are ranked: all draws are worth as much as the sector.
    ///
    /// # Errors
    /// Returns [`Error::NoValue`](nerode_solver::error::Error::NoValue) if `values` has none for the sector, or
    /// [`Error::TooLarge`](nerode_solver::error::Error::TooLarge).
    pub fn new(strong: Arc<SectorTable>, values: &SectorValues) -> Result<Self> {
        let sector = strong.sector;
        let value = values.must_have(sector)?;
        Ok(Self { keys: Keys::new(strong.index.num_slots())?, strong, win: values.win(), value })
    }

    /// Creates the table of the sector `strong` with the keys of its draws.
    ///
    /// # Errors
    /// Returns [`Error::NoValue`](nerode_solver::error::Error::NoValue) if `values` has none for the sector.
    pub fn with_keys(strong: Arc<SectorTable>, keys: Keys, values: &SectorValues) -> Result<Self> {
        let value = values.must_have(strong.sector)?;
        Ok(Self { keys, strong, win: values.win(), value })
    }

    /// Counts the draws of each rank, up to symmetry.
    ///
    /// *Cost*: one pass over the strong table and the keys, on the threads of the current pool.
    pub fn draws_by_rank(&self) -> BTreeMap<i32, u64> {
        let add = |ranks: &mut BTreeMap<i32, u64>, _, (key1, _): Pair| {
            *ranks.entry(self.value + key1).or_default() += 1;
        };
        let merge = |mut all: BTreeMap<i32, u64>, some: BTreeMap<i32, u64>| {
            some.into_iter().for_each(|(rank, count)| *all.entry(rank).or_default() += count);
            all
        };
        let mut ranks = self.keys.fold(BTreeMap::new, add, merge);
        let others = self.strong.counts().draws - ranks.values().sum::<u64>();
        if others > 0 {
            *ranks.entry(self.value).or_default() += others;
        }
        ranks
    }

    /// Returns the sector.
    pub fn sector(&self) -> Sector {
        self.strong.sector
    }

    /// Returns `true` if the position in `slot` is a draw. Holes are not draws.
    #[inline]
    pub fn is_draw(&self, slot: u64) -> bool {
        self.strong.codes.get(slot) == self.strong.codes.width().open()
    }

    /// Returns both keys of the position in `slot`, which may also be a win or a loss.
    #[inline]
    pub fn pair(&self, slot: u64) -> Pair {
        match self.strong.depth_at(slot) {
            Some(plies) if plies % 2 == 1 => (self.win - self.value, plies.into()),
            Some(plies) => (-self.win - self.value, plies.into()),
            None => self.keys.get(slot),
        }
    }

    /// Returns the value of the position in `slot`.
    pub fn worth_at(&self, slot: u64) -> Worth {
        match (self.strong.depth_at(slot), self.keys.get(slot)) {
            (Some(plies), _) if plies % 2 == 1 => Worth::Win(plies),
            (Some(plies), _) => Worth::Loss(plies),
            (None, keys) => Worth::Draw(RankedDraw::of(keys, self.value)),
        }
    }

    /// Returns the value of a position of the sector.
    pub fn worth(&self, state: State) -> Worth {
        self.worth_at(self.strong.slot(state))
    }

    /// Returns the number of bytes in memory, without the index.
    pub fn bytes(&self) -> u64 {
        self.strong.bytes() + self.keys.bytes()
    }
}
