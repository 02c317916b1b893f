//! Residual counters of drawn positions: the numbers of turns that keep the draw, as counted by the reference program.
//!
//! The reference program visits the drawn positions, each once up to symmetry, and adds one to every predecessor. This
//! module counts the turns of one position instead. Each turn is then weighted by the number of symmetries that fix the
//! position after it, divided by the number of symmetries that fix the position before it.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use nerode_games::morris::{Rules, State, Turn};
use rayon::prelude::*;

use crate::tables::rows::Rows;
use crate::tables::{Sector, SectorIndex, SectorTable, SectorTables};
use nerode_solver::error::{Error, Result, check_interrupt};

/// The number of classes that one task counts.
const MOST_CLASSES: usize = 16;
/// The number of positions that are looked up in one batch.
const BLOCK: usize = 64;

/// A value for the sector after each kind of turn: whether a stone is placed, and how many stones are taken. `None` if
/// there are no such turns or they end the game.
pub(super) struct ByTurn<T>([[Option<T>; 3]; 2]);

impl<T: Copy> ByTurn<T> {
    /// Collects the values that `find` returns for the sectors that turns of `sector` lead to.
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
        self.0[usize::from(turn.from == 0)].get(turn.num_taken()).copied().flatten()
    }
}

/// The choice of the positions that have counters and of the turns that count.
pub(crate) trait Keeps: Sync {
    /// Returns `true` if a turn to the position in `slot` of `table` keeps the value.
    fn after(&self, table: &SectorTable, slot: u64) -> bool;

    /// Returns `true` if the drawn position in `slot` of the sector itself has a counter.
    fn has_counter(&self, slot: u64) -> bool;
}

/// The counters of strong files, in which all draws are alike.
struct AllDraws;

impl Keeps for AllDraws {
    #[inline]
    fn after(&self, table: &SectorTable, slot: u64) -> bool {
        table.depth_at(slot).is_none()
    }

    fn has_counter(&self, _: u64) -> bool {
        true
    }
}

/// Counts the turns of the positions of one sector.
pub(crate) struct Counters<'a> {
    rules: &'a Rules,
    table: &'a SectorTable,
    children: ByTurn<&'a SectorTable>,
    keeps: &'a dyn Keeps,
}

