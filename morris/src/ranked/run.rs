//! Ranks work units one after the other in a directory of solved sectors.
//!
//! Invariant: a unit is ranked from files alone. Ranks that are on disk and were computed from the same sectors and
//! values are not computed again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use nerode_games::morris::Rules;

use super::check::check_sector;
use super::file::{self, Origin, path_of};
use super::solve::rank_unit;
use super::table::{RankedTable, RankedTables};
use crate::malom::SectorValues;
use crate::tables::file::digest_of;
use crate::tables::{IndexMaker, Seconds, Sector, SectorDir, SectorSolution, Unit, num_slots};
use nerode_solver::archive::files::remove_unfinished;
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;

/// The greatest number of bytes of memory that a slot of a ranked table needs: a depth of two bytes and both keys.
const SLOT_BYTES: u64 = 6;

/// Returns the number of bytes of memory needed to rank a unit, for its tables and those of the sectors that it leads
/// to.
pub fn bytes_to_rank(maker: &IndexMaker, rules: &Rules, unit: &Unit) -> u64 {
    let bytes_of = |sector: &Sector| num_slots(maker, rules, *sector) * SLOT_BYTES;
    unit.sectors().iter().chain(&unit.secondary(rules)).map(bytes_of).sum()
}

/// A ranked unit.
#[derive(Clone, Debug)]
pub struct UnitRanked {
    /// The unit.
    pub unit: Unit,
    /// The draws of its sectors by rank.
    pub draws: Vec<(Sector, BTreeMap<i32, u64>)>,
    /// The number of positions up to symmetry that were checked.
    pub checked: u64,
    /// The number of bytes of its files.
    pub bytes: u64,
    /// The time spent on each part of the work.
    pub seconds: Seconds,
    /// The number of finished units and the total number of units, within the request.
    pub progress: (usize, usize),
}

/// Ranks units in a directory.
pub struct Ranker<'a> {
    rules: &'a Rules,
    dir: &'a SectorDir,
    values: &'a SectorValues,
    maker: IndexMaker,
    resources: &'a Resources,
    known: RankedTables,
    checks: bool,
    mends: bool,
}

impl<'a> Ranker<'a> {
    /// Creates a ranker for the sectors in `dir` and their `values`, whose tables, threads, files and interruption are
    /// limited by `resources`.
    pub fn new(
        rules: &'a Rules,
        dir: &'a SectorDir,
        values: &'a SectorValues,
        resources: &'a Resources,
    ) -> Self {
        let maker = IndexMaker::new(&rules.board);
        let known = RankedTables::new();
        Self { rules, dir, values, maker, resources, known, checks: false, mends: false }
    }

