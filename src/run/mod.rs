//! Solving into a run directory: the iterations of [`crate::solve::retrograde`], [`crate::solve::reach`] and [`crate::solve::meet`], a checkpoint
//! after every ply, and the way back in after an interruption.

pub mod next_ply;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_dfa::{Dfa, Passes};
use nerode_games::{Game, Side};

use crate::archive::run_dir::{Kind, Request, RunDir, SetEntry, SetName};
use crate::error::{Error, Result};
use crate::solve::choose::must_be_solvable;
use crate::solve::engine::Engine;
use crate::solve::meet::ReachedLayer;
use crate::solve::method::{Chains, Method};
use crate::solve::progress::{PlyDone, Watch};
use crate::solve::reach::{Reach, admissible_at, side_at};
use crate::solve::resources::Resources;
use crate::solve::retrograde::{Level, Retrograde};

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
/// Running out of memory or disk, interruption: the directory can be resumed then. [`Error::Occupied`], [`Error::OtherContents`],
/// [`Error::OtherRequest`], [`Error::Busy`] when the directory does not fit.
pub fn solve(
    game: Arc<dyn Game>,
    request: Request,
    path: &Path,
    existing: Existing,
    resources: &Resources,
    watch: Watch<'_>,
) -> Result<RunDir> {
    must_be_solvable(game.as_ref())?;
    let run = match existing {
        Existing::Resume if RunDir::exists(path) => RunDir::resume(path, &request)?,
        other => RunDir::create(path, request, other == Existing::Overwrite)?,
    };
    if run.manifest.progress.finished {
        return Ok(run);
    }
    let engine = Engine::new(game, resources, Some(run.path().into()))?;
    let record = Record { run, watch, interrupt: Arc::clone(&resources.interrupt), passes: engine.passes() };
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

fn name(kind: Kind, side: Side, ply: u32) -> SetName {
    SetName { kind, side, ply }
}

struct Solver<'a> {
    engine: Engine,
    record: Record<'a>,
}

/// Where what is computed goes: the run, and whoever watches.
struct Record<'a> {
    run: RunDir,
    watch: Watch<'a>,
    interrupt: Arc<AtomicBool>,
    passes: Arc<Passes>,
}

/// Sets of a ply that are not on disk yet.
struct Unwritten {
    ply: u32,
    level: Level,
    /// Those of the ply before.
    before: Option<Level>,
}

