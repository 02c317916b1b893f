//! Ranks of single positions, read from a directory of ranked sectors.
//!
//! Invariant: an answer comes from a file that was checked completely and computed from the current file of the sector.

use std::sync::{Arc, Mutex, PoisonError};

use nerode_games::morris::{Rules, State};

use super::file::{self, Origin, path_of};
use super::keys::Keys;
use super::ranking::Ranking;
use crate::malom::SectorValues;
use crate::tables::recent::Recent;
use crate::tables::{IndexMaker, Sector, SectorDir, SectorIndex, SectorSolution, num_slots};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::RankedDraw;

/// The number of bytes of the keys of a slot.
const KEYS_BYTES: u64 = 4;

/// The index of a sector and the keys of its draws.
type Ranks = Arc<(SectorIndex, Keys)>;

/// A directory of ranked sectors, opened for look-ups from any number of threads.
#[derive(Debug)]
pub struct RankedSectors {
    rules: Rules,
    dir: SectorDir,
    values: SectorValues,
    maker: IndexMaker,
    memory: u64,
    known: Mutex<Recent<Sector, (SectorIndex, Keys)>>,
}

/// The draws of one sector.
#[derive(Debug)]
pub struct SectorDraws {
    ranks: Ranks,
    value: i32,
}

impl SectorDraws {
    /// Returns the rank of the position in `slot`, which must be a draw.
    pub fn at(&self, slot: u64) -> RankedDraw {
        RankedDraw::of(self.ranks.1.get(slot), self.value)
    }
}

impl RankedSectors {
    /// Opens the ranks in the directory of `solution`. Returns `None` if draws are not ranked, or not yet.
    ///
    /// # Errors
    /// Returns the errors of [`Ranking::read`] and [`SectorDir::open`].
    pub fn of(solution: &SectorSolution) -> Result<Option<Self>> {
        let rules = solution.rules.clone();
        let ranking = Ranking::read(&solution.dir, &rules)?;
        let Some(values) = ranking.and_then(|ranking| ranking.values) else { return Ok(None) };
        let (dir, maker) = (SectorDir::open(solution.dir.path())?, IndexMaker::new(&rules.board));
        Ok(Some(Self { rules, dir, values, maker, memory: u64::MAX, known: Mutex::default() }))
    }

    /// Limits the ranks in memory to `memory` bytes. The least recently used ranks are evicted first.
    pub fn limit_memory(&mut self, memory: u64) {
        self.memory = memory;
    }

    /// Returns the value of the sector of `state`, if it has one.
    pub fn value_of(&self, state: State) -> Option<i32> {
        self.values.get(Sector::of(state))
    }

    /// Returns the rank of `state`, which must be a draw, or `None` if its sector is not ranked.
    ///
    /// *Cost*: reads the ranks of a sector once and caches them.
    ///
    /// # Errors
    /// Returns the errors of reading the file.
    pub fn draw(&self, state: State) -> Result<Option<RankedDraw>> {
        let draws = self.of_sector(Sector::of(state))?;
        Ok(draws.map(|draws| draws.at(draws.ranks.0.slot(state.own, state.other))))
    }

    /// Returns the draws of a sector, or `None` if it is not ranked.
    ///
    /// # Errors
    /// Returns the errors of reading the file.
    pub fn of_sector(&self, sector: Sector) -> Result<Option<SectorDraws>> {
        let Some(value) = self.values.get(sector) else { return Ok(None) };
        Ok(self.ranks(sector)?.map(|ranks| SectorDraws { ranks, value }))
    }

    fn ranks(&self, sector: Sector) -> Result<Option<Ranks>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ranks) = known.get(sector) {
            return Ok(Some(ranks));
        }
        let path = path_of(&self.dir, sector);
        if !path.is_file() {
            return Ok(None);
        }
        let slots = num_slots(&self.maker, &self.rules, sector);
        let needed_bytes = slots.saturating_mul(KEYS_BYTES);
        if needed_bytes > self.memory {
            let what = format!("the ranks of sector {sector}");
            return Err(Error::TooLarge {
                what,
                needed_bytes: needed_bytes.into(),
                limit_bytes: self.memory,
            });
        }
        known.shrink_to(self.memory - needed_bytes);
        let origin = Origin::of(&self.dir, sector, slots, &self.values)?;
        let keys = file::read(&path, &origin)?;
        let ranks = Arc::new((self.maker.index(sector.own, sector.other), keys));
        Ok(Some(known.keep(sector, ranks, needed_bytes)))
    }
}