    /// Sets whether every position is checked by forward turns ([`check_sector`]) before a sector is written.
    #[must_use]
    pub fn checking(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// Sets whether every existing file is read and damaged ones are computed again.
    #[must_use]
    pub fn mending(self, mends: bool) -> Self {
        Self { mends, ..self }
    }

    /// Returns `true` if the ranks of a unit are on disk, were computed from the current sectors and these values, and
    /// are checked if that is required.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::Corrupt`] if sectors of the unit are missing.
    pub fn has(&self, unit: &Unit) -> Result<bool> {
        for &sector in unit.sectors() {
            let (path, origin) = (path_of(self.dir, sector), self.origin(sector)?);
            if file::is_of(&path, &origin).is_none_or(|checked| self.checks && !checked) {
                return Ok(false);
            }
            let is_damaged = || matches!(file::read(&path, &origin), Err(Error::Corrupt { .. }));
            if self.mends && is_damaged() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn origin(&self, sector: Sector) -> Result<Origin> {
        Origin::of(self.dir, sector, num_slots(&self.maker, self.rules, sector), self.values)
    }

    /// Ranks the units in `units` whose ranks are not on disk, in order, and passes the summary of each to `watch`.
    ///
    /// # Errors
    /// Returns the errors of [`Ranker::rank`]. Finished units stay on disk, and the same call resumes the work.
    pub fn rank_all(&mut self, units: &[Unit], watch: &mut (dyn FnMut(&UnitRanked) + Send)) -> Result<()> {
        self.resources.pool()?.install(|| self.rank_missing(units, watch))
    }

    /// Ranks the units whose ranks are not on disk on the current pool of threads.
    fn rank_missing(&mut self, units: &[Unit], watch: &mut dyn FnMut(&UnitRanked)) -> Result<()> {
        let has = units.iter().map(|unit| self.has(unit)).collect::<Result<Vec<_>>>()?;
        for (at, unit) in units.iter().enumerate().filter(|(at, _)| !has[*at]) {
            self.resources.must_go_on()?;
            let done = self.rank_unit(unit)?;
            watch(&UnitRanked { progress: (at + 1, units.len()), ..done });
            let open = (at + 1..units.len()).filter(|&at| !has[at]);
            let needed: BTreeSet<Sector> = open.flat_map(|at| units[at].secondary(self.rules)).collect();
            self.known.retain(|sector, _| needed.contains(sector));
        }
        Ok(())
    }

    /// Ranks one unit from the ranked sectors on disk that it leads to, even if its own ranks are on disk.
    ///
    /// # Errors
    /// Returns the errors of [`rank_unit`], the errors of reading the sectors that the unit leads to,
    /// [`Error::Mismatch`] if a check fails, [`Error::TooLarge`] if the unit exceeds the memory limit,
    /// [`Error::DiskFull`], [`Error::BusyUnit`], or [`Error::Io`].
    pub fn rank(&mut self, unit: &Unit) -> Result<UnitRanked> {
        self.resources.pool()?.install(|| self.rank_unit(unit))
    }

    /// Ranks one unit on the current pool of threads.
    fn rank_unit(&mut self, unit: &Unit) -> Result<UnitRanked> {
        let _claim = self.dir.claim(unit)?;
        for &sector in unit.sectors() {
            remove_unfinished(self.dir.path(), &format!("{sector}.ranks"))?;
        }
        let (began, mut seconds) = (Instant::now(), Seconds::default());
        self.load_secondary(unit)?;
        let strong = |&sector: &Sector| self.dir.load(sector, &self.maker).map(Arc::new);
        let strong = unit.sectors().iter().map(strong).collect::<Result<Vec<_>>>()?;
        seconds.read = began.elapsed().as_secs_f64();
        let solving = Instant::now();
        let tables =
            rank_unit(self.rules, &strong, self.values, &self.maker, &self.known, &self.resources.interrupt)?;
        seconds.solve = solving.elapsed().as_secs_f64();
        self.keep(unit, tables, seconds)
    }

    /// Checks the tables of a unit if requested, and writes them.
    fn keep(&mut self, unit: &Unit, tables: Vec<RankedTable>, mut seconds: Seconds) -> Result<UnitRanked> {
        let tables: Vec<Arc<RankedTable>> = tables.into_iter().map(Arc::new).collect();
        let checking = Instant::now();
        let checked = if self.checks { self.check(&tables)? } else { 0 };
        if self.checks {
            seconds.check = checking.elapsed().as_secs_f64();
        }
        let writing = Instant::now();
        let (mut draws, mut bytes) = (Vec::new(), 0);
        for table in tables {
            let sector = table.sector();
            self.resources.disk.must_hold(self.dir.path(), table.keys.bytes())?;
            bytes += file::write(&path_of(self.dir, sector), self.origin(sector)?, &table, self.checks)?;
            draws.push((sector, table.draws_by_rank()));
            self.known.insert(sector, table);
        }
        seconds.write = writing.elapsed().as_secs_f64();
        Ok(UnitRanked { unit: unit.clone(), draws, checked, bytes, seconds, progress: (1, 1) })
    }

    /// Checks every position of `tables` against the positions that its turns lead to. Returns the number of positions up to symmetry.
    fn check(&self, tables: &[Arc<RankedTable>]) -> Result<u64> {
        let mut known = self.known.clone();
        known.extend(tables.iter().map(|table| (table.sector(), Arc::clone(table))));
        let mut checked = 0;
        for table in tables {
            let report = check_sector(self.rules, table, &self.maker, &known, &self.resources.interrupt)?;
            if let Some(first) = report.first_mismatch {
                return Err(Error::Mismatch {
                    what: format!("the ranks of sector {}", table.sector()),
                    found: format!("{} that do not ({first})", report.mismatches),
                    expected: "positions that agree with their turns".into(),
                });
            }
            checked += table.strong.counts().num_positions;
        }
        Ok(checked)
    }

    /// Loads the sectors that `unit` leads to. Evicts other sectors if memory runs short.
    fn load_secondary(&mut self, unit: &Unit) -> Result<()> {
        let secondary = unit.secondary(self.rules);
        let needed = bytes_to_rank(&self.maker, self.rules, unit);
        if needed > self.resources.memory {
            return Err(Error::TooLarge {
                what: format!("ranking unit {} with the sectors that it leads to", unit.first()),
                needed_bytes: needed.into(),
                limit_bytes: self.resources.memory,
            });
        }
        let others = self.known.iter().filter(|(sector, _)| !secondary.contains(sector));
        if needed + others.map(|(_, table)| table.bytes()).sum::<u64>() > self.resources.memory {
            self.known.retain(|sector, _| secondary.contains(sector));
        }
        for sector in secondary {
            if !self.known.contains_key(&sector) {
                self.resources.must_go_on()?;
                let table = load(self.dir, sector, self.rules, self.values, &self.maker)?;
                self.known.insert(sector, Arc::new(table));
            }
        }
        Ok(())
    }
}

/// Reads a ranked sector of `dir`.
///
/// # Errors
/// Returns [`Error::MissingSector`] if it does not exist or is not ranked, or the errors of reading it.
pub fn load(
    dir: &SectorDir,
    sector: Sector,
    rules: &Rules,
    values: &SectorValues,
    maker: &IndexMaker,
) -> Result<RankedTable> {
    must_have(dir, sector)?;
    let origin = Origin::of(dir, sector, num_slots(maker, rules, sector), values)?;
    let keys = file::read(&path_of(dir, sector), &origin)?;
    RankedTable::with_keys(Arc::new(dir.load(sector, maker)?), keys, values)
}

/// Returns a digest of the data from which the ultra-strong file of `sector` is created: the sector and all sectors
/// that its turns lead to, with their ranks. *Cost*: reads the last bytes of each file.
///
/// # Errors
/// Returns [`Error::MissingSector`], [`Error::Io`], or [`Error::Corrupt`] if a file is too short to contain a digest.
pub fn digest_with_ranks(solution: &SectorSolution, sector: Sector) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(solution.digest(sector)?.as_bytes());
    for sector in std::iter::once(sector).chain(sector.children(&solution.rules)) {
        let path = path_of(&solution.dir, sector);
        must_have(&solution.dir, sector)?;
        hasher.update(&digest_of(&path)?);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Loads `sector` of `solution` and all sectors that its turns lead to, with their ranks.
///
/// # Errors
/// Returns the errors of [`load`].
pub fn load_with_children(
    solution: &SectorSolution,
    values: &SectorValues,
    sector: Sector,
) -> Result<RankedTables> {
    let sectors = sector.children(&solution.rules).into_iter().chain([sector]);
    let load = |sector| load(&solution.dir, sector, &solution.rules, values, solution.maker());
    sectors.map(|sector| Ok((sector, Arc::new(load(sector)?)))).collect()
}

/// Checks that a sector and its ranks are in `dir`.
fn must_have(dir: &SectorDir, sector: Sector) -> Result<()> {
    if path_of(dir, sector).is_file() && dir.file(sector).is_file() {
        return Ok(());
    }
    let folder = Some(dir.path().into());
    Err(Error::MissingSector { sector: format!("{sector} with ranks"), needed_by: None, folder })
}
