//! Solving into a run directory, with a checkpoint after every ply. A run that was stopped goes on from its last checkpoint.
//!
//! The iterations are those of [`crate::solve::retrograde`], [`crate::solve::reach`] and [`crate::solve::meet`].

mod meet;
pub mod next_ply;
mod record;

use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};

use crate::archive::run_dir::{Kind, Request, RunDir, SetName};
use crate::error::{Error, Result};
use crate::solve::choose::must_be_solvable;
use crate::solve::engine::Engine;
use crate::solve::method::{Chains, Method};
use crate::solve::progress::Watch;
use crate::solve::resources::Resources;
use crate::solve::retrograde::{Level, Retrograde};

use record::{Record, Unwritten, name, stop_if};

/// What happens to the directory when it holds a run already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is an error.
    Refuse,
    /// The run is continued.
    Resume,
    /// The run is replaced.
    Overwrite,
}

/// Solves `game` as `request` says, in `path`, and returns the run.
///
/// # Errors
/// Running out of memory or disk, [`Error::DiskFull`], interruption: the directory can be resumed then. [`Error::Occupied`], [`Error::OtherContents`],
/// [`Error::OtherRequest`], [`Error::Busy`] when the directory does not fit; [`Error::Mismatch`] when the request is of another
/// game.
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
    if run.manifest.progress.finished {
        return Ok(run);
    }
    let engine = Engine::new(game, resources, Some(run.path().into()))?;
    let record = Record {
        run,
        watch,
        interrupt: Arc::clone(&resources.interrupt),
        passes: engine.passes(),
        disk: resources.disk.clone(),
    };
    let mut solver = Solver { engine, record };
    let solved = match solver.record.run.manifest.request.method {
        Method::Retrograde => solver.backward().and_then(|level| solver.finish_retrograde(&level)),
        Method::Meet => solver.meet(),
    };
    match solved {
        Ok(()) => Ok(solver.record.run),
        // Stopped within a ply or between two is the same to whoever resumes.
        Err(Error::Dfa(nerode_dfa::Error::Interrupted)) => Err(Error::Interrupted),
        Err(other) => Err(other),
    }
}

struct Solver<'a> {
    engine: Engine,
    record: Record<'a>,
}

impl Solver<'_> {
    /// A set of the run, or what stands for it where its chain is not computed.
    fn load_or(&self, name: SetName, absent: &Dfa) -> Result<Dfa> {
        let run = &self.record.run;
        if run.entry(name)?.mirror { Ok(absent.clone()) } else { run.get(name) }
    }

    fn load_level(&self, ply: u32) -> Result<Level> {
        let (one, two) = (self.engine.ended(Side::P1), self.engine.ended(Side::P2));
        let of = |kind, absent: [&Dfa; 2]| -> Result<[Dfa; 2]> {
            let load = |side, absent| self.load_or(name(kind, side, ply), absent);
            Ok([load(Side::P1, absent[0])?, load(Side::P2, absent[1])?])
        };
        Ok(Level { win: of(Kind::W, [&one.win, &two.win])?, loss: of(Kind::L, [&one.loss, &two.loss])? })
    }

    /// W_i and L_i up to the fixpoint or the plies asked for; returns the last level. While a ply is written the next is computed.
    fn backward(&mut self) -> Result<Level> {
        let Request { backward_plies: limit, chains, .. } = self.record.run.manifest.request;
        let mut unwritten = None;
        let mut iteration = match self.record.run.manifest.progress.backward {
            Some(ply) => {
                let now = self.load_level(ply)?;
                let before = if ply > 0 { Some(self.load_level(ply - 1)?) } else { None };
                Retrograde::resume(chains, ply, now, before)
            }
            None => {
                let iteration = Retrograde::new(&self.engine, chains);
                unwritten = Some(Unwritten { ply: 0, level: iteration.level().clone(), before: None });
                iteration
            }
        };
        let interrupt = Arc::clone(&self.record.interrupt);
        while !self.record.run.manifest.progress.fixpoint && limit.is_none_or(|most| iteration.ply() < most) {
            let before = iteration.level().clone();
            let bytes = self.engine.bytes();
            let write = || unwritten.take().map_or(Ok(()), |ply| self.record.store_level(&ply, bytes));
            let went_on = self.engine.beside(write, |engine| {
                stop_if(&interrupt)?;
                iteration.step(engine)
            });
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
            stop_if(&interrupt)?;
        }
        Ok(iteration.level().clone())
    }

    /// (draws, unknown) among undecided positions: once nothing more can be decided all are draws, before that the terminal
    /// draws only.
    fn split(&mut self, rest: &Dfa, side: Side, settled: bool) -> Result<(Dfa, Dfa)> {
        if settled {
            return Ok((rest.clone(), Dfa::empty(rest.shape())));
        }
        let over = self.engine.ended(side).draw.clone();
        let drawn = self.engine.combine(&[rest, &over], |x| x[0] && x[1])?;
        Ok((drawn, self.engine.combine(&[rest, &over], |x| x[0] && !x[1])?))
    }

    /// Stores draws and unknown positions. With one chain no automaton tells them apart from losses: they are what is left.
    fn finish_retrograde(&mut self, level: &Level) -> Result<()> {
        let ply = self.record.run.manifest.progress.backward.unwrap_or(0);
        let both = self.record.run.manifest.request.chains == Chains::Both;
        for side in Side::BOTH.into_iter().filter(|_| both) {
            let p = side.index();
            let rest = self.engine.combine(&[&level.win[p], &level.loss[p]], |x| !x[0] && !x[1])?;
            let (draw, unknown) = self.split(&rest, side, self.record.run.manifest.progress.fixpoint)?;
            self.record.store(name(Kind::D, side, ply), &draw)?;
            self.record.store(name(Kind::U, side, ply), &unknown)?;
        }
        self.record.run.manifest.progress.finished = true;
        self.record.run.commit()
    }

    fn meet(&mut self) -> Result<()> {
        let backward = self.backward()?;
        self.forward()?;
        self.back_up(&backward)?;
        self.record.run.manifest.progress.finished = true;
        self.record.run.commit()
    }
}
