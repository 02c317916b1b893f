//! One image under work: its plan, and the fragments of its units, made here or waited for.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nerode_dfa::{Cutting, FragmentFile, Job, Plan, Planned, remove_abandoned};

use super::UnitsBy;
use super::lock::{Lock, try_lock};
use crate::error::{Error, Result};

/// What units are done under.
pub struct Means<'a> {
    /// Refuses to write so many bytes at a path where they do not fit.
    pub must_hold: &'a dyn Fn(&Path, u64) -> Result<()>,
    /// Set to stop at the next safe point.
    pub interrupt: &'a AtomicBool,
}

/// One image under work.
pub struct Bench<'a> {
    job: Job<'a>,
    folder: PathBuf,
    by: UnitsBy,
    means: &'a Means<'a>,
}

/// Who works at a unit.
enum Claim {
    /// This process, as far as the file system has locks.
    Ours(Option<Lock>),
    /// Another process.
    Taken,
}

impl<'a> Bench<'a> {
    /// The image of `job`, whose files lie in `folder`.
    pub fn new(job: Job<'a>, folder: PathBuf, by: UnitsBy, means: &'a Means<'a>) -> Self {
        Self { job, folder, by, means }
    }

    /// What is computed.
    pub fn job(&self) -> &Job<'a> {
        &self.job
    }

    /// Where its files are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where its files are.
    pub(super) fn into_folder(self) -> PathBuf {
        self.folder
    }

    /// The plan that lies here, or a new one.
    pub(super) fn plan(&self, cutting: Cutting) -> Result<Planned> {
        let path = plan_path(&self.folder);
        match Plan::read(&path) {
            Ok(plan) if plan.fingerprint() == &self.job.fingerprint() => return Ok(Planned::Parted(plan)),
            Ok(_) => {}
            Err(e) => must_be_made(e)?,
        }
        let planned = self.job.plan(cutting)?;
        if let Planned::Parted(plan) = &planned {
            fs::create_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, e))?;
            self.must_hold(&path, plan.bytes())?;
            plan.write(&path)?;
        }
        Ok(planned)
    }

    /// Makes room for `bytes` at `path`, or refuses.
    pub(super) fn must_hold(&self, path: &Path, bytes: u64) -> Result<()> {
        (self.means.must_hold)(path, bytes)?;
        // Where others write, what looks abandoned may be theirs: a network's locks may not be seen here.
        if !self.by.is_shared() {
            remove_abandoned(path).map_err(|e| Error::io(path, e))?;
        }
        Ok(())
    }

    fn path(&self, unit: usize) -> PathBuf {
        fragment_path(&self.folder, unit)
    }

    fn open(&self, plan: &Plan, unit: usize) -> Result<FragmentFile> {
        Ok(FragmentFile::open(&self.path(unit), plan, unit)?)
    }

    /// The fragments of all units, in their order.
    pub(super) fn fragments(&self, plan: &Plan) -> Result<Vec<FragmentFile>> {
        if self.by.is_shared() {
            return self.gathered(plan);
        }
        let fragment = |unit| {
            self.finish(plan, unit)?;
            self.open(plan, unit)
        };
        (0..plan.num_units()).map(fragment).collect()
    }

    /// The fragments, as processes make them.
    fn gathered(&self, plan: &Plan) -> Result<Vec<FragmentFile>> {
        let mut found: Vec<Option<FragmentFile>> = (0..plan.num_units()).map(|_| None).collect();
        let mut pause = Pause::default();
        loop {
            for (unit, slot) in found.iter_mut().enumerate().filter(|(_, slot)| slot.is_none()) {
                *slot = self.found(plan, unit)?;
                if slot.is_some() {
                    pause = Pause::default();
                }
            }
            if found.iter().all(Option::is_some) {
                return Ok(found.into_iter().flatten().collect());
            }
            let does = self.by == UnitsBy::Anyone && self.do_free(plan, 0)?.is_some();
            if !does {
                pause.take(self.means.interrupt)?;
            }
        }
    }

    /// The fragment of a unit, if it is there. One that is damaged, or of another plan, is removed, so that it is made again.
    fn found(&self, plan: &Plan, unit: usize) -> Result<Option<FragmentFile>> {
        match FragmentFile::open(&self.path(unit), plan, unit) {
            Ok(fragment) => Ok(Some(fragment)),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => {
                must_be_made(e)?;
                let path = self.path(unit);
                fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
                Ok(None)
            }
        }
    }

    /// Does a unit without a fragment that nobody works at, and says which; they are looked at from `first` on.
    ///
    /// Cost: that of the unit.
    ///
    /// # Errors
    /// As [`Bench::finish`].
    pub fn do_free(&self, plan: &Plan, first: usize) -> Result<Option<usize>> {
        let all = plan.num_units();
        for unit in (0..all).map(|at| (first + at) % all).filter(|&unit| !self.path(unit).exists()) {
            if let Claim::Ours(_lock) = self.claim(unit)
                && self.finish(plan, unit)?
            {
                return Ok(Some(unit));
            }
        }
        Ok(None)
    }

    fn claim(&self, unit: usize) -> Claim {
        match try_lock(&self.folder.join(format!("lock-{unit:06}"))) {
            Ok(Some(lock)) => Claim::Ours(Some(lock)),
            Ok(None) => Claim::Taken,
            // Without locks two may do the same, which costs time alone.
            Err(_) => Claim::Ours(None),
        }
    }

    /// Does a unit, if its fragment is not there or has to be made again; whether there was anything to do.
    ///
    /// # Errors
    /// As [`Job::unit`]; what the means refuse; [`Error::Io`].
    pub fn finish(&self, plan: &Plan, unit: usize) -> Result<bool> {
        let path = self.path(unit);
        match FragmentFile::open(&path, plan, unit) {
            Ok(_) => return Ok(false),
            Err(e) => must_be_made(e)?,
        }
        let fragment = self.job.unit(plan, unit)?;
        self.must_hold(&path, fragment.bytes())?;
        fragment.write(&path, plan, unit)?;
        Ok(true)
    }
}

/// The file of a plan.
pub(super) fn plan_path(folder: &Path) -> PathBuf {
    folder.join("plan")
}

/// The file of a unit's fragment.
pub(super) fn fragment_path(folder: &Path, unit: usize) -> PathBuf {
    folder.join(format!("unit-{unit:06}"))
}

/// Times between two looks, which grow.
struct Pause(Duration);

impl Default for Pause {
    fn default() -> Self {
        Self(Duration::from_millis(5))
    }
}

impl Pause {
    const LONGEST: Duration = Duration::from_millis(250);

    fn take(&mut self, interrupt: &AtomicBool) -> Result<()> {
        if interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        std::thread::sleep(self.0);
        self.0 = (self.0 * 3 / 2).min(Self::LONGEST);
        Ok(())
    }
}

/// Whether a file is not there, or no longer.
fn is_absent(error: &nerode_dfa::Error) -> bool {
    let kinds = [ErrorKind::NotFound, ErrorKind::StaleNetworkFileHandle];
    matches!(error, nerode_dfa::Error::Io { source, .. } if kinds.contains(&source.kind()))
}

/// Whether a file that could not be read is to be made: it is missing, damaged, or of another version or plan.
fn must_be_made(error: nerode_dfa::Error) -> Result<()> {
    match error {
        nerode_dfa::Error::Corrupt { .. } | nerode_dfa::Error::Version { .. } => Ok(()),
        error if is_absent(&error) => Ok(()),
        other => Err(other.into()),
    }
}
