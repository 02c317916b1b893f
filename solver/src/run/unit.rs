//! Worker processes, which compute work units of the current ply for another process that solves.
//!
//! Invariant: workers never change the files that they read, and the files that they write equal those that the solving
//! process would have written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nerode_dfa::{PassMoves, Passes};
use nerode_games::{Game, Side};

use crate::archive::resolver::Resolver;
use crate::archive::run_dir::RunDir;
use crate::error::{Error, Result};
use crate::solve::pass_moves;
use crate::solve::resources::Resources;
use crate::units::{Means, Offer};

/// The time between two searches for new units.
const PAUSE: Duration = Duration::from_millis(200);
/// The time without a unit after which the worker reports that it is idle.
pub const IDLE: Duration = Duration::from_secs(10);

/// A unit that a worker has processed.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitDone {
    /// The name of the image.
    pub image: String,
    /// The number of the unit.
    pub unit: usize,
    /// The number of units whose fragments it merges, 1 for a plain unit; `None` if its ply is already written.
    pub merges: Option<usize>,
    /// The result.
    pub end: UnitEnd,
    /// The time taken in seconds.
    pub seconds: f64,
    /// The size of the fragment in bytes, if it exists.
    pub bytes: Option<u64>,
}

/// The result of processing a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitEnd {
    /// The worker has computed it.
    Done,
    /// Its fragment already existed.
    WasThere,
    /// It is no longer needed because its ply is written.
    Gone,
}

/// A worker that computes units of a run.
pub struct Worker {
    home: PathBuf,
    game: Arc<dyn Game>,
    resources: Resources,
    passes: Passes,
}

impl Worker {
    /// Creates a worker for the run in `home`, which another process solves. `resolver` finds its game. Scratch files
    /// go to `scratch`.
    ///
    /// # Errors
    /// Returns an error if there is no run in `home` or the operating system cannot start the threads, and any error of
    /// `resolver`.
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

    /// Processes one unit of an image.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchUnit`]; [`Error::UnitInput`] or [`Error::OtherUnits`] if the input of the unit or the
    /// rules are not the required ones; or an error if memory or disk space is exhausted or the computation is
    /// interrupted.
    pub fn do_one(&self, image: &str, unit: usize) -> Result<UnitDone> {
        let Some(offer) = Offer::open(&self.home, image)? else {
            let (image, end) = (image.into(), UnitEnd::Gone);
            return Ok(UnitDone { image, unit, merges: None, end, seconds: 0.0, bytes: None });
        };
        let num_units = offer.num_units();
        if unit >= num_units {
            return Err(Error::NoSuchUnit { unit: offer.name(unit), num_units });
        }
        self.finished(&offer, unit)
    }

    /// Processes all units that no other process is working on, and calls `watch` after each of them. A unit whose
    /// input is missing or damaged is skipped and reported at the end.
    ///
    /// # Errors
    /// Returns the same errors as [`Worker::do_one`].
    pub fn do_all(&self, watch: &mut dyn FnMut(&UnitDone)) -> Result<()> {
        // If the file system has no locks, starting at different units makes duplicate work less likely.
        let first = std::process::id() as usize;
        let mut failed = None;
        for offer in Offer::all(&self.home)? {
            let work = |unit| (unit, self.finished(&offer, unit));
            let mut unfit = BTreeSet::new();
            while let Some((unit, done)) = offer.with_free(first, &unfit, work) {
                match done {
                    Ok(done) => watch(&done),
                    Err(error @ (Error::UnitInput { .. } | Error::UnitWaits { .. })) => {
                        unfit.insert(unit);
                        failed = failed.or(Some(error));
                    }
                    Err(error) => return Err(error),
                }
                self.resources.must_go_on()?;
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn finished(&self, offer: &Offer, unit: usize) -> Result<UnitDone> {
        let (began, end) = (Instant::now(), self.finish(offer, unit)?);
        let (image, bytes) = (offer.image().into(), offer.bytes_of(unit));
        let merges = Some(offer.num_merged(unit));
        Ok(UnitDone { image, unit, merges, end, seconds: began.elapsed().as_secs_f64(), bytes })
    }

    /// Processes the units of every ply until the run is finished. Calls `idle` if no unit has appeared for [`IDLE`],
    /// and not again until another one has been processed.
    ///
    /// # Errors
    /// Returns the same errors as [`Worker::do_one`].
    pub fn stay(&self, watch: &mut dyn FnMut(&UnitDone), idle: &mut dyn FnMut()) -> Result<()> {
        let mut since = Some(Instant::now());
        while !RunDir::open(&self.home)?.progress().finished {
            self.do_all(&mut |done| {
                since = Some(Instant::now());
                watch(done);
            })?;
            self.resources.must_go_on()?;
            if since.is_some_and(|since| since.elapsed() > IDLE) {
                since = None;
                idle();
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Processes a unit of `offer`. An error is ignored if the units were withdrawn in the meantime.
    fn finish(&self, offer: &Offer, unit: usize) -> Result<UnitEnd> {
        let must_hold = |path: &Path, bytes| self.resources.disk.must_hold(path, bytes);
        let means = Means { must_hold: &must_hold, interrupt: &self.resources.interrupt };
        match offer.finish(unit, &self.passes, |number| self.moves(number), &means) {
            Err(error) if error.is_interruption() => Err(Error::Interrupted),
            Err(_) if !offer.stands() => Ok(UnitEnd::Gone),
            Err(error) => Err(error),
            Ok(true) => Ok(UnitEnd::Done),
            Ok(false) => Ok(UnitEnd::WasThere),
        }
    }

    /// Returns the moves with this number.
    fn moves(&self, number: u32) -> Result<Option<PassMoves>> {
        let side = Side::BOTH.into_iter().find(|side| side.index() as u32 == number);
        let compile =
            |side| pass_moves(self.game.as_ref(), &mut self.resources.store(self.game.shape())?, side);
        side.map(compile).transpose()
    }
}
