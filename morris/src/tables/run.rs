//! Work units one after the other in a directory of sectors: the same path for a whole game on one machine and for single
//! units that a scheduler hands out.
//!
//! Invariant: a unit is solved from files alone, so that it does not matter who made them; what is on disk is not solved again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use nerode_games::morris::Rules;

use super::check::check_sector;
use super::dir::SectorDir;
use super::done::{Seconds, UnitDone};
use super::index::{IndexMaker, binomial};
use super::sector::{Sector, Unit};
use super::solve::solve_unit;
use super::table::{SectorTable, SectorTables};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::disk::Disk;

/// Solves units into a directory.
pub struct Runner<'a> {
    rules: &'a Rules,
    dir: &'a SectorDir,
    maker: IndexMaker,
    memory: u64,
    interrupt: &'a AtomicBool,
    known: SectorTables,
    disk: Disk,
    /// Sectors that are solved though there are files of them.
    again: BTreeSet<Sector>,
    /// Whether every position is checked before a sector is written.
    checks: bool,
    /// Told of every unit before it is worked on.
    announce: Option<&'a (dyn Fn(&Unit) + Sync)>,
}

/// Slots of a sector, holes included.
///
/// *Cost*: the classes of its own stones, if they were not counted before.
pub fn num_slots(maker: &IndexMaker, rules: &Rules, sector: Sector) -> u64 {
    let classes = maker.num_classes(sector.own) as u64;
    let free = rules.board.num_points() - usize::from(sector.own);
    classes * binomial(free, usize::from(sector.other))
}

/// Bytes of memory that solving a unit takes, with the sectors that it leads to.
///
/// *Cost*: as for [`num_slots`].
pub fn bytes_to_solve(maker: &IndexMaker, rules: &Rules, unit: &Unit) -> u64 {
    let bytes_of = |sector: &Sector| num_slots(maker, rules, *sector);
    let own: u64 = unit.sectors().iter().map(bytes_of).map(|slots| slots + slots / 8).sum();
    own + unit.secondary(rules).iter().map(bytes_of).sum::<u64>()
}

impl<'a> Runner<'a> {
    /// Solves with at most `memory` bytes of tables, on the threads of the pool in force.
    pub fn new(rules: &'a Rules, dir: &'a SectorDir, memory: u64, interrupt: &'a AtomicBool) -> Self {
        Self {
            rules,
            dir,
            maker: IndexMaker::new(&rules.board),
            memory,
            interrupt,
            known: SectorTables::new(),
            disk: Disk::default(),
            again: BTreeSet::new(),
            checks: false,
            announce: None,
        }
    }

    /// The same with files on `disk`.
    #[must_use]
    pub fn with_disk(self, disk: Disk) -> Self {
        Self { disk, ..self }
    }

    /// The same, which solves `sectors` though there are files of them, because those are damaged.
    #[must_use]
    pub fn again(self, sectors: BTreeSet<Sector>) -> Self {
        Self { again: sectors, ..self }
    }

    /// The same, which checks every position by forward play ([`check_sector`]) before it writes a sector, while all that its turns
    /// lead to is in memory. [`Runner::solve_all`] checks sectors on disk that were not checked, too.
    #[must_use]
    pub fn checking(self, checks: bool) -> Self {
        Self { checks, ..self }
    }

    /// The same, which tells `announce` of every unit before it is worked on.
    #[must_use]
    pub fn announcing(self, announce: &'a (dyn Fn(&Unit) + Sync)) -> Self {
        Self { announce: Some(announce), ..self }
    }

    /// Tells that `unit` is begun.
    fn begin(&self, unit: &Unit) {
        if let Some(announce) = self.announce {
            announce(unit);
        }
    }

    /// Whether a unit is solved and its files are good.
    fn has(&self, unit: &Unit) -> bool {
        self.dir.has(unit) && !unit.sectors().iter().any(|sector| self.again.contains(sector))
    }

    /// The index of every sector of the game.
    pub fn maker(&self) -> &IndexMaker {
        &self.maker
    }

