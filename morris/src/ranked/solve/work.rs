//! The state of a unit that is being ranked: its tables, the destinations of their turns, and the queue of levels.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::targets::Targets;
use crate::ranked::keys::MOST_KEY;
use crate::ranked::table::{RankedTable, RankedTables};
use crate::tables::index::{IndexMaker, SectorIndex};
use nerode_solver::error::{Error, Result, check_interrupt};
use nerode_solver::outcome::rank::Pair;

/// The place of a value in the queue: values furthest from the sector's value come first, and then those with the
/// fewest plies.
pub(super) type Level = (Reverse<i32>, i32);

/// Returns the level of a value other than the sector's own.
#[inline]
pub(super) fn level_of((key1, key2): Pair) -> Level {
    (Reverse(key1.abs()), key2)
}

/// Slots by table of the unit, which has at most two.
pub(super) type Slots = [Vec<u32>; 2];

/// Slots that received a value, by level. A slot is in the list of every value that it ever had.
#[derive(Default)]
pub(super) struct Queue(BTreeMap<Level, Slots>);

impl Queue {
    pub(super) fn push(&mut self, which: usize, slot: u64, keys: Pair) {
        self.0.entry(level_of(keys)).or_default()[which].push(slot as u32);
    }

    pub(super) fn pop(&mut self) -> Option<(Level, Slots)> {
        self.0.pop_first()
    }

    #[must_use]
    pub(super) fn merged(mut self, other: Self) -> Self {
        for (level, slots) in other.0 {
            let here = self.0.entry(level).or_default();
            for (here, slots) in here.iter_mut().zip(slots) {
                here.extend(slots);
            }
        }
        self
    }
}

/// One run over a unit.
pub(super) struct Work<'a> {
    pub(super) rules: &'a Rules,
    pub(super) tables: &'a [RankedTable],
    pub(super) targets: Vec<Targets<'a>>,
    /// For each table, the index of its positions with the sides exchanged.
    pub(super) by_other: Vec<Arc<SectorIndex>>,
    pub(super) interrupt: &'a AtomicBool,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        tables: &'a [RankedTable],
        maker: &IndexMaker,
        known: &'a RankedTables,
        interrupt: &'a AtomicBool,
    ) -> Result<Self> {
        let targets = tables.iter().map(|table| Targets::new(rules, tables, table.sector(), known));
        let exchanged = |table: &RankedTable| {
            let mirrored = table.sector().mirrored();
            Arc::new(maker.index(mirrored.own, mirrored.other))
        };
        Ok(Self {
            rules,
            tables,
            targets: targets.collect::<Result<_>>()?,
            by_other: tables.iter().map(exchanged).collect(),
            interrupt,
        })
    }

    pub(super) fn check_interrupt(&self) -> Result<()> {
        check_interrupt(self.interrupt)
    }

    /// Returns the sector from which turns within the unit lead to `which`, and the other way round.
    pub(super) fn origin(&self, which: usize) -> usize {
        self.tables.len() - 1 - which
    }

    /// Returns the error for a number that does not fit.
    pub(super) fn too_deep(&self) -> Error {
        let names: Vec<String> = self.tables.iter().map(|table| table.sector().to_string()).collect();
        Error::TooDeep { what: format!("the ranks of unit {}", names.join(" ")), most: MOST_KEY as u64 }
    }
}
