//! Solves work units one after the other into a directory of sectors. The same code solves a whole game on one machine
//! and single units assigned by a scheduler.
//!
//! Invariant: a unit is solved from files alone, so that it does not matter which process created them. Units that are
//! on disk are not solved again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use nerode_games::morris::Rules;

use super::check::check_sector;
use super::dir::SectorDir;
use super::index::{IndexMaker, binomial};
use super::sector::{Sector, Unit};
use super::solve::solve_unit;
use super::table::{SectorCounts, SectorTable, SectorTables};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;

/// The seconds spent on each part of the work on a unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seconds {
    /// Reading the sectors that the unit depends on.
    pub read: f64,
    /// Solving.
    pub solve: f64,
    /// Checking by forward play, if requested.
    pub check: f64,
    /// Writing.
    pub write: f64,
}

impl Seconds {
    /// Returns the total.
    pub fn total(&self) -> f64 {
        self.read + self.solve + self.check + self.write
    }
}

/// A solved unit.
#[derive(Clone, Debug)]
pub struct UnitDone {
    /// The unit.
    pub unit: Unit,
    /// The counts of its sectors.
    pub counts: Vec<(Sector, SectorCounts)>,
    /// The number of bytes of its files.
    pub bytes: u64,
    /// The time spent on each part of the work.
    pub seconds: Seconds,
    /// The number of finished units and the total number of units, within the request.
    pub progress: (usize, usize),
}

/// Solves units into a directory.
pub struct Runner<'a> {
    rules: &'a Rules,
    dir: &'a SectorDir,
    maker: IndexMaker,
    resources: &'a Resources,
    known: SectorTables,
    /// Sectors that are solved although their files exist.
    again: BTreeSet<Sector>,
    /// Whether every position is checked before a sector is written.
    checks: bool,
    /// Called for every unit before it is solved.
    announce: Option<&'a (dyn Fn(&Unit) + Sync)>,
}

/// Returns the number of slots of a sector, including holes.
///
/// *Cost*: counts the symmetry classes of the sector's own stones, unless this has been done before.
pub fn num_slots(maker: &IndexMaker, rules: &Rules, sector: Sector) -> u64 {
    let classes = maker.num_classes(sector.own) as u64;
    let free = rules.board.num_points() - usize::from(sector.own);
    classes * binomial(free, usize::from(sector.other))
}

/// Returns the number of bytes of memory needed to solve a unit, including the sectors that it leads to.
///
/// *Cost*: as for [`num_slots`].
pub fn bytes_to_solve(maker: &IndexMaker, rules: &Rules, unit: &Unit) -> u64 {
    let bytes_of = |sector: &Sector| num_slots(maker, rules, *sector);
    let own: u64 = unit.sectors().iter().map(bytes_of).map(|slots| slots + slots / 8).sum();
    own + unit.secondary(rules).iter().map(bytes_of).sum::<u64>()
}

impl<'a> Runner<'a> {
    /// Creates a runner whose tables, threads, files and interruption are limited by `resources`.
    pub fn new(rules: &'a Rules, dir: &'a SectorDir, resources: &'a Resources) -> Self {
        Self {
            rules,
            dir,
            maker: IndexMaker::new(&rules.board),
            resources,
            known: SectorTables::new(),
            again: BTreeSet::new(),
            checks: false,
            announce: None,
        }
    }

    /// Solves `sectors` again although their files exist, because the files are damaged.
    #[must_use]
    pub fn again(self, sectors: BTreeSet<Sector>) -> Self {
        Self { again: sectors, ..self }
    }

