//! What is in memory of a directory of sectors: whole tables, and blocks of others, together no more than a cap.
//!
//! Blocks go first where a table needs room: they are quick to read again. Tables that nobody holds leave half of the memory to blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::file::{Block, Blocks};
use super::recent::Recent;
use super::sector::Sector;
use super::table::SectorTable;
use nerode_solver::error::{Error, Result};

/// Of eight parts of the blocks one is forgotten at once, so that looking for the oldest is rare.
const FORGOTTEN: u64 = 8;

/// What is in memory of a directory of sectors.
#[derive(Debug)]
pub(super) struct Held {
    memory: u64,
    tables: Recent<Sector, SectorTable>,
    blocks: Recent<(Sector, u64), Block>,
    opened: BTreeMap<Sector, Arc<Blocks>>,
}

impl Held {
    /// Nothing; later at most `memory` bytes of codes.
    pub(super) fn new(memory: u64) -> Self {
        Self { memory, tables: Recent::default(), blocks: Recent::default(), opened: BTreeMap::new() }
    }

    /// Bytes of codes that may be in memory at once.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// The table of `sector`, if it is held.
    pub(super) fn table(&mut self, sector: Sector) -> Option<Arc<SectorTable>> {
        self.tables.get(sector)
    }

    /// Keeps a table, for which there is room.
    pub(super) fn keep_table(&mut self, sector: Sector, table: SectorTable) -> Arc<SectorTable> {
        let bytes = table.bytes();
        self.tables.keep(sector, Arc::new(table), bytes)
    }

    /// Makes room for the table of `sector`, of `more` bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when it does not fit beside the tables that somebody holds.
    pub(super) fn room_for_table(&mut self, sector: Sector, more: u64) -> Result<()> {
        let room = self.memory.saturating_sub(more);
        self.blocks.shrink_to(room.saturating_sub(self.tables.bytes()));
        self.tables.shrink_to(room.saturating_sub(self.blocks.bytes()));
        self.must_fit(more, || format!("sector {sector} beside the sectors in use"))
    }

    /// The file of `sector`, if its blocks are known.
    pub(super) fn opened(&self, sector: Sector) -> Option<Arc<Blocks>> {
        self.opened.get(&sector).cloned()
    }

    /// Keeps where the blocks of `sector` lie.
    pub(super) fn keep_opened(&mut self, sector: Sector, blocks: Blocks) -> Arc<Blocks> {
        Arc::clone(self.opened.entry(sector).insert_entry(Arc::new(blocks)).get())
    }

    /// The code of `slot` of `sector`, whose block is read if it is not held; and whether it was read.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when the block does not fit beside the tables that somebody holds; those of reading it.
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
        self.must_fit(more, || format!("a block of sector {sector} beside the sectors in use"))
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
