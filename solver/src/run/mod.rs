//! Solves into a run directory, with a checkpoint after every ply. An interrupted run continues from its last
//! checkpoint.
//!
//! The iterations are those of [`crate::solve::retrograde`], [`crate::solve::reach`] and [`crate::solve::meet`].

pub mod forward;
mod meet;
mod mend;
pub mod next_ply;
mod put;
mod reached;
mod record;
pub mod unit;

use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};

use crate::archive::resolver::Resolver;
use crate::archive::run_dir::{Kind, Request, RunDir, SetEntry, SetName};
use crate::error::{Error, Result, check_interrupt};
use crate::solve::choose::must_be_solvable;
use crate::solve::engine::Engine;
use crate::solve::method::{Chains, Method};
use crate::solve::progress::Watch;
use crate::solve::resources::Resources;
use crate::solve::retrograde::{Level, Retrograde};
use crate::units::{Done, FOLDER, effective_sizes, remove_folder, withdraw};

use put::name;
use record::{Record, Unwritten};

/// The action to take if the directory already contains a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Return an error.
    Refuse,
    /// Continue the run.
    Resume,
    /// Replace the run.
    Overwrite,
}

/// A run that was continued.
#[derive(Debug)]
pub struct Continuation {
    /// The run, which is now finished.
    pub run: RunDir,
    /// The names of the sets whose missing or damaged files were restored.
    pub mended: Vec<String>,
    /// `true` if the run had been finished before.
    pub was_finished: bool,
}

/// Solves `game` as specified by `request` into the directory `path`, and returns the run. A resumed run may be asked
/// for more plies than before. Its missing or damaged files are restored.
///
/// # Errors
/// Returns an error if memory or disk space is exhausted ([`Error::DiskFull`] among others) or the solve is
/// interrupted; the directory can be resumed in these cases. Returns [`Error::Occupied`], [`Error::OtherContents`],
/// [`Error::OtherRequest`] or [`Error::Busy`] if the directory cannot be used, and [`Error::Mismatch`] if the request
/// is for another game.
pub fn solve(
    game: Arc<dyn Game>,
    request: Request,
    path: &Path,
    existing: Existing,
    resources: &Resources,
    watch: Watch<'_>,
) -> Result<RunDir> {
    must_be_solvable(game.as_ref())?;
    request.must_be_of(game.as_ref())?;
    resources.disk.must_hold(path, 0)?;
    let run = match existing {
        Existing::Resume if RunDir::exists(path) => RunDir::resume(path, &request)?,
        other => RunDir::create(path, request, other == Existing::Overwrite)?,
    };
    Ok(finish(game, run, resources, watch)?.run)
}

/// The extent to which a run is to be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowFar {
    /// As far as it was originally requested.
    AsBegun,
    /// To this number of plies, which must be greater than before.
    Plies(u32),
    /// To the end of the game.
    End,
}

/// Continues the run in `path` with the options with which it was started, and restores its missing or damaged files.
/// `resolver` finds the game.
///
/// # Errors
/// Returns the same errors as [`solve`]; [`Error::OtherRequest`] for fewer plies than the run was asked for; any error
/// of `resolver`; and [`Error::WrongRules`] if the rules of the game have changed.
pub fn resume(
    path: &Path,
    resolver: &dyn Resolver,
    how_far: HowFar,
    resources: &Resources,
    watch: Watch<'_>,
) -> Result<Continuation> {
    let found = RunDir::open(path)?;
    let begun = found.request();
    let game = begun.id().resolve(resolver, &found.manifest_path())?;
    let request = match how_far {
        HowFar::AsBegun => begun.clone(),
        HowFar::Plies(most) => begun.with_plies(Some(most)),
        HowFar::End => begun.with_plies(None),
    };
    finish(game, RunDir::resume(path, &request)?, resources, watch)
}

