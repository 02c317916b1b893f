//! One image under work: its plan, and the fragments of its units, made here or waited for.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nerode_dfa::disk;
use nerode_dfa::{Cutting, FragmentFile, Job, Plan, Planned, remove_abandoned};

use super::choices::UnitsBy;
use super::claim::{Claim, Claimed};
use super::files::{Means, finish, forget_input, fragment_path, is_absent, must_be_made};
use crate::error::{Error, Result};

/// One image under work.
pub(super) struct Bench<'a> {
    job: Job<'a>,
    folder: PathBuf,
    by: UnitsBy,
    means: &'a Means<'a>,
}

impl<'a> Bench<'a> {
    /// The image of `job`, whose files lie in `folder`.
    pub(super) fn new(job: Job<'a>, folder: PathBuf, by: UnitsBy, means: &'a Means<'a>) -> Self {
        Self { job, folder, by, means }
    }

    /// What is computed.
    pub(super) fn job(&self) -> &Job<'a> {
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
        let path = self.folder.join("plan");
        match Plan::read(&path) {
            Ok(plan) if plan.fingerprint() == &self.job.fingerprint() => return Ok(Planned::Parted(plan)),
            Ok(_) => {}
            Err(e) => must_be_made(e)?,
        }
        let planned = self.job.plan(cutting)?;
        if let Planned::Parted(plan) = &planned {
            disk::create_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, e))?;
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
        Ok(FragmentFile::open(&self.path(unit), &plan.origin(unit))?)
    }

    /// The fragments of all units, in their order.
    pub(super) fn fragments(&self, plan: &Plan) -> Result<Vec<FragmentFile>> {
        if self.by.is_shared() {
            return self.gathered(plan);
        }
        // Opening takes the digest of the whole file: once for each.
        let fragment = |unit| match self.found(plan, unit)? {
            Some(fragment) => Ok(fragment),
            None => {
                self.finish(plan, unit)?;
                self.open(plan, unit)
            }
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
                    forget_input(&self.folder, unit)?;
                    pause = Pause::default();
                }
            }
            if found.iter().all(Option::is_some) {
                return Ok(found.into_iter().flatten().collect());
            }
            let does = self.by == UnitsBy::Anyone && self.do_free(plan)?;
            if !does {
                pause.take(self.means.interrupt)?;
            }
        }
    }

    /// The fragment of a unit, if it is there. One that is damaged, or of another plan, is removed, so that it is made again.
    pub(super) fn found(&self, plan: &Plan, unit: usize) -> Result<Option<FragmentFile>> {
        match FragmentFile::open(&self.path(unit), &plan.origin(unit)) {
            Ok(fragment) => Ok(Some(fragment)),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => {
                must_be_made(e)?;
                let path = self.path(unit);
                disk::remove_file(&path).map_err(|e| Error::io(&path, e))?;
                Ok(None)
            }
        }
    }

    /// Does a unit without a fragment that nobody works at; whether there is one.
    fn do_free(&self, plan: &Plan) -> Result<bool> {
        for unit in (0..plan.num_units()).filter(|&unit| !self.path(unit).exists()) {
            if let Claim::Ours(_claimed) = Claimed::take(&self.folder, unit)
                && self.finish(plan, unit)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does a unit, if its fragment is not there or has to be made again; whether there was anything to do.
    fn finish(&self, plan: &Plan, unit: usize) -> Result<bool> {
        let path = self.path(unit);
        finish(
            &path,
            &plan.origin(unit),
            |path, bytes| self.must_hold(path, bytes),
            || Ok(self.job.unit(plan, unit)?),
        )
    }
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
