//! Units of the ply under work, done by a process beside the one that solves.
//!
//! Invariant: what is read is never changed, and what is written is what the process that solves would have written.

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

/// Time between two looks for more units.
const PAUSE: Duration = Duration::from_millis(200);
/// Time without a unit after which it is told that none comes.
pub const IDLE: Duration = Duration::from_secs(10);

/// A unit that was to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitDone {
    /// The image, by its name.
    pub image: String,
    /// Which of its units.
    pub unit: usize,
    /// Units whose fragments it merges, 1 for a unit; `None` where its ply is written.
    pub merges: Option<usize>,
    /// How it ended.
    pub end: UnitEnd,
    /// Seconds it took.
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
    /// [`Error::NoSuchUnit`]; [`Error::UnitInput`], [`Error::OtherUnits`] where what the unit is made from or the rules are not those
    /// that it needs; running out of memory or disk; interruption.
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

    /// Does all units that nobody else works at, and tells `watch` of each. One whose input is missing or damaged does not keep it
    /// from the rest.
    ///
    /// # Errors
    /// As [`Worker::do_one`].
    pub fn do_all(&self, watch: &mut dyn FnMut(&UnitDone)) -> Result<()> {
        // Where there are no locks, processes begin at different places.
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

    /// The same for every ply until the run is finished. Calls `idle` where no unit came for [`IDLE`], once until the next comes.
    ///
    /// # Errors
    /// As [`Worker::do_one`].
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

    /// Does a unit of `offer`. Where its units were withdrawn meanwhile, an error says no more than that.
    fn finish(&self, offer: &Offer, unit: usize) -> Result<UnitEnd> {
        let must_hold = |path: &Path, bytes| self.resources.disk.must_hold(path, bytes);
        let means = Means { must_hold: &must_hold, interrupt: &self.resources.interrupt };
        match offer.finish(unit, &self.passes, |number| self.moves(number), &means) {
            Err(Error::Interrupted | Error::Dfa(nerode_dfa::Error::Interrupted)) => Err(Error::Interrupted),
            Err(_) if !offer.stands() => Ok(UnitEnd::Gone),
            Err(error) => Err(error),
            Ok(true) => Ok(UnitEnd::Done),
            Ok(false) => Ok(UnitEnd::WasThere),
        }
    }

    /// The moves that units call `number`.
    fn moves(&self, number: u32) -> Result<Option<PassMoves>> {
        let side = Side::BOTH.into_iter().find(|side| side.index() as u32 == number);
        let compile =
            |side| pass_moves(self.game.as_ref(), &mut self.resources.store(self.game.shape())?, side);
        side.map(compile).transpose()
    }
}
