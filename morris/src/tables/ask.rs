//! Values of single positions, read from a directory of sectors.
//!
//! Invariant: an answer comes from a file that was checked completely.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nerode_games::morris::{Rules, State};
use nerode_games::{Game, Side, Value};

use super::cache::TableCache;
use super::dir::SectorDir;
use super::file::{Blocks, code_bytes, digest_of};
use super::index::IndexMaker;
use super::name::named_game;
use super::sector::Sector;
use super::table::{SectorTable, SectorTables, value_of};
use nerode_solver::archive::files::damaged_or;
use nerode_solver::error::{Error, Result};

/// A directory of sectors, opened for look-ups.
#[derive(Debug)]
pub struct SectorSolution {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The rules of the game.
    pub rules: Rules,
    /// The directory.
    pub dir: SectorDir,
    maker: IndexMaker,
    cache: Mutex<TableCache>,
    loads: AtomicU64,
}

impl SectorSolution {
    /// Opens a directory of sectors. The sectors are read on demand.
    ///
    /// # Errors
    /// Returns the errors of [`SectorDir::open`], or [`Error::WrongRules`] if the directory was created under other
    /// rules of the same name.
    pub fn open(path: &Path) -> Result<Self> {
        let dir = SectorDir::open(path)?;
        let (game, rules, name) = named_game(&dir.game().spec)?;
        if name != *dir.game() {
            return Err(Error::WrongRules {
                path: path.into(),
                found: dir.game().fingerprint.clone(),
                expected: name.fingerprint,
            });
        }
        let maker = IndexMaker::new(&rules.board);
        Ok(Self {
            game,
            rules,
            dir,
            maker,
            cache: Mutex::new(TableCache::new(u64::MAX)),
            loads: AtomicU64::new(0),
        })
    }

