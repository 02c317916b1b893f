//! Differences between two sets of rules on the same board: the values of the same positions, sector by sector (paper
//! 003, section 7).
//!
//! Invariant: both values come from files that were checked completely. The same files give the same counts and
//! examples for every number of threads.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use nerode_games::Value;
use rayon::prelude::*;

use super::tables::{Sector, SectorCounts, SectorSolution, SectorTable, value_of};
use nerode_solver::error::{Error, Result, check_interrupt};

/// The number of slots that one task examines.
const CHUNK_SLOTS: u64 = 1 << 16;

/// A change of value, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The value under the first rules.
    pub from: Value,
    /// The value under the second rules.
    pub to: Value,
}

impl Change {
    /// All changes, in the order of table 3 of the paper.
    pub const ALL: [Self; 6] = [
        Self { from: Value::Draw, to: Value::Loss },
        Self { from: Value::Draw, to: Value::Win },
        Self { from: Value::Loss, to: Value::Draw },
        Self { from: Value::Win, to: Value::Draw },
        Self { from: Value::Loss, to: Value::Win },
        Self { from: Value::Win, to: Value::Loss },
    ];

    /// Returns the index of the change in [`Change::ALL`], or `None` if the value stays the same.
    fn place(from: Value, to: Value) -> Option<usize> {
        Self::ALL.iter().position(|change| (change.from, change.to) == (from, to))
    }
}

/// A position whose value changes. Examples are ordered by how soon the game ends under either rules, the soonest
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// The number of plies to the end under the rules that end the game sooner.
    pub soonest: u16,
    /// The sector of the position.
    pub sector: Sector,
    /// The slot of the position in its sector.
    pub slot: u64,
    /// The number of plies to the end under both rules; `None` for draws.
    pub depths: [Option<u16>; 2],
}

/// The differences between two tables of one sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorChanges {
    /// The sector.
    pub sector: Sector,
    /// The counts under both rules.
    pub counts: [SectorCounts; 2],
    /// The number of positions up to symmetry whose value changes, indexed as [`Change::ALL`].
    pub changed: [u64; 6],
    /// The number of positions that keep their value but not their depth.
    pub other_depth: u64,
    /// The first examples of each change.
    pub examples: [Vec<Example>; 6],
}

/// The differences found in some of the slots.
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

/// Returns the first `most` elements of two sorted lists.
pub fn first_of(mut some: Vec<Example>, others: Vec<Example>, most: usize) -> Vec<Example> {
    some.extend(others);
    some.sort_unstable();
    some.truncate(most);
    some
}

/// Two directories of sectors with different rules for the same board.
#[derive(Debug)]
pub struct TwoRules {
    /// The first and the second directory.
    pub sides: [SectorSolution; 2],
    /// The sectors that exist in both.
    pub both: Vec<Sector>,
    /// The sectors that exist only in the first, and those that exist only in the second.
    pub only: [Vec<Sector>; 2],
}

impl TwoRules {
    /// Opens both directories and limits their tables to `memory` bytes in total.
    ///
    /// # Errors
    /// Returns the errors of [`SectorSolution::open`], or [`Error::Mismatch`] if the boards differ, the rules are the
    /// same, or the directories have no sector in common.
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
                format!("sectors on the board of {spec}"),
            );
        }
        if one.dir.game() == two.dir.game() {
            let found = format!("sectors of {other}, as in {}", first.display());
            return not_comparable(found, "another set of rules for the same board".into());
        }
        let [in_first, in_second] = [sectors_of(one)?, sectors_of(two)?];
        let both: Vec<Sector> = in_first.intersection(&in_second).copied().collect();
        if both.is_empty() {
            let expected = format!("at least one of the sectors in {}", first.display());
            return not_comparable("none".into(), expected);
        }
        let only = [&in_first - &in_second, &in_second - &in_first];
        Ok(Self { sides, both, only: only.map(|sectors| sectors.into_iter().collect()) })
    }

    /// Compares a sector that exists in both directories, and returns at most `examples` positions for each change.
    /// Runs on the threads of the current pool.
    ///
    /// *Cost*: one look-up for every slot of both tables.
    ///
    /// # Errors
    /// Returns the errors of [`SectorSolution::table`], or [`Error::Interrupted`].
    pub fn changes(&self, sector: Sector, examples: usize, interrupt: &AtomicBool) -> Result<SectorChanges> {
        let tables = [self.sides[0].table(sector)?, self.sides[1].table(sector)?];
        self.sides.iter().for_each(SectorSolution::forget);
        let tables = [&*tables[0], &*tables[1]];
        let chunks = (0..tables[0].index.num_slots().div_ceil(CHUNK_SLOTS)).into_par_iter();
        let look = |chunk| check_interrupt(interrupt).map(|()| look_at(tables, chunk, examples));
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

/// Compares two tables of a sector in one chunk of slots.
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