    /// Solves those of `units` that are not on disk, in their order, and tells `watch` of each; units on disk are passed over.
    ///
    /// # Errors
    /// Those of [`Runner::solve`]. What is on disk stays: the same call goes on from there.
    pub fn solve_all(&mut self, units: &[Unit], watch: &mut dyn FnMut(&UnitDone)) -> Result<()> {
        for (at, unit) in units.iter().enumerate() {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let done = if !self.has(unit) {
                Some(self.solve(unit)?)
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

    /// Solves one unit, whatever is on disk of it, from the sectors on disk that it leads to.
    ///
    /// # Errors
    /// [`Error::MissingSector`] when one of those is missing; those of reading it; [`Error::Mismatch`] when a check fails;
    /// [`Error::TooLarge`] when the unit and what it leads to do not fit the memory allowed; [`Error::DiskFull`]; [`Error::BusyUnit`] while another process works at the unit;
    /// [`Error::Interrupted`]; [`Error::Io`].
    pub fn solve(&mut self, unit: &Unit) -> Result<UnitDone> {
        let _claim = self.dir.claim(unit)?;
        self.begin(unit);
        let (began, mut seconds) = (Instant::now(), Seconds::default());
        self.must_have_room(unit)?;
        self.load_secondary(unit)?;
        seconds.read = began.elapsed().as_secs_f64();
        let solving = Instant::now();
        let tables = solve_unit(self.rules, unit, &self.maker, &self.known, self.interrupt)?;
        seconds.solve = solving.elapsed().as_secs_f64();
        self.keep(unit, tables.into_iter().map(Arc::new).collect(), seconds)
    }

    /// Checks a unit that is on disk, and notes in its files that it was checked.
    fn check_stored(&mut self, unit: &Unit) -> Result<UnitDone> {
        let _claim = self.dir.claim(unit)?;
        self.begin(unit);
        let began = Instant::now();
        self.load_secondary(unit)?;
        let load = |&sector: &Sector| self.load(sector, unit).map(Arc::new);
        let tables = unit.sectors().iter().map(load).collect::<Result<_>>()?;
        self.keep(unit, tables, Seconds { read: began.elapsed().as_secs_f64(), ..Seconds::default() })
    }

    /// Checks the tables of a unit, if that is asked for, and writes them.
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

    /// Every position of `tables` against what its turns lead to.
    fn check(&self, tables: &[Arc<SectorTable>]) -> Result<()> {
        let mut known = self.known.clone();
        known.extend(tables.iter().map(|table| (table.sector, Arc::clone(table))));
        for table in tables {
            let report = check_sector(self.rules, table, &self.maker, &known, self.interrupt)?;
            if let Some(first) = report.first_mismatch {
                return Err(Error::Mismatch {
                    what: format!("sector {}", table.sector),
                    found: format!("{} positions that their turns contradict ({first})", report.mismatches),
                    expected: "none".into(),
                });
            }
        }
        Ok(())
    }

    /// Refuses a unit whose files would not fit the disk: a byte for each slot, before depths are known to need two.
    fn must_have_room(&self, unit: &Unit) -> Result<()> {
        let slots: u64 =
            unit.sectors().iter().map(|sector| num_slots(&self.maker, self.rules, *sector)).sum();
        self.disk.must_hold(self.dir.path(), slots)
    }

    /// Has what `unit` leads to in memory, and of the rest what fits beside it.
    fn load_secondary(&mut self, unit: &Unit) -> Result<()> {
        let secondary = unit.secondary(self.rules);
        let needed = bytes_to_solve(&self.maker, self.rules, unit);
        if needed > self.memory {
            return Err(Error::TooLarge {
                what: what_is_held(unit, secondary.len()),
                needed_bytes: needed.into(),
                limit_bytes: self.memory,
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
            if held > self.memory {
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

/// What must be in memory to solve `unit`, which leads to so many sectors.
fn what_is_held(unit: &Unit, secondary: usize) -> String {
    match secondary {
        0 => format!("unit {}", unit.first()),
        1 => format!("unit {} with the sector that it leads to", unit.first()),
        n => format!("unit {} with the {n} sectors that it leads to", unit.first()),
    }
}