    /// Limits the sectors in memory to `memory` bytes, starting with an empty cache. If memory runs short, evicts the
    /// least recently used sectors that no caller holds.
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.limit_memory(memory);
        self
    }

    pub(crate) fn limit_memory(&mut self, memory: u64) {
        self.cache = Mutex::new(TableCache::new(memory));
    }

    /// Returns the number of bytes of sectors that may be in memory at once.
    pub fn memory(&self) -> u64 {
        self.cache().memory()
    }

    fn cache(&self) -> MutexGuard<'_, TableCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of bytes that a sector and all sectors that its turns lead to occupy in memory. *Cost*: reads
    /// the headers of their files.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`] or the errors of reading a header.
    pub fn bytes_with_children(&self, sector: Sector) -> Result<u64> {
        let mut sectors = sector.children(&self.rules);
        sectors.insert(sector);
        let bytes = |sector: Sector| self.must_have(sector).and_then(|()| code_bytes(&self.dir.file(sector)));
        sectors.into_iter().map(bytes).sum()
    }

    /// Returns the index maker for all sectors of the game.
    pub fn maker(&self) -> &IndexMaker {
        &self.maker
    }

    /// Returns a sector that is on disk. Reads it only once unless it is evicted from memory.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`] if the sector is not on disk, [`Error::TooLarge`] if it does not fit into
    /// memory together with the tables in use, or the errors of reading it.
    pub fn table(&self, sector: Sector) -> Result<Arc<SectorTable>> {
        let mut cache = self.cache();
        if let Some(table) = cache.table(sector) {
            return Ok(table);
        }
        self.must_have(sector)?;
        let file = self.dir.file(sector);
        // A damaged header may claim any number of slots.
        cache.room_for_table(sector, code_bytes(&file)?).map_err(|error| damaged_or(&file, error))?;
        let table = self.dir.load(sector, &self.maker)?;
        self.loads.fetch_add(1, Ordering::Relaxed);
        Ok(cache.keep_table(sector, table))
    }

    /// Checks that the file of a sector exists.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`] if it does not.
    pub fn must_have(&self, sector: Sector) -> Result<()> {
        if self.dir.file(sector).is_file() {
            return Ok(());
        }
        let folder = Some(self.dir.path().into());
        Err(Error::MissingSector { sector: sector.to_string(), needed_by: None, folder })
    }

    /// Returns how many sectors or blocks of sectors have been read from disk so far.
    pub fn loads(&self) -> u64 {
        self.loads.load(Ordering::Relaxed)
    }

    /// Returns the value for the side to move, and the depth in plies unless the position is a draw.
    ///
    /// *Cost*: reads a block of the sector if the sector is not in memory. The first look-up in a sector reads the
    /// whole file in order to check it.
    ///
    /// # Errors
    /// Returns the errors of [`SectorSolution::table`], or [`Error::MissingSector`] if there are more stones than
    /// points on the board.
    pub fn get(&self, state: State) -> Result<(Value, Option<u16>)> {
        if let Some(value) = state.decided_by_stones() {
            return Ok((value, Some(0)));
        }
        let sector = Sector::of(state);
        let mut cache = self.cache();
        if let Some(table) = cache.table(sector) {
            drop(cache);
            let depth = table.depth(state);
            return Ok((value_of(depth), depth));
        }
        let blocks = self.blocks(&mut cache, sector)?;
        drop(cache);
        let depth = self.depth_in(&blocks, sector, state)?;
        Ok((value_of(depth), depth))
    }

    /// Returns the positions of the blocks of a sector in its file. *Cost*: the first call reads the file in order to
    /// check it.
    fn blocks(&self, cache: &mut TableCache, sector: Sector) -> Result<Arc<Blocks>> {
        if let Some(blocks) = cache.opened(sector) {
            return Ok(blocks);
        }
        self.must_have(sector)?;
        let path = self.dir.file(sector);
        Ok(cache.keep_opened(sector, Blocks::open(&path, self.dir.game(), sector, &self.maker)?))
    }

    /// Returns the depth of a state from a block of its sector.
    fn depth_in(&self, blocks: &Blocks, sector: Sector, state: State) -> Result<Option<u16>> {
        // The slot is computed before the lock is taken, because this takes longer than a look-up in a cached block.
        let slot = blocks.index().slot(state.own, state.other);
        let (code, was_read) = self.cache().code(sector, blocks, slot)?;
        self.loads.fetch_add(was_read.into(), Ordering::Relaxed);
        match code.filter(|&code| code != blocks.width().hole()) {
            Some(code) => Ok((code < blocks.width().open()).then_some(code)),
            None => Err(Error::corrupt(self.dir.file(sector), format!("slot {slot} has no value"))),
        }
    }

    /// Looks up a board of the game, as [`SectorSolution::get`] does.
    ///
    /// # Errors
    /// Returns the same errors as [`SectorSolution::get`].
    ///
    /// # Panics
    /// Panics if the board has fewer cells than the game.
    pub fn get_board(&self, board: &[u8], side: Side) -> Result<(Value, Option<u16>)> {
        self.get(self.rules.state_of(board, side))
    }

    /// Returns the table of `sector` and those of all sectors that its turns lead to.
    ///
    /// # Errors
    /// Returns the errors of [`SectorSolution::table`].
    pub fn with_children(&self, sector: Sector) -> Result<(Arc<SectorTable>, SectorTables)> {
        let table = self.table(sector)?;
        let children = sector.children(&self.rules).into_iter();
        let known = children.map(|child| Ok((child, self.table(child)?))).collect::<Result<_>>()?;
        Ok((table, known))
    }

    /// Returns a digest of the rules, of `sector` and of all sectors that its turns lead to. *Cost*: reads the last
    /// bytes of each file.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`], [`Error::Io`], or [`Error::Corrupt`] if a file is too short to contain a
    /// digest.
    pub fn digest(&self, sector: Sector) -> Result<String> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.dir.game().fingerprint.as_bytes());
        for sector in std::iter::once(sector).chain(sector.children(&self.rules)) {
            self.must_have(sector)?;
            hasher.update(sector.to_string().as_bytes());
            hasher.update(&digest_of(&self.dir.file(sector))?);
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Evicts all sectors read so far.
    pub fn forget(&self) {
        let mut cache = self.cache();
        *cache = TableCache::new(cache.memory());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{SectorFile, SectorSolve};
    use nerode_solver::solve::resources::Resources;

    fn solved(spec: &str, root: &str, path: &Path) -> SectorDir {
        let solve = SectorSolve::open(spec).unwrap().of(vec![root.parse().unwrap()]).unwrap();
        solve.solve_into(path, &Resources::default(), &mut |_| ()).unwrap()
    }

    #[test]
    fn tables_are_evicted_unless_callers_hold_them() {
        let folder = tempfile::tempdir().unwrap();
        let dir = solved("morris:six", "4-3-0-0", folder.path());
        let files = dir.sectors().unwrap();
        let bytes_of = |file: &SectorFile| code_bytes(&file.path).unwrap();
        let most = files.iter().map(bytes_of).max().unwrap();
        let solution = SectorSolution::open(folder.path()).unwrap().with_memory(most);
        assert!(files.len() > 2);
        for file in &files {
            assert_eq!(solution.table(file.sector).unwrap().sector, file.sector);
        }
        let [first, second] = ["4-3-0-0", "3-4-0-0"].map(|name| name.parse().unwrap());
        let cache = solution.table(first).unwrap();
        let refused = solution.table(second).unwrap_err();
        assert!(matches!(refused, Error::TooLarge { limit_bytes, .. } if limit_bytes == most), "{refused}");
        drop(cache);
        solution.table(second).unwrap();
    }

    /// Compares every position of each sector, read by blocks with almost no memory.
    #[test]
    fn single_positions_need_no_more_than_a_block() {
        let folder = tempfile::tempdir().unwrap();
        let dir = solved("morris:nine", "4-4-0-0", folder.path());
        let (whole, files) = (SectorSolution::open(folder.path()).unwrap(), dir.sectors().unwrap());
        let bytes = files.iter().map(|file| code_bytes(&file.path).unwrap()).max().unwrap();
        let memory = (crate::tables::file::BLOCK_BYTES * 2) as u64;
        assert!(bytes > 2 * memory);
        let by_blocks = SectorSolution::open(folder.path()).unwrap().with_memory(memory);
        for file in &files {
            let table = whole.table(file.sector).unwrap();
            for slot in (0..table.codes.num_slots()).step_by(7) {
                if table.codes.get(slot) == table.codes.width().hole() {
                    continue;
                }
                let state = table.state(slot);
                let expected = match state.decided_by_stones() {
                    Some(value) => (value, Some(0)),
                    None => (value_of(table.depth(state)), table.depth(state)),
                };
                assert_eq!(by_blocks.get(state).unwrap(), expected, "{slot} of {}", file.sector);
            }
        }
        let cache = by_blocks.cache();
        assert!(by_blocks.loads() > 4 * files.len() as u64 && cache.memory() == memory);
        drop(cache);
        let none = SectorSolution::open(folder.path()).unwrap().with_memory(1000);
        let state = whole.table("4-4-0-0".parse().unwrap()).unwrap().state(0);
        assert!(matches!(none.get(state), Err(Error::TooLarge { .. })));
    }
}