/// Restores damaged files of the run and completes it.
fn finish(game: Arc<dyn Game>, run: RunDir, resources: &Resources, watch: Watch<'_>) -> Result<Continuation> {
    let was_finished = run.progress().finished;
    let damaged = run.damaged(&resources.interrupt)?;
    let mended = damaged.iter().map(SetName::to_string).collect();
    if was_finished && damaged.is_empty() {
        return Ok(Continuation { run, mended, was_finished });
    }
    withdraw(run.path())?;
    // Units left by an interrupted solve are reused.
    let resources = &Resources { units: effective_sizes(run.path(), resources.units)?, ..resources.clone() };
    let begin = if run.request().is_in_play() { Engine::in_play } else { Engine::new };
    let engine = begin(game, resources, Some(run.path().into()))?;
    let record = Record {
        run,
        watch,
        interrupt: Arc::clone(&resources.interrupt),
        passes: engine.passes(),
        disk: resources.disk.clone(),
    };
    let mut solver = Solver { engine, record };
    match solver.mend(&damaged).and_then(|()| solver.go_on()) {
        Ok(()) => {
            // Removes units of an interrupted solve that was continued in another way.
            remove_folder(&solver.record.run.path().join(FOLDER))?;
            Ok(Continuation { run: solver.record.run, mended, was_finished })
        }
        // For the caller, it makes no difference whether the interruption came within a ply or between two plies.
        Err(error) if error.is_interruption() => Err(Error::Interrupted),
        Err(other) => Err(other),
    }
}

struct Solver<'a> {
    engine: Engine,
    record: Record<'a>,
}

