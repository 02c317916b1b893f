//! What changes between two sets of rules on the same board: values of the same positions, sector by sector (paper 003, section 7).
//!
//! Invariant: both values come from files that were checked whole; the same files give the same counts and examples, for every
//! number of threads.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::Value;
use rayon::prelude::*;

use super::tables::{Sector, SectorCounts, SectorSolution, SectorTable, value_of};
use nerode_solver::error::{Error, Result};

/// Slots that one task looks at.
const CHUNK_SLOTS: u64 = 1 << 16;

/// A change of value, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Under the first rules.
    pub from: Value,
    /// Under the second.
    pub to: Value,
}

impl Change {
    /// All changes, in the order of the paper's table 3.
    pub const ALL: [Self; 6] = [
        Self { from: Value::Draw, to: Value::Loss },
        Self { from: Value::Draw, to: Value::Win },
        Self { from: Value::Loss, to: Value::Draw },
        Self { from: Value::Win, to: Value::Draw },
        Self { from: Value::Loss, to: Value::Win },
        Self { from: Value::Win, to: Value::Loss },
    ];

    /// Its place in [`Change::ALL`]; `None` where nothing changes.
    fn place(from: Value, to: Value) -> Option<usize> {
        Self::ALL.iter().position(|change| (change.from, change.to) == (from, to))
    }
}

/// A position whose value changes. The least comes first: that in which a game is over soonest, under either rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// Plies to the end under the rules that end it sooner.
    pub soonest: u16,
    /// Where it is.
    pub sector: Sector,
    /// Its slot there.
    pub slot: u64,
    /// Plies to the end under both rules; draws have none.
    pub depths: [Option<u16>; 2],
}

/// What two tables of one sector say differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorChanges {
    /// Which.
    pub sector: Sector,
    /// Counts under both rules.
    pub counts: [SectorCounts; 2],
    /// Positions up to symmetry whose value changes, by the places of [`Change::ALL`].
    pub changed: [u64; 6],
    /// Those that keep their value and take more or fewer plies.
    pub other_depth: u64,
    /// For each change, the first examples.
    pub examples: [Vec<Example>; 6],
}

/// What is found in some slots.
#[derive(Default)]
struct Found {
    changed: [u64; 6],
    other_depth: u64,
    examples: [Vec<Example>; 6],
}

impl Found {
    fn merge(mut self, other: Self, most: usize) -> Self {
        self.other_depth += other.other_depth;
        for (place, examples) in other.examples.into_iter().enumerate() {
            self.changed[place] += other.changed[place];
            self.examples[place] = first_of(std::mem::take(&mut self.examples[place]), examples, most);
        }
        self
    }
}

/// The first `most` of two sorted lists.
pub fn first_of(mut some: Vec<Example>, others: Vec<Example>, most: usize) -> Vec<Example> {
    some.extend(others);
    some.sort_unstable();
    some.truncate(most);
    some
}

/// Two directories of sectors with different rules for the same board.
#[derive(Debug)]
pub struct TwoRules {
    /// The first and the second.
    pub sides: [SectorSolution; 2],
    /// Sectors that both have.
    pub both: Vec<Sector>,
    /// Sectors that only the first has, and those that only the second has.
    pub only: [Vec<Sector>; 2],
}

impl TwoRules {
    /// Opens both directories, with at most `memory` bytes of tables at once.
    ///
    /// # Errors
    /// Those of [`SectorSolution::open`]; [`Error::Mismatch`] for different boards, the same rules, and no sector in common.
    pub fn open(first: &Path, second: &Path, memory: u64) -> Result<Self> {
        let open = |path| SectorSolution::open(path).map(|solution| solution.with_memory(memory / 2));
        let sides = [open(first)?, open(second)?];
        let not_comparable = |found: String, expected: String| {
            Err(Error::Mismatch { what: second.display().to_string(), found, expected })
        };
        let [one, two] = [&sides[0], &sides[1]];
        let [spec, other] = [one.game.spec(), two.game.spec()];
        if one.rules.board.kind() != two.rules.board.kind() {
            return not_comparable(
                format!("sectors on the board of {other}"),
                format!("the board of {spec}"),
            );
        }
        if one.dir.game() == two.dir.game() {
            let found = format!("sectors of {other}, as in {}", first.display());
            return not_comparable(found, "another set of rules for the same board".into());
        }
        let [in_first, in_second] = [sectors_of(one)?, sectors_of(two)?];
        let both: Vec<Sector> = in_first.intersection(&in_second).copied().collect();
        if both.is_empty() {
            let found = format!("none of the sectors in {}", first.display());
            return not_comparable(found, "at least one of them".into());
        }
        let only = [&in_first - &in_second, &in_second - &in_first];
        Ok(Self { sides, both, only: only.map(|sectors| sectors.into_iter().collect()) })
    }

    /// What changes in a sector that both have, with at most `examples` positions for each change. On the threads of the pool in
    /// force.
    ///
    /// *Cost*: a look at every slot of both tables.
    ///
    /// # Errors
    /// Those of [`SectorSolution::table`]; [`Error::Interrupted`].
    pub fn changes(&self, sector: Sector, examples: usize, interrupt: &AtomicBool) -> Result<SectorChanges> {
        let tables = [self.sides[0].table(sector)?, self.sides[1].table(sector)?];
        self.sides.iter().for_each(SectorSolution::forget);
        let tables = [&*tables[0], &*tables[1]];
        let chunks = (0..tables[0].index.num_slots().div_ceil(CHUNK_SLOTS)).into_par_iter();
        let look = |chunk| {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            Ok(look_at(tables, chunk, examples))
        };
        let merge = |some: Found, others| Ok(some.merge(others, examples));
        let found = chunks.map(look).try_reduce(Found::default, merge)?;
        Ok(SectorChanges {
            sector,
            counts: tables.map(SectorTable::counts),
            changed: found.changed,
            other_depth: found.other_depth,
            examples: found.examples,
        })
    }
}

fn sectors_of(solution: &SectorSolution) -> Result<BTreeSet<Sector>> {
    Ok(solution.dir.sectors()?.into_iter().map(|file| file.sector).collect())
}

/// What two tables of a sector say differently in one chunk of slots.
fn look_at(tables: [&SectorTable; 2], chunk: u64, most: usize) -> Found {
    let index = &tables[0].index;
    let slots = chunk * CHUNK_SLOTS..index.num_slots().min((chunk + 1) * CHUNK_SLOTS);
    let mut found = Found::default();
    index.for_each(slots, |slot, _, _| {
        let depths = tables.map(|table| table.depth_at(slot));
        if depths[0] == depths[1] {
            return;
        }
        let Some(place) = Change::place(value_of(depths[0]), value_of(depths[1])) else {
            found.other_depth += 1;
            return;
        };
        found.changed[place] += 1;
        let soonest = depths.into_iter().flatten().min().unwrap_or(u16::MAX);
        let examples = &mut found.examples[place];
        if examples.len() < most || examples.last().is_some_and(|last| soonest < last.soonest) {
            let example = Example { soonest, sector: tables[0].sector, slot, depths };
            *examples = first_of(std::mem::take(examples), vec![example], most);
        }
    });
    found
}