impl<'a> Counters<'a> {
    /// Creates the counters for `sector` from tables in `unit` or `known`.
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
        Ok(Self {
            rules,
            table: find(sector)?,
            children: ByTurn::new(rules, sector, find)?,
            keeps: &AllDraws,
        })
    }

    /// Replaces the choice of turns and positions that are counted.
    pub fn keeping(self, keeps: &'a dyn Keeps) -> Self {
        Self { keeps, ..self }
    }

    pub fn table(&self) -> &'a SectorTable {
        self.table
    }

    /// Returns the counter of the drawn position in `slot`.
    pub fn of(&self, slot: u64) -> u32 {
        let state = self.table.state(slot);
        self.count(state, &mut Rows::new(), self.table.index.num_stabilisers(state.own, state.other))
    }

    /// Returns the counter of `state`, a drawn position that is fixed by `num_stabilisers` symmetries.
    #[inline]
    fn count(&self, state: State, rows: &mut Rows<'a>, num_stabilisers: u32) -> u32 {
        let mut sum = 0;
        self.rules.turns(state, |turn| {
            let Some(child) = self.children.get(turn) else { return };
            let after = state.after(turn);
            let row = rows.of(child, turn, after);
            if self.keeps.after(child, row.slot(after.other)) {
                sum += row.num_stabilisers(after.other);
            }
        });
        // The division is exact, because turns that a symmetry of the position exchanges lead to positions with equal
        // weights.
        sum / num_stabilisers
    }

    /// Computes the counters of all drawn positions. `turned` is the index of the sector with the sides exchanged.
    /// `watch` is called with the fraction that is done.
    ///
    /// *Cost*: one byte of memory for each slot, and a look-up of all positions that the turns of drawn positions lead
    /// to, on all threads of the current pool. The positions are visited in the order of the stones of the side not to
    /// move. After a turn that takes nothing, these are the stones of the side to move, so that most look-ups are in
    /// one row of a table, which fits into the caches.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the system cannot provide the memory, or [`Error::Interrupted`].
    pub fn all(
        &self,
        turned: &SectorIndex,
        interrupt: &AtomicBool,
        watch: &(dyn Fn(f64) + Sync),
    ) -> Result<AllCounters> {
        let counters = AllCounters::new(self.table, self.keeps)?;
        let (classes, done) = (turned.classes().len(), AtomicUsize::new(0));
        (0..classes).into_par_iter().with_max_len(MOST_CLASSES).try_for_each(|class| {
            check_interrupt(interrupt)?;
            self.count_class(turned, class, &counters);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(MOST_CLASSES) {
                watch(done as f64 / classes as f64);
            }
            Result::Ok(())
        })?;
        Ok(counters)
    }

    /// Computes the counters of the drawn positions in which the stones of the side not to move belong to a class.
    fn count_class(&self, turned: &SectorIndex, class: usize, counters: &AllCounters) {
        let mut rows = Rows::new();
        let other = turned.classes().representative(class);
        let stabilisers = turned.slots_of(other);
        let mut positions = turned.positions_of_class(class);
        let mut block = Vec::with_capacity(BLOCK);
        loop {
            // The slots of a class are scattered over the table, so they are read in batches.
            let slot_of = |(_, other, own)| (self.table.index.slot(own, other), own);
            block.extend(positions.by_ref().take(BLOCK).map(slot_of));
            if block.is_empty() {
                return;
            }
            block.retain(|&(slot, _)| counters.is_to_be_counted(slot));
            for (slot, own) in block.drain(..) {
                let state = self.table.sector.state(own, other);
                counters.set(slot, self.count(state, &mut rows, stabilisers.num_stabilisers(own)));
            }
        }
    }
}

/// A counter for each slot. Counters that do not fit are not stored.
pub(crate) struct AllCounters(Vec<AtomicU8>);

impl AllCounters {
    /// The entry of a draw that has not been counted yet or whose counter does not fit.
    const OPEN: u8 = u8::MAX;
    /// The entry of a hole, or of a position that is won or lost.
    const NO_DRAW: u8 = u8::MAX - 1;

    fn new(table: &SectorTable, keeps: &dyn Keeps) -> Result<Self> {
        let slots = table.index.num_slots();
        let refused = || Error::TooLarge {
            what: format!("counters of sector {}", table.sector),
            needed_bytes: slots.into(),
            limit_bytes: 0,
        };
        let count = usize::try_from(slots).map_err(|_| refused())?;
        let mut counters = Vec::new();
        counters.try_reserve_exact(count).map_err(|_| refused())?;
        counters.resize_with(count, || AtomicU8::new(Self::OPEN));
        let draw = table.codes.width().open();
        counters.par_iter().enumerate().for_each(|(slot, counter)| {
            let slot = slot as u64;
            if table.codes.get(slot) != draw || !keeps.has_counter(slot) {
                counter.store(Self::NO_DRAW, Ordering::Relaxed);
            }
        });
        Ok(Self(counters))
    }

    fn is_to_be_counted(&self, slot: u64) -> bool {
        self.0[slot as usize].load(Ordering::Relaxed) == Self::OPEN
    }

    fn set(&self, slot: u64, counter: u32) {
        let counter = u8::try_from(counter).ok().filter(|counter| *counter < Self::NO_DRAW);
        self.0[slot as usize].store(counter.unwrap_or(Self::OPEN), Ordering::Relaxed);
    }

    /// Returns the counter of a drawn position, if it is stored.
    pub fn get(&self, slot: u64) -> Option<u32> {
        let counter = self.0[slot as usize].load(Ordering::Relaxed);
        (counter < Self::NO_DRAW).then_some(counter.into())
    }
}
