//! The state of a unit that is being solved: its tables, the destinations of their turns, and the greatest depth so
//! far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use nerode_games::morris::{Rules, Turn};
use rayon::prelude::*;

use super::targets::{Target, Targets, targets};
use crate::tables::index::{IndexMaker, SectorIndex};
use crate::tables::table::{SectorTable, SectorTables};
use nerode_solver::error::{Result, check_interrupt};

/// The number of memory words of codes that one task examines.
const CHUNK_WORDS: usize = 1 << 11;

/// One run over a unit with codes of one width.
pub(super) struct Work<'a> {
    pub(super) rules: &'a Rules,
    pub(super) tables: &'a [SectorTable],
    pub(super) targets: Vec<Targets<'a>>,
    /// For each table, the index of its positions with the sides exchanged, which enumerates them in the order of the
    /// other side's stones.
    pub(super) by_other: Vec<Arc<SectorIndex>>,
    /// The greatest depth that was written or did not fit.
    deepest: AtomicU16,
    pub(super) interrupt: &'a AtomicBool,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        tables: &'a [SectorTable],
        maker: &IndexMaker,
        known: &'a SectorTables,
        interrupt: &'a AtomicBool,
    ) -> Result<Self> {
        let targets =
            tables.iter().map(|table| targets(rules, tables, table.sector, known)).collect::<Result<_>>()?;
        let exchanged = |table: &SectorTable| {
            let mirrored = table.sector.mirrored();
            let same = tables
                .iter()
                .find(|other| (other.sector.own, other.sector.other) == (mirrored.own, mirrored.other));
            same.map_or_else(
                || Arc::new(maker.index(mirrored.own, mirrored.other)),
                |same| Arc::clone(&same.index),
            )
        };
        let by_other = tables.iter().map(exchanged).collect();
        Ok(Self { rules, tables, targets, by_other, deepest: AtomicU16::new(0), interrupt })
    }

    pub(super) fn most_depth(&self) -> u16 {
        self.tables.first().map_or(0, |table| table.codes.width().most_depth())
    }

    /// Returns the greatest depth that was written or did not fit.
    pub(super) fn deepest(&self) -> u16 {
        self.deepest.load(Ordering::Relaxed)
    }

    pub(super) fn check_interrupt(&self) -> Result<()> {
        check_interrupt(self.interrupt)
    }

    /// Records that `depth` was found. Returns `true` if it can be written.
    #[inline]
    pub(super) fn fits(&self, depth: u16) -> bool {
        if depth > self.deepest.load(Ordering::Relaxed) {
            self.deepest.fetch_max(depth, Ordering::Relaxed);
        }
        depth <= self.most_depth()
    }

    #[inline]
    pub(super) fn target(&self, which: usize, turn: Turn) -> Target<'a> {
        self.targets[which][usize::from(turn.from == 0)][turn.num_taken()]
    }

    /// Calls `f` with every slot of depth `level` of a primary sector. `begin` creates the state for each part of the
    /// slots.
    pub(super) fn at_level<T>(
        &self,
        which: usize,
        level: u16,
        begin: impl Fn() -> T + Sync,
        f: impl Fn(&mut T, u64) + Sync,
    ) {
        let codes = &self.tables[which].codes;
        let words = codes.num_words();
        (0..words.div_ceil(CHUNK_WORDS)).into_par_iter().for_each(|chunk| {
            let mut made = begin();
            let part = chunk * CHUNK_WORDS..words.min((chunk + 1) * CHUNK_WORDS);
            codes.find(part, level, |slot| f(&mut made, slot));
        });
    }

    /// Returns the primary sector from which quiet turns lead into `which`.
    pub(super) fn origin(&self, which: usize) -> usize {
        self.tables.len() - 1 - which
    }

    /// Returns the number of slots of a primary sector with `code`.
    pub(super) fn count(&self, which: usize, code: u16) -> u64 {
        let count = AtomicU64::new(0);
        let codes = &self.tables[which].codes;
        let words = codes.num_words();
        (0..words.div_ceil(CHUNK_WORDS)).into_par_iter().for_each(|chunk| {
            let mut found = 0;
            codes.find(chunk * CHUNK_WORDS..words.min((chunk + 1) * CHUNK_WORDS), code, |_| found += 1);
            count.fetch_add(found, Ordering::Relaxed);
        });
        count.into_inner()
    }
}
