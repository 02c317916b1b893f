//! Ranges of all early positions, found by searching each of them into the available sectors. They are stored with
//! the sectors.
//!
//! The positions after the last of the given number of placements are searched until all stones are placed. The
//! earlier ones then only require a look at their moves. With a full window, a range does not depend on the contents
//! of the transposition table, so the ranges are the same for every number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::ground::SectorGround;
use super::terms::{Goal, Means, Search};
use super::tree::{Stop, Tree, Window};
use nerode_morris::early::{EarlyBounds, EarlySector, Reached, SectorRanges, after_placements};
use nerode_morris::tables::{Sector, SectorSolution};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::ValueRange;

/// The number of slots that one task searches sequentially.
const CHUNK_SLOTS: usize = 1 << 8;
/// The number of chunks for each thread whose ranges are collected at once.
const CHUNKS_A_ROUND: usize = 1 << 5;

/// The early positions to search, and the parameters of the search.
#[derive(Clone, Copy, Debug)]
pub struct EarlySearch<'a> {
    /// The number of stones placed, of both sides together.
    pub placements: u8,
    /// The maximum depth of the search of a position after the last of these placements. `None` means up to the very
    /// last placement.
    pub plies: Option<u32>,
    /// The maximum number of bytes of the positions and of the tables of the searches together.
    pub memory: u64,
    /// Whether existing ranges are recomputed.
    pub overwrite: bool,
    /// A flag that the user sets to stop.
    pub interrupt: &'a AtomicBool,
}

/// A sector whose ranges are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyDone {
    /// The sector.
    pub sector: Sector,
    /// Its ranges.
    pub ranges: EarlySector,
    /// The number of positions visited, or 0 for ranges that already existed.
    pub nodes: u64,
}

/// The progress of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyNow {
    /// The current sector.
    pub sector: Sector,
    /// The number of stones placed before its positions.
    pub placements: u8,
    /// The number of its slots searched so far.
    pub slots: u64,
    /// The total number of its slots.
    pub all_slots: u64,
    /// The approximate number of positions visited for this sector so far.
    pub nodes: u64,
}

/// One search for each thread.
type Trees<'a> = Vec<Mutex<Tree<'a, SectorGround<'a>>>>;

impl EarlySearch<'_> {
    /// Searches all early positions and stores their ranges, sector by sector, on the current thread pool. Sectors
    /// that are already stored, and have been searched to the same depth, are skipped.
    ///
    /// `watch` is called from all threads, at least after every few ten thousand positions visited.
    ///
    /// Cost: grows with every stone that remains to be placed by a factor of the number of empty points.
    ///
    /// # Errors
    /// Returns the errors of [`after_placements`], of look-ups and of writing, [`Error::Occupied`] for ranges that
    /// were computed from other sectors, and [`Error::Interrupted`], after which the same call resumes.
    pub fn run(&self, sectors: &SectorSolution, watch: &(dyn Fn(EarlyNow) + Sync)) -> Result<Vec<EarlyDone>> {
        let layers = after_placements(
            &sectors.rules,
            sectors.maker(),
            self.placements,
            self.memory / 2,
            self.interrupt,
        )?;
        let (mut stored, _lock) = EarlyBounds::begin(sectors, self.overwrite)?;
        let mut done = Vec::new();
        for (placements, layer) in (0..=self.placements).zip(&layers).rev() {
            for (&sector, reached) in layer {
                let plies = self.plies_from(sector, placements);
                let mut nodes = 0;
                if stored.sector(sector).is_none_or(|stored| stored.plies < plies) {
                    let at = EarlyNow {
                        sector,
                        placements,
                        slots: 0,
                        all_slots: reached.slots.len() as u64,
                        nodes: 0,
                    };
                    let tell = |slots, nodes| watch(EarlyNow { slots, nodes, ..at });
                    let found = self.search(sectors, &stored, reached, sector, plies, &tell)?;
                    nodes = found.1;
                    stored.put(found.0, placements, plies)?;
                }
                let ranges = stored.sector(sector).cloned();
                done.extend(ranges.map(|ranges| EarlyDone { sector, ranges, nodes }));
            }
        }
        Ok(done)
    }

    /// Returns the depth to which positions of a sector are searched, including the plies that are stored by then.
    fn plies_from(&self, sector: Sector, placements: u8) -> u32 {
        let all = u32::from(sector.own_hand) + u32::from(sector.other_hand);
        let before = u32::from(self.placements - placements);
        self.plies.map_or(all, |plies| all.min(plies.saturating_add(before)))
    }
}

