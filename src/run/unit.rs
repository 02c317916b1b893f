//! Units of the ply under work, done by a process beside the one that solves.
//!
//! Invariant: what is read is never changed, and what is written is what the process that solves would have written.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nerode_dfa::{PassMoves, Passes, Plan};
use nerode_games::{Game, Side};

use crate::archive::resolver::Resolver;
use crate::archive::run_dir::RunDir;
use crate::error::{Error, Result};
use crate::solve::pass_moves;
use crate::solve::resources::Resources;
use crate::units::{Bench, Means, Offer};

/// Time between two looks for more units.
const PAUSE: Duration = Duration::from_millis(200);

/// A unit that was to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitDone {
    /// The image, by its name.
    pub image: String,
    /// Which of its units.
    pub unit: usize,
    /// How it ended.
    pub end: UnitEnd,
    /// Seconds it took; what units of an image share is counted with the first.
    pub seconds: f64,
    /// Bytes of the fragment, where it is there.
    pub bytes: Option<u64>,
}

/// How a unit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitEnd {
    /// It was done.
    Done,
    /// Its fragment was there already.
    WasThere,
    /// It is not asked for any more: its ply is written.
    Gone,
}

/// Does units of a run.
pub struct Worker {
    home: PathBuf,
    game: Arc<dyn Game>,
    resources: Resources,
    passes: Passes,
}

impl Worker {
    /// For the run in `home`, which another process solves; `resolver` finds its game. Scratch files go to `scratch`.
    ///
    /// # Errors
    /// No run; what `resolver` returns; more threads than the system gives.
    pub fn new(
        home: &Path,
        resolver: &dyn Resolver,
        scratch: Option<&Path>,
        resources: &Resources,
    ) -> Result<Self> {
        let run = RunDir::open(home)?;
        let game = run.request().id().resolve(resolver, &run.manifest_path())?;
        let passes = resources.passes(Some(scratch.unwrap_or(home).into()))?;
        Ok(Self { home: home.into(), game, resources: resources.clone(), passes })
    }

    /// Does one unit of an image.
    ///
    /// # Errors
    /// [`Error::NoSuchUnit`]; [`Error::UnitInput`], [`Error::OtherUnits`] where plan, sets or rules are not those that the unit
    /// needs; running out of memory or disk; interruption.
    pub fn do_one(&self, image: &str, unit: usize) -> Result<UnitDone> {
        let mut end = UnitEnd::Gone;
        let (began, offer) = (Instant::now(), Offer::open(&self.home, image)?);
        if let Some(offer) = &offer {
            if unit >= offer.num_units() {
                return Err(Error::NoSuchUnit {
                    unit: format!("{image}/{unit}"),
                    num_units: offer.num_units(),
                });
            }
            end = self.done_or_gone(offer, || {
                self.at(offer, |bench, plan| {
                    Ok(if bench.finish(plan, unit)? { UnitEnd::Done } else { UnitEnd::WasThere })
                })
            })?;
        }
        let bytes = offer.and_then(|offer| offer.bytes_of(unit));
        Ok(UnitDone { image: image.into(), unit, end, seconds: began.elapsed().as_secs_f64(), bytes })
    }

    /// Does all units that nobody else works at, and tells `watch` of each.
    ///
    /// # Errors
    /// As [`Worker::do_one`].
    pub fn do_all(&self, watch: &mut dyn FnMut(&UnitDone)) -> Result<()> {
        for offer in Offer::all(&self.home)? {
            if (0..offer.num_units()).all(|unit| offer.is_done(unit)) {
                continue;
            }
            self.done_or_gone(&offer, || {
                self.at(&offer, |bench, plan| {
                    // Where there are no locks, processes begin at different places.
                    let first = std::process::id() as usize % plan.num_units();
                    let mut began = Instant::now();
                    while let Some(unit) = bench.do_free(plan, first)? {
                        let (image, bytes) = (offer.image().into(), offer.bytes_of(unit));
                        let seconds = began.elapsed().as_secs_f64();
                        watch(&UnitDone { image, unit, end: UnitEnd::Done, seconds, bytes });
                        self.resources.must_go_on()?;
                        began = Instant::now();
                    }
                    Ok(UnitEnd::Done)
                })
            })?;
        }
        Ok(())
    }

    /// The same for every ply until the run is finished.
    ///
    /// # Errors
    /// As [`Worker::do_one`].
    pub fn stay(&self, watch: &mut dyn FnMut(&UnitDone)) -> Result<()> {
        while !RunDir::open(&self.home)?.progress().finished {
            self.do_all(watch)?;
            self.resources.must_go_on()?;
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// What `work` gives. Where the units of `offer` were withdrawn meanwhile, an error says no more than that.
    fn done_or_gone(&self, offer: &Offer, work: impl FnOnce() -> Result<UnitEnd>) -> Result<UnitEnd> {
        match work() {
            Err(Error::Interrupted | Error::Dfa(nerode_dfa::Error::Interrupted)) => Err(Error::Interrupted),
            Err(_) if !offer.stands() => Ok(UnitEnd::Gone),
            done => done,
        }
    }

    /// Calls `work` with the image of `offer` and its plan.
    fn at<T>(&self, offer: &Offer, work: impl FnOnce(&Bench<'_>, &Plan) -> Result<T>) -> Result<T> {
        let moves = self.moves(offer)?;
        let (plan, sets) = (offer.plan()?, offer.sets()?);
        let must_hold = |path: &Path, bytes| self.resources.disk.must_hold(path, bytes);
        let means = Means { must_hold: &must_hold, interrupt: &self.resources.interrupt };
        work(&offer.bench(&self.passes, &moves, &sets, &means)?, &plan)
    }

    /// The moves that the image of `offer` is made by.
    fn moves(&self, offer: &Offer) -> Result<PassMoves> {
        let number = offer.description().moves();
        let side = Side::BOTH.into_iter().find(|side| side.index() as u32 == number);
        let Some(side) = side else {
            return Err(Error::OtherUnits { path: self.home.clone() });
        };
        pass_moves(self.game.as_ref(), &mut self.resources.store(self.game.shape())?, side)
    }
}
