//! Values of single positions from a directory of sectors.
//!
//! Invariant: an answer comes from a file that was checked whole.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use nerode_games::morris::{Rules, State, rules_of};
use nerode_games::{Game, Side, Value};

use super::dir::SectorDir;
use super::file::{GameName, code_bytes, digest_of};
use super::index::IndexMaker;
use super::recent::Recent;
use super::sector::Sector;
use super::table::{SectorTable, SectorTables, value_of};
use crate::error::{Error, Result};

/// A directory of sectors that answers.
#[derive(Debug)]
pub struct SectorSolution {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Its rules.
    pub rules: Rules,
    /// The directory.
    pub dir: SectorDir,
    maker: IndexMaker,
    memory: u64,
    known: Mutex<Recent<SectorTable>>,
    loads: AtomicU64,
}

/// The game that `spec` names, its rules, and how files name it.
///
/// # Errors
/// [`Error::Game`] for a spec that is no game of the family `morris`.
pub fn named_game(spec: &str) -> Result<(Arc<dyn Game>, Rules, GameName)> {
    let (game, rules) = rules_of(spec)?;
    let name = GameName { spec: game.spec(), fingerprint: game.fingerprint() };
    Ok((game, rules, name))
}

impl SectorSolution {
    /// Opens a directory of sectors; they are read when they are asked for.
    ///
    /// # Errors
    /// Those of [`SectorDir::open`]; [`Error::WrongRules`] when it was made under other rules of the same name.
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
            memory: u64::MAX,
            known: Mutex::default(),
            loads: AtomicU64::new(0),
        })
    }

    /// The same with at most `memory` bytes of tables at once. Where memory is short, tables that nobody holds are forgotten, those first
    /// that were not used for longest.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Bytes of tables that may be in memory at once.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Bytes that a sector and all sectors that its turns lead to take in memory. *Cost*: reads the headers of their files.
    ///
    /// # Errors
    /// [`Error::MissingSector`]; those of reading a header.
    pub fn bytes_with_children(&self, sector: Sector) -> Result<u64> {
        let mut sectors = sector.children(&self.rules);
        sectors.insert(sector);
        let bytes = |sector: Sector| self.must_have(sector).and_then(|()| code_bytes(&self.dir.file(sector)));
        sectors.into_iter().map(bytes).sum()
    }

    /// The index of every sector of the game.
    pub fn maker(&self) -> &IndexMaker {
        &self.maker
    }

    /// A sector on disk. It is read once, unless it was forgotten for want of memory.
    ///
    /// # Errors
    /// [`Error::MissingSector`] when it is not there; [`Error::TooLarge`] when it does not fit beside the tables in use; those of
    /// reading it.
    pub fn table(&self, sector: Sector) -> Result<Arc<SectorTable>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = known.get(sector) {
            return Ok(table);
        }
        self.must_have(sector)?;
        self.make_room(&mut known, sector)?;
        let table = Arc::new(self.dir.load(sector, &self.maker)?);
        self.loads.fetch_add(1, Ordering::Relaxed);
        let bytes = table.bytes();
        Ok(known.keep(sector, table, bytes))
    }

    /// Checks that the file of a sector is there.
    ///
    /// # Errors
    /// [`Error::MissingSector`].
    pub fn must_have(&self, sector: Sector) -> Result<()> {
        if self.dir.file(sector).is_file() {
            return Ok(());
        }
        let folder = Some(self.dir.path().into());
        Err(Error::MissingSector { sector: sector.to_string(), needed_by: None, folder })
    }

    /// Forgets tables that nobody holds, as far as `sector` needs their room.
    fn make_room(&self, known: &mut Recent<SectorTable>, sector: Sector) -> Result<()> {
        let more = code_bytes(&self.dir.file(sector))?;
        known.shrink_to(self.memory.saturating_sub(more));
        let needed = more.saturating_add(known.bytes());
        if needed > self.memory {
            let what = format!("sector {sector} beside the sectors in use");
            return Err(Error::TooLarge { what, needed_bytes: needed.into(), limit_bytes: self.memory });
        }
        Ok(())
    }

    /// How often a sector was read from disk so far.
    pub fn loads(&self) -> u64 {
        self.loads.load(Ordering::Relaxed)
    }

    /// Value for the side to move and depth in plies, which draws have none of.
    ///
    /// # Errors
    /// Those of [`SectorSolution::table`]; [`Error::MissingSector`] for more stones than the board has points.
    pub fn get(&self, state: State) -> Result<(Value, Option<u16>)> {
        if let Some(value) = state.decided_by_stones() {
            return Ok((value, Some(0)));
        }
        let depth = self.table(Sector::of(state))?.depth(state);
        Ok((value_of(depth), depth))
    }

    /// [`SectorSolution::get`] for a board of the game.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// When the board has fewer cells than the game.
    pub fn get_board(&self, board: &[u8], side: Side) -> Result<(Value, Option<u16>)> {
        self.get(self.rules.state_of(board, side))
    }

    /// `table` and all sectors that its turns lead to.
    ///
    /// # Errors
    /// Those of [`SectorSolution::table`].
    pub fn with_children(&self, sector: Sector) -> Result<(Arc<SectorTable>, SectorTables)> {
        let table = self.table(sector)?;
        let children = sector.children(&self.rules).into_iter();
        let known = children.map(|child| Ok((child, self.table(child)?))).collect::<Result<_>>()?;
        Ok((table, known))
    }

    /// A digest of the rules, of `sector` and of all sectors that its turns lead to. *Cost*: the last bytes of each file.
    ///
    /// # Errors
    /// [`Error::MissingSector`]; [`Error::Io`]; [`Error::Corrupt`] for a file that is too short to have a digest.
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

    /// Forgets the sectors read so far.
    pub fn forget(&self) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Recent::default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::morris::tables::{Runner, SectorFile, plan};

    #[test]
    fn tables_are_forgotten_where_memory_is_short_and_refused_where_they_are_held() {
        let folder = tempfile::tempdir().unwrap();
        let (_, rules, name) = named_game("morris:six").unwrap();
        let dir = SectorDir::create(folder.path(), name, "").unwrap();
        let never = AtomicBool::new(false);
        let units = plan(&rules, &["4-3-0-0".parse().unwrap()]).unwrap();
        Runner::new(&rules, &dir, u64::MAX, &never).solve_all(&units, &mut |_| ()).unwrap();
        let files = dir.sectors().unwrap();
        let bytes_of = |file: &SectorFile| code_bytes(&file.path).unwrap();
        let most = files.iter().map(bytes_of).max().unwrap();
        let solution = SectorSolution::open(folder.path()).unwrap().with_memory(most);
        assert!(files.len() > 2);
        for file in &files {
            assert_eq!(solution.table(file.sector).unwrap().sector, file.sector);
        }
        let [first, second] = ["4-3-0-0", "3-4-0-0"].map(|name| name.parse().unwrap());
        let held = solution.table(first).unwrap();
        let refused = solution.table(second).unwrap_err();
        assert!(matches!(refused, Error::TooLarge { limit_bytes, .. } if limit_bytes == most), "{refused}");
        drop(held);
        solution.table(second).unwrap();
    }
}