impl Record<'_> {
    /// Tells whoever watches of a ply that is on disk, and stops here if asked to: plies of small games are over before the
    /// engine looks.
    fn ply_done(&mut self, done: &PlyDone) -> Result<()> {
        (self.watch)(done);
        stop_if(&self.interrupt)
    }

    fn store(&mut self, name: SetName, set: &Dfa) -> Result<(u64, u128)> {
        let entry = self.run.put(name, set)?;
        Ok((entry.num_states, entry.num_positions))
    }

    /// Writes the sets of a ply and tells whoever watches; `bytes` are those of the engine.
    fn store_level(&mut self, unwritten: &Unwritten, bytes: u64) -> Result<()> {
        let &Unwritten { ply, ref level, ref before } = unwritten;
        let chains = self.run.manifest.request.chains;
        let write = |side| write_side(&self.run, &self.passes, side, ply, level, before.as_ref());
        let (one, two) = self.passes.join(|| write(Side::P1), || write(Side::P2));
        let (mut states, mut positions) = (0, 0u128);
        for (name, entry) in one?.into_iter().chain(two?) {
            states += entry.num_states;
            positions = positions.saturating_add(entry.num_positions);
            self.run.insert(name, entry);
        }
        if chains == Chains::One {
            self.run.mirror(name(Kind::W, Side::P2, ply), name(Kind::W, Side::P1, ply))?;
            self.run.mirror(name(Kind::L, Side::P1, ply), name(Kind::L, Side::P2, ply))?;
        }
        self.run.manifest.progress.backward = Some(ply);
        self.run.commit()?;
        (self.watch)(&PlyDone { phase: "retrograde", ply, states, positions, bytes });
        Ok(())
    }
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

    /// R_i up to the end of the game or the plies asked for.
    fn forward(&mut self) -> Result<()> {
        let Request { forward_plies: limit, admissible_from, .. } = self.record.run.manifest.request;
        let mut iteration = match self.record.run.manifest.progress.forward {
            Some(ply) => {
                let side = side_at(self.engine.game.as_ref(), ply);
                let now = self.record.run.get(name(Kind::R, side, ply))?;
                Reach::resume(&self.engine, ply, now)
            }
            None => {
                let iteration = match admissible_from {
                    Some(0) => {
                        let room = self.engine.room();
                        Reach::resume(&self.engine, 0, admissible_at(self.engine.game.as_ref(), 0, room)?)
                    }
                    _ => Reach::new(&self.engine)?,
                };
                self.store_reach(&iteration)?;
                iteration
            }
        };
        while !self.record.run.manifest.progress.forward_complete
            && limit.is_none_or(|most| iteration.ply() < most)
        {
            let went_on = match admissible_from {
                Some(ply) if ply <= iteration.ply() + 1 => iteration.step_admissible(&mut self.engine)?,
                _ => iteration.step(&mut self.engine)?,
            };
            if went_on {
                self.store_reach(&iteration)?;
            } else {
                self.record.run.manifest.progress.forward_complete = true;
                self.record.run.commit()?;
            }
        }
        // The last ply asked for may be the last there is.
        let over = self.engine.ended(iteration.side()).all.clone();
        if self.engine.combine(&[iteration.set(), &over], |x| x[0] && !x[1])?.is_empty() {
            self.record.run.manifest.progress.forward_complete = true;
            self.record.run.commit()?;
        }
        Ok(())
    }

    fn store_reach(&mut self, iteration: &Reach) -> Result<()> {
        let ply = iteration.ply();
        let (states, positions) = self.record.store(name(Kind::R, iteration.side(), ply), iteration.set())?;
        self.record.run.manifest.progress.forward = Some(ply);
        self.record.run.commit()?;
        let bytes = self.engine.bytes();
        self.record.ply_done(&PlyDone { phase: "forward", ply, states, positions, bytes })
    }

    /// Values of every R_i from the last ply back to the start.
    fn back_up(&mut self, backward: &Level) -> Result<()> {
        let last = self.record.run.manifest.progress.forward.unwrap_or(0);
        let (mut ply, mut layer) = match self.record.run.manifest.progress.backed_up {
            Some(ply) => {
                let side = side_at(self.engine.game.as_ref(), ply);
                let all = self.record.run.get(name(Kind::R, side, ply))?;
                let win = self.record.run.get(name(Kind::RW, side, ply))?;
                let loss = self.record.run.get(name(Kind::RL, side, ply))?;
                (ply, ReachedLayer { all, win, loss })
            }
            None => {
                let side = side_at(self.engine.game.as_ref(), last);
                let all = self.record.run.get(name(Kind::R, side, last))?;
                let p = side.index();
                let layer =
                    ReachedLayer::meeting(&mut self.engine, all, &backward.win[p], &backward.loss[p])?;
                self.store_layer(last, side, &layer)?;
                (last, layer)
            }
        };
        while ply > 0 {
            ply -= 1;
            let side = side_at(self.engine.game.as_ref(), ply);
            let all = self.record.run.get(name(Kind::R, side, ply))?;
            layer = layer.back_up(&mut self.engine, all, side)?;
            self.store_layer(ply, side, &layer)?;
        }
        Ok(())
    }

    fn store_layer(&mut self, ply: u32, side: Side, layer: &ReachedLayer) -> Result<()> {
        // What is undecided is a draw if every line was followed to its end or the retrograde sets are final.
        let progress = self.record.run.manifest.progress;
        let undecided = layer.undecided(&mut self.engine)?;
        let (draw, unknown) = self.split(&undecided, side, progress.forward_complete || progress.fixpoint)?;
        let mut states = 0;
        let mut positions = 0u128;
        let sets = [(Kind::RW, &layer.win), (Kind::RL, &layer.loss), (Kind::RD, &draw), (Kind::RU, &unknown)];
        for (kind, set) in sets {
            let (s, n) = self.record.store(name(kind, side, ply), set)?;
            states += s;
            positions = positions.saturating_add(n);
        }
        self.record.run.manifest.progress.backed_up = Some(ply);
        self.record.run.commit()?;
        let bytes = self.engine.bytes();
        self.record.ply_done(&PlyDone { phase: "back up", ply, states, positions, bytes })
    }
}

/// Stops here if asked to.
fn stop_if(interrupt: &AtomicBool) -> Result<()> {
    if interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Bytes that writing a set takes beside it: of as many layers as there are threads the symbols and low bits, the block they become, and
/// what predicts them.
fn bytes_to_write(set: &Dfa, threads: usize) -> u64 {
    let shape = set.shape();
    let transitions =
        (0..shape.num_layers()).map(|layer| set.num_states_in(layer) * shape.num_letters(layer));
    12 * (threads * transitions.max().unwrap_or(0)) as u64
}

/// Writes those sets of a level that the run computes for one side; one that equals that of the ply before shares its file.
fn write_side(
    run: &RunDir,
    passes: &Passes,
    side: Side,
    ply: u32,
    level: &Level,
    before: Option<&Level>,
) -> Result<Vec<(SetName, SetEntry)>> {
    let (p, chains) = (side.index(), run.manifest.request.chains);
    let sets = [
        (Kind::W, chains.has_wins(side), &level.win[p], before.map(|b| &b.win[p])),
        (Kind::L, chains.has_losses(side), &level.loss[p], before.map(|b| &b.loss[p])),
    ];
    let write = |(kind, _, set, before): (Kind, bool, &Dfa, Option<&Dfa>)| {
        let entry = match before {
            Some(same) if same == set => run.entry(name(kind, side, ply - 1))?.clone(),
            _ => {
                let _held = passes.hold(bytes_to_write(set, passes.num_threads()));
                run.write(name(kind, side, ply), set)?
            }
        };
        Ok((name(kind, side, ply), entry))
    };
    sets.into_iter().filter(|s| s.1).map(write).collect()
}
