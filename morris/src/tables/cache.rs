//! The cache of a directory of sectors: whole tables and single blocks, which together stay below a memory limit.
//!
//! If a table needs room, blocks are evicted first, because they are quick to read again. Tables that no caller holds
//! leave half of the memory to blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::file::{Block, Blocks};
use super::recent::Recent;
use super::sector::Sector;
use super::table::SectorTable;
use nerode_solver::error::{Error, Result};

/// One in this many blocks is evicted at a time, so that searching for the oldest blocks is rare.
const FORGOTTEN: u64 = 8;

/// The part of a directory of sectors that is in memory.
#[derive(Debug)]
pub(super) struct TableCache {
    memory: u64,
    tables: Recent<Sector, SectorTable>,
    blocks: Recent<(Sector, u64), Block>,
    opened: BTreeMap<Sector, Arc<Blocks>>,
}

impl TableCache {
    /// Creates an empty cache that will hold at most `memory` bytes of codes.
    pub(super) fn new(memory: u64) -> Self {
        Self { memory, tables: Recent::default(), blocks: Recent::default(), opened: BTreeMap::new() }
    }

    /// Returns the number of bytes of codes that may be in memory at once.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns the table of `sector` if it is cached.
    pub(super) fn table(&mut self, sector: Sector) -> Option<Arc<SectorTable>> {
        self.tables.get(sector)
    }

    /// Adds a table to the cache. There must be room for it.
    pub(super) fn keep_table(&mut self, sector: Sector, table: SectorTable) -> Arc<SectorTable> {
        let bytes = table.bytes();
        self.tables.keep(sector, Arc::new(table), bytes)
    }

    /// Makes room for the table of `sector`, which needs `more` bytes.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the table does not fit into memory together with the tables that callers hold.
    pub(super) fn room_for_table(&mut self, sector: Sector, more: u64) -> Result<()> {
        let room = self.memory.saturating_sub(more);
        self.blocks.shrink_to(room.saturating_sub(self.tables.bytes()));
        self.tables.shrink_to(room.saturating_sub(self.blocks.bytes()));
        self.must_fit(more, || format!("sector {sector} in addition to the sectors in use"))
    }

    /// Returns the blocks of the file of `sector` if it has been opened.
    pub(super) fn opened(&self, sector: Sector) -> Option<Arc<Blocks>> {
        self.opened.get(&sector).cloned()
    }

    /// Adds the block positions of `sector` to the cache.
    pub(super) fn keep_opened(&mut self, sector: Sector, blocks: Blocks) -> Arc<Blocks> {
        Arc::clone(self.opened.entry(sector).insert_entry(Arc::new(blocks)).get())
    }

    /// Returns the code of `slot` of `sector`, and whether its block had to be read.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the block does not fit into memory together with the tables that callers hold, or
    /// the errors of reading it.
    pub(super) fn code(&mut self, sector: Sector, from: &Blocks, slot: u64) -> Result<(Option<u16>, bool)> {
        let (at, code) = from.place_of(slot);
        if let Some(block) = self.blocks.get((sector, at)) {
            return Ok((block.get(code), false));
        }
        let more = from.bytes_of(at);
        self.room_for_block(sector, more)?;
        let block = self.blocks.keep((sector, at), Arc::new(from.read(at)?), more);
        Ok((block.get(code), true))
    }

    fn room_for_block(&mut self, sector: Sector, more: u64) -> Result<()> {
        if self.bytes().saturating_add(more) > self.memory {
            let room = self.memory.saturating_sub(more);
            self.tables.shrink_to(room / 2);
            let left = room.saturating_sub(self.tables.bytes());
            self.blocks.shrink_to(left - left / FORGOTTEN);
        }
        self.must_fit(more, || format!("a block of sector {sector} in addition to the sectors in use"))
    }

    fn bytes(&self) -> u64 {
        self.tables.bytes().saturating_add(self.blocks.bytes())
    }

    fn must_fit(&self, more: u64, what: impl FnOnce() -> String) -> Result<()> {
        let needed = more.saturating_add(self.bytes());
        if needed <= self.memory {
            return Ok(());
        }
        Err(Error::TooLarge { what: what(), needed_bytes: needed.into(), limit_bytes: self.memory })
    }
}
