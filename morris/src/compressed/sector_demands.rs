//! The demands that all automata of a sector must satisfy for its positions, computed once.
//!
//! Invariant: the demands depend only on the tables, not on the order in which they are computed.

use nerode_games::morris::{Rules, State};
use rayon::prelude::*;

use super::entries::{Entry, best_capture, must_know_captures, worths};
use super::header::Probe;
use super::words::Words;
use super::worth::{Detail, Worth};
use crate::tables::{Codes, IndexMaker, SectorIndex, SectorTable, SectorTables, Width};
use nerode_solver::error::Result;

/// The number of slots that are sampled to determine the most common code.
const LOOKS: u64 = 1 << 16;
/// The marker for no slot.
const HOLE: u64 = u64::MAX;

/// The demands on all positions of a sector.
pub(super) struct SectorDemands {
    pub(super) codes: Vec<Worth>,
    /// The index with the other side's stones first, so that the positions of a class capture into the same few rows of
    /// other sectors.
    index: SectorIndex,
    /// Entries as numbers, by slot of `index`. Holes are left open.
    entries: Codes,
    /// The codes that most positions demand, in forms without a probe and with one.
    usual: [u16; 2],
}

/// The rules and the sectors that captures lead to.
type Captures<'a> = (&'a Rules, &'a SectorTables);

impl SectorDemands {
    /// Computes the demands of `table`. With [`Probe::Captures`], also determines what captures leave open.
    ///
    /// *Cost*: a random look-up in the table for each position and a look-up of all captures, with one or two bytes of
    /// memory for each slot.
    ///
    /// # Errors
    /// Returns [`nerode_solver::error::Error::MissingSector`] if captures are examined and lead to a sector that is not
    /// in `known`, or [`nerode_solver::error::Error::TooLarge`] if the system cannot provide the memory.
    pub(super) fn new(
        rules: &Rules,
        maker: &IndexMaker,
        table: &SectorTable,
        known: &SectorTables,
        probe: Probe,
        detail: Detail,
    ) -> Result<Self> {
        let captures = (probe == Probe::Captures).then_some((rules, known));
        if captures.is_some() {
            must_know_captures(rules, table.sector, known)?;
        }
        let codes = worths(table, detail);
        let index = maker.index(table.sector.other, table.sector.own);
        let most = Entry::exactly(codes.len() as u16).number();
        let width = if most <= Width::One.most_depth().into() { Width::One } else { Width::Two };
        let entries = Codes::new(index.num_slots(), width)?;
        let mut demands = Self { codes, index, entries, usual: [0; 2] };
        demands.fill(table, captures, detail);
        demands.usual = [Probe::Nothing, Probe::Captures].map(|probe| demands.most_common(table, probe));
        Ok(demands)
    }

    fn fill(&self, table: &SectorTable, captures: Option<Captures<'_>>, detail: Detail) {
        let (open, of_code) = (table.codes.width().open(), self.exact(table, detail));
        (0..self.index.classes().len()).into_par_iter().for_each(|class| {
            let positions: Vec<(u64, u32, u32)> = self.index.positions_of_class(class).collect();
            // All slots are computed first, so that reads from the table overlap.
            let slots = positions.iter().map(|&(_, other, own)| table.index.slot(own, other));
            let slots: Vec<u64> = slots.collect();
            let codes: Vec<u16> = slots.into_iter().map(|slot| table.codes.get(slot)).collect();
            for (&(slot, other, own), code) in positions.iter().zip(codes) {
                let exact = of_code[usize::from(code.min(open))];
                let entry = self.left_open(exact, captures, || table.sector.state(own, other), detail);
                self.entries.set(slot, entry.number() as u16);
            }
        });
    }

    /// Returns the demand for each code of the table.
    fn exact(&self, table: &SectorTable, detail: Detail) -> Vec<Entry> {
        let open = table.codes.width().open();
        let demand = |code: u16| {
            let worth = Worth::of((code < open).then_some(code), detail);
            // A code that no slot has may have no worth here, but its entry is never used.
            Entry::exactly(self.codes.partition_point(|&less| less < worth) as u16)
        };
        (0..=open).map(demand).collect()
    }

    /// Returns the demand on a position, which is weaker than `exact` if a capture reaches the same worth.
    #[inline]
    fn left_open(
        &self,
        exact: Entry,
        captures: Option<Captures<'_>>,
        state: impl Fn() -> State,
        detail: Detail,
    ) -> Entry {
        // Every answer is at least a loss, so nothing can be left open.
        let Some((rules, known)) = captures.filter(|_| exact.code() > 0) else {
            return exact;
        };
        let worth = self.codes[usize::from(exact.code())];
        let found = best_capture(rules, known, state(), detail, worth) == Some(worth);
        if found { Entry::at_most(exact.code()) } else { exact }
    }

    /// Returns the demands of a form with `probe` on positions, which are given by the stones of the side to move and
    /// of the other side. `None` stands for a hole, on which there is no demand.
    pub(super) fn of_positions(
        &self,
        positions: impl Iterator<Item = Option<(u32, u32)>>,
        probe: Probe,
    ) -> Vec<Entry> {
        // All slots are computed first, see [`SectorDemands::fill`].
        let slot =
            |stones: Option<(u32, u32)>| stones.map_or(HOLE, |(own, other)| self.index.slot(other, own));
        let slots: Vec<u64> = positions.map(slot).collect();
        let entry = |slot| if slot == HOLE { self.any() } else { self.at(slot, probe) };
        slots.into_iter().map(entry).collect()
    }

    /// Returns the demand on the position in a slot of the index.
    #[inline]
    fn at(&self, slot: u64, probe: Probe) -> Entry {
        let entry = Entry::of_number(self.entries.get(slot).into());
        if probe == Probe::Nothing { Entry::exactly(entry.code()) } else { entry }
    }

    /// Returns the code that most positions demand.
    pub(super) fn usual(&self, probe: Probe) -> u16 {
        self.usual[usize::from(probe == Probe::Captures)]
    }

    /// Returns the code that most positions demand exactly, or the least of several such codes, in a sample of evenly
    /// spaced slots of `table`.
    fn most_common(&self, table: &SectorTable, probe: Probe) -> u16 {
        let slots = table.codes.num_slots();
        let mut counts = vec![0u64; self.codes.len()];
        for slot in (0..slots).step_by((slots / LOOKS).max(1) as usize) {
            if table.codes.get(slot) != table.codes.width().hole() {
                let (own, other) = table.index.position(slot);
                let entry = self.at(self.index.slot(other, own), probe);
                counts[usize::from(entry.code())] += u64::from(entry.is_exact());
            }
        }
        let most = counts.iter().max().copied();
        counts.iter().position(|n| Some(*n) == most).unwrap_or_default() as u16
    }

    /// Returns the demand that every answer meets.
    fn any(&self) -> Entry {
        Entry::at_most((self.codes.len() - 1) as u16)
    }
}

/// The demands in the order of words.
pub(super) struct Demands<'a> {
    pub(super) words: &'a Words,
    pub(super) of_sector: &'a SectorDemands,
    pub(super) probe: Probe,
}

impl Demands<'_> {
    /// Returns the demands of one class, by word.
    pub(super) fn of_class(&self, class: usize, sets: &[u32]) -> Vec<Entry> {
        self.of_sector.of_positions(self.words.positions(class, sets), self.probe)
    }
}