impl Solver<'_> {
    /// Removes the files of units whose results are on disk.
    fn remove_unit_files(&self) -> Result<()> {
        self.engine.units_done().map_or(Ok(()), Done::remove)
    }

    /// Computes a ply while `write` writes another one. `write` is passed the memory of the engine in bytes.
    /// Afterwards, removes the unit files of the ply that was written.
    fn beside<A: Send>(
        &mut self,
        write: impl FnOnce(&mut Record<'_>, u64) -> Result<()> + Send,
        mut step: impl FnMut(&mut Engine) -> Result<A> + Send,
    ) -> Result<A> {
        let (bytes, done) = (self.engine.bytes(), self.engine.units_done());
        let interrupt = Arc::clone(&self.record.interrupt);
        let record = &mut self.record;
        let write = || {
            write(record, bytes)?;
            done.map_or(Ok(()), Done::remove)
        };
        self.engine.beside(write, |engine| {
            check_interrupt(&interrupt)?;
            step(engine)
        })
    }

    /// Computes the requested part of the solution that is still missing.
    fn go_on(&mut self) -> Result<()> {
        if self.record.run.progress().finished {
            return Ok(());
        }
        match self.record.run.request().method {
            Method::Retrograde => self.backward().and_then(|level| self.finish_retrograde(&level)),
            Method::Meet => self.meet(),
        }
    }

    /// Loads a set of the run, or returns `absent` if its chain is not computed.
    fn load_or(&self, name: SetName, absent: &Dfa) -> Result<Dfa> {
        let run = &self.record.run;
        if run.entry(name)?.mirror { Ok(absent.clone()) } else { self.get(name) }
    }

    /// Loads a set of the run. If sets are computed in units, a large set stays in files.
    fn get(&self, name: SetName) -> Result<Dfa> {
        let run = &self.record.run;
        let entry = run.entry(name)?;
        entry.must_be_stored()?;
        self.read_file(entry)
    }

    /// Reads the automaton of the file of an entry.
    fn read_file(&self, entry: &SetEntry) -> Result<Dfa> {
        let run = &self.record.run;
        match self.record.passes.folder_for(entry.most_bytes(self.engine.game.shape()))? {
            Some(folder) => run.read_in_files(entry, folder),
            None => run.read_file(entry),
        }
    }

    /// Loads the sets of a ply. Sets that share their file with the following ply, `next`, are held in memory only
    /// once.
    fn load_level(&self, ply: u32, next: Option<&Level>) -> Result<Level> {
        let file = |kind, side, ply| self.record.run.entry(name(kind, side, ply)).map(SetEntry::file);
        let (one, two) = (self.engine.terminal(Side::P1), self.engine.terminal(Side::P2));
        let of = |kind, absent: [&Dfa; 2], next: Option<&[Dfa; 2]>| -> Result<[Dfa; 2]> {
            let load = |side: Side| match next {
                Some(next) if file(kind, side, ply)? == file(kind, side, ply + 1)? => {
                    Ok(next[side.index()].clone())
                }
                _ => self.load_or(name(kind, side, ply), absent[side.index()]),
            };
            Ok([load(Side::P1)?, load(Side::P2)?])
        };
        let win = of(Kind::W, [&one.win, &two.win], next.map(|level| &level.win))?;
        let loss = of(Kind::L, [&one.loss, &two.loss], next.map(|level| &level.loss))?;
        Ok(Level { win, loss })
    }

    /// Returns the state of the iteration after a ply that is on disk.
    fn retrograde_from(&self, ply: u32) -> Result<Retrograde> {
        let now = self.load_level(ply, None)?;
        // The sets of the previous ply only save work, so the iteration can do without them.
        let before = match ply.checked_sub(1).map(|before| self.load_level(before, Some(&now))).transpose() {
            Err(Error::NotKept { .. }) => None,
            before => before?,
        };
        Ok(Retrograde::resume(self.record.run.request().chains, ply, now, before))
    }

    /// Computes W_i and L_i up to the fixpoint or the requested number of plies, and returns the last level. Each ply
    /// is written while the next one is computed.
    fn backward(&mut self) -> Result<Level> {
        let Request { backward_plies: limit, chains, .. } = self.record.run.manifest.request;
        let mut unwritten = None;
        let mut iteration = match self.record.run.manifest.progress.backward {
            Some(ply) => self.retrograde_from(ply)?,
            None => {
                let iteration = Retrograde::new(&self.engine, chains);
                unwritten = Some(Unwritten { ply: 0, level: iteration.level().clone(), before: None });
                iteration
            }
        };
        while !self.record.run.manifest.progress.fixpoint && limit.is_none_or(|most| iteration.ply() < most) {
            let before = iteration.level().clone();
            let written = unwritten.take();
            let write = |record: &mut Record<'_>, bytes| {
                written.map_or(Ok(()), |ply| record.store_level(&ply, bytes))
            };
            let went_on = self.beside(write, |engine| iteration.step(engine));
            if went_on? {
                let level = iteration.level().clone();
                unwritten = Some(Unwritten { ply: iteration.ply(), level, before: Some(before) });
            } else {
                self.record.run.manifest.progress.fixpoint = true;
                self.record.run.commit()?;
            }
        }
        if let Some(ply) = unwritten {
            self.record.store_level(&ply, self.engine.bytes())?;
            self.remove_unit_files()?;
            check_interrupt(&self.record.interrupt)?;
        }
        Ok(iteration.level().clone())
    }

    /// Splits undecided positions into (draws, unknown). If no more positions can be decided, all of them are draws;
    /// before that, only the terminal draws `over` are.
    fn split(
        &mut self,
        rest: &Dfa,
        settled: bool,
        over: impl FnOnce(&mut Engine) -> Result<Dfa>,
    ) -> Result<(Dfa, Dfa)> {
        if settled {
            return Ok((rest.clone(), Dfa::empty(rest.shape())));
        }
        let over = over(&mut self.engine)?;
        let drawn = self.engine.combine(&[rest, &over], |x| x[0] && x[1])?;
        Ok((drawn, self.engine.combine(&[rest, &over], |x| x[0] && !x[1])?))
    }

    /// Returns the draws and the unknown positions of a level.
    fn undecided(&mut self, level: &Level, side: Side) -> Result<(Dfa, Dfa)> {
        let p = side.index();
        let rest = self.engine.combine(&[&level.win[p], &level.loss[p]], |x| !x[0] && !x[1])?;
        let settled = self.record.run.manifest.progress.fixpoint;
        self.split(&rest, settled, |engine| Ok(engine.terminal(side).draw.clone()))
    }

    /// Stores draws and unknown positions. With a single chain, no automaton distinguishes them from losses, so they
    /// are the remainder.
    fn finish_retrograde(&mut self, level: &Level) -> Result<()> {
        let ply = self.record.run.manifest.progress.backward.unwrap_or(0);
        let both = self.record.run.manifest.request.chains == Chains::Both;
        for side in Side::BOTH.into_iter().filter(|_| both) {
            let (draw, unknown) = self.undecided(level, side)?;
            self.record.store(name(Kind::D, side, ply), &draw)?;
            self.record.store(name(Kind::U, side, ply), &unknown)?;
        }
        self.record.run.manifest.progress.finished = true;
        self.record.run.commit()
    }

    fn meet(&mut self) -> Result<()> {
        let is_in_play = self.record.run.request().is_in_play();
        let backward = if is_in_play { None } else { Some(self.backward()?) };
        self.forward()?;
        self.back_up(backward.as_ref())?;
        self.record.run.manifest.progress.finished = true;
        self.record.run.commit()
    }
}