impl EarlySearch<'_> {
    /// Returns the range of each reachable slot, and the number of positions visited. `tell` is called with the
    /// numbers of slots searched and of positions visited so far.
    fn search(
        &self,
        sectors: &SectorSolution,
        stored: &EarlyBounds,
        reached: &Reached,
        sector: Sector,
        plies: u32,
        tell: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(SectorRanges, u64)> {
        let ground = SectorGround::of_tables(sectors, Some(stored))?;
        let threads = rayon::current_num_threads();
        let memory = self.memory / 2 / threads as u64;
        let search = Search {
            plies,
            deadline: None,
            interrupt: self.interrupt,
            memory,
            means: Means::ALL,
            goal: Goal::Value,
        };
        let (searched, visited) = (AtomicU64::new(0), AtomicU64::new(0));
        let visit = |nodes| {
            let visited = visited.fetch_add(nodes, Ordering::Relaxed) + nodes;
            tell(searched.load(Ordering::Relaxed), visited);
        };
        tell(0, 0);
        let tree = |_| Mutex::new(Tree::new(&search, &ground).telling(&visit));
        let trees: Trees<'_> = (0..threads).map(tree).collect();
        let mut ranges = Vec::with_capacity(reached.slots.len());
        let of_round = CHUNK_SLOTS * CHUNKS_A_ROUND * threads;
        for (round, slots) in reached.slots.chunks(of_round).enumerate() {
            let first = round * of_round;
            let chunks = slots.par_chunks(CHUNK_SLOTS).enumerate();
            let found = chunks.map(|(at, slots)| {
                let tree = &trees[rayon::current_thread_index().unwrap_or_default() % threads];
                let mut tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
                let from = (first + at * CHUNK_SLOTS) as u64;
                let ranges = ranges_of(&mut tree, reached, sector, from, slots, plies);
                let done = searched.fetch_add(slots.len() as u64, Ordering::Relaxed) + slots.len() as u64;
                tell(done, visited.load(Ordering::Relaxed));
                ranges
            });
            ranges.extend(found.collect::<Result<Vec<_>>>()?.into_iter().flatten());
        }
        let nodes = trees.iter().map(|tree| tree.lock().unwrap_or_else(PoisonError::into_inner).nodes).sum();
        let index = sectors.maker().index(sector.own, sector.other);
        Ok((SectorRanges::new(sector, index, ranges.into_iter()), nodes))
    }
}

/// Returns the ranges of the slots from `first` on.
fn ranges_of(
    tree: &mut Tree<'_, SectorGround<'_>>,
    reached: &Reached,
    sector: Sector,
    first: u64,
    slots: &[bool],
    plies: u32,
) -> Result<Vec<Option<ValueRange>>> {
    tree.make_room();
    let range = |(slot, is_reached): (u64, &bool)| {
        if !is_reached {
            return Ok(None);
        }
        let (own, other) = reached.index.position(slot);
        match tree.range(&sector.state(own, other), plies, Window::FULL) {
            Ok(known) => Ok(Some(known.range)),
            Err(Stop::Error(error)) => Err(error),
            // There is no time limit.
            Err(Stop::Time) => Err(Error::Interrupted),
        }
    };
    (first..).zip(slots).map(range).collect()
}