    /// Sets whether every position is checked by forward play ([`check_sector`]) before a sector is written, while all
    /// sectors that its turns lead to are in memory. [`Runner::solve_all`] then also checks sectors on disk that have
    /// not been checked.
    #[must_use]
    pub fn checking(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// Calls `announce` for every unit before it is solved.
    #[must_use]
    pub fn announcing(self, announce: &'a (dyn Fn(&Unit) + Sync)) -> Self {
        Self { announce: Some(announce), ..self }
    }

    /// Announces that work on `unit` begins.
    fn begin(&self, unit: &Unit) {
        if let Some(announce) = self.announce {
            announce(unit);
        }
    }

    /// Returns `true` if a unit is solved and its files are intact.
    fn has(&self, unit: &Unit) -> bool {
        self.dir.has(unit) && !unit.sectors().iter().any(|sector| self.again.contains(sector))
    }

    /// Returns the index maker for all sectors of the game.
    pub fn maker(&self) -> &IndexMaker {
        &self.maker
    }

    /// Solves the units in `units` that are not on disk, in order, and passes the summary of each to `watch`. Units on
    /// disk are skipped.
    ///
    /// # Errors
    /// Returns the errors of [`Runner::solve`]. Finished units stay on disk, and the same call resumes the work.
    pub fn solve_all(&mut self, units: &[Unit], watch: &mut (dyn FnMut(&UnitDone) + Send)) -> Result<()> {
        self.resources.pool()?.install(|| self.solve_missing(units, watch))
    }

    /// Solves the units that are not on disk on the current pool of threads.
    fn solve_missing(&mut self, units: &[Unit], watch: &mut dyn FnMut(&UnitDone)) -> Result<()> {
        for (at, unit) in units.iter().enumerate() {
            self.resources.must_go_on()?;
            let done = if !self.has(unit) {
                Some(self.solve_unit(unit)?)
            } else if self.checks && !self.dir.is_checked(unit)? {
                Some(self.check_stored(unit)?)
            } else {
                None
            };
            if let Some(done) = done {
                watch(&UnitDone { progress: (at + 1, units.len()), ..done });
            }
            let needed: BTreeSet<Sector> = units[at + 1..]
                .iter()
                .filter(|u| self.checks || !self.has(u))
                .flat_map(|u| u.secondary(self.rules))
                .collect();
            self.known.retain(|sector, _| needed.contains(sector));
        }
        Ok(())
    }

    /// Solves one unit from the sectors on disk that it leads to, even if the unit itself is on disk.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`] if one of those sectors is missing, the errors of reading them,
    /// [`Error::Mismatch`] if a check fails, [`Error::TooLarge`] if the unit and the sectors that it leads to exceed
    /// the memory limit, [`Error::DiskFull`], [`Error::BusyUnit`] if another process is working on the unit,
    /// [`Error::Interrupted`], or [`Error::Io`].
    pub fn solve(&mut self, unit: &Unit) -> Result<UnitDone> {
        self.resources.pool()?.install(|| self.solve_unit(unit))
    }

    /// Solves one unit on the current pool of threads.
    fn solve_unit(&mut self, unit: &Unit) -> Result<UnitDone> {
        let _claim = self.dir.claim(unit)?;
        self.begin(unit);
        let (began, mut seconds) = (Instant::now(), Seconds::default());
        self.must_have_room(unit)?;
        self.load_secondary(unit)?;
        seconds.read = began.elapsed().as_secs_f64();
        let solving = Instant::now();
        let tables = solve_unit(self.rules, unit, &self.maker, &self.known, &self.resources.interrupt)?;
        seconds.solve = solving.elapsed().as_secs_f64();
        self.keep(unit, tables.into_iter().map(Arc::new).collect(), seconds)
    }

    /// Checks a unit that is on disk, and records in its files that it was checked.
    fn check_stored(&mut self, unit: &Unit) -> Result<UnitDone> {
        let _claim = self.dir.claim(unit)?;
        self.begin(unit);
        let began = Instant::now();
        self.load_secondary(unit)?;
        let load = |&sector: &Sector| self.load(sector, unit).map(Arc::new);
        let tables = unit.sectors().iter().map(load).collect::<Result<_>>()?;
        self.keep(unit, tables, Seconds { read: began.elapsed().as_secs_f64(), ..Seconds::default() })
    }

    /// Checks the tables of a unit if requested, and writes them.
    fn keep(&mut self, unit: &Unit, tables: Vec<Arc<SectorTable>>, mut seconds: Seconds) -> Result<UnitDone> {
        let checking = Instant::now();
        if self.checks {
            self.check(&tables)?;
            seconds.check = checking.elapsed().as_secs_f64();
        }
        let writing = Instant::now();
        let (mut counts, mut bytes) = (Vec::new(), 0);
        for table in tables {
            bytes += self.dir.store(&table, self.checks)?;
            self.again.remove(&table.sector);
            counts.push((table.sector, table.counts()));
            self.known.insert(table.sector, table);
        }
        seconds.write = writing.elapsed().as_secs_f64();
        Ok(UnitDone { unit: unit.clone(), counts, bytes, seconds, progress: (1, 1) })
    }

    /// Checks every position of `tables` against the positions that its turns lead to.
    fn check(&self, tables: &[Arc<SectorTable>]) -> Result<()> {
        let mut known = self.known.clone();
        known.extend(tables.iter().map(|table| (table.sector, Arc::clone(table))));
        for table in tables {
            let report = check_sector(self.rules, table, &self.maker, &known, &self.resources.interrupt)?;
            if let Some(first) = report.first_mismatch {
                return Err(Error::Mismatch {
                    what: format!("sector {}", table.sector),
                    found: format!("{} that do not ({first})", report.mismatches),
                    expected: "positions that agree with their turns".into(),
                });
            }
        }
        Ok(())
    }

    /// Rejects a unit whose files would not fit on the disk. Assumes one byte for each slot, because it is not yet
    /// known whether depths need two.
    fn must_have_room(&self, unit: &Unit) -> Result<()> {
        let slots: u64 =
            unit.sectors().iter().map(|sector| num_slots(&self.maker, self.rules, *sector)).sum();
        self.resources.disk.must_hold(self.dir.path(), slots)
    }

    /// Loads the sectors that `unit` leads to, and keeps others in memory as far as they fit.
    fn load_secondary(&mut self, unit: &Unit) -> Result<()> {
        let secondary = unit.secondary(self.rules);
        let needed = bytes_to_solve(&self.maker, self.rules, unit);
        if needed > self.resources.memory {
            return Err(Error::TooLarge {
                what: tables_of(unit, secondary.len()),
                needed_bytes: needed.into(),
                limit_bytes: self.resources.memory,
            });
        }
        let mut held = needed;
        let others: BTreeMap<Sector, u64> = self
            .known
            .iter()
            .map(|(&s, table)| (s, table.bytes()))
            .filter(|(s, _)| !secondary.contains(s))
            .collect();
        for (sector, bytes) in others {
            held += bytes;
            if held > self.resources.memory {
                held -= bytes;
                self.known.remove(&sector);
            }
        }
        for &sector in &secondary {
            if !self.known.contains_key(&sector) {
                let table = self.load(sector, unit)?;
                self.known.insert(sector, Arc::new(table));
            }
        }
        Ok(())
    }

    /// Reads a sector that `unit` leads to.
    fn load(&self, sector: Sector, unit: &Unit) -> Result<SectorTable> {
        if !self.dir.file(sector).is_file() {
            return Err(Error::MissingSector {
                sector: sector.to_string(),
                needed_by: Some(format!("unit {}", unit.first())),
                folder: Some(self.dir.path().into()),
            });
        }
        self.dir.load(sector, &self.maker)
    }
}

/// Describes the tables that must be in memory to solve `unit`, which leads to `secondary` sectors.
fn tables_of(unit: &Unit, secondary: usize) -> String {
    match secondary {
        0 => format!("unit {}", unit.first()),
        1 => format!("unit {} with the sector that it leads to", unit.first()),
        n => format!("unit {} with the {n} sectors that it leads to", unit.first()),
    }
}
