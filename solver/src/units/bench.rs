//! An image that is being computed: its plan and the fragments of its units, which are computed here or awaited.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use nerode_dfa::disk;
use nerode_dfa::{Cutting, Fragment, FragmentFile, Job, Passes, Plan, Planned, remove_abandoned};

use super::choices::UnitsBy;
use super::files::{
    Means, finish, forget_fragment, forget_input, fragment_path, is_absent, is_done, must_be_made, was_shared,
};
use super::lock::{Claim, Claimed};
use super::tally::Counted;
use super::tree::{ALONE, SHARED, Tree};
use crate::error::{Error, Result, check_interrupt};

/// An image that is being computed.
pub(super) struct Bench<'a> {
    passes: &'a Passes,
    job: Job<'a>,
    folder: PathBuf,
    by: UnitsBy,
    means: &'a Means<'a>,
}

impl<'a> Bench<'a> {
    /// Prepares the image of `job`, whose files are in `folder`.
    pub(super) fn new(
        (passes, job): (&'a Passes, Job<'a>),
        folder: PathBuf,
        by: UnitsBy,
        means: &'a Means<'a>,
    ) -> Self {
        Self { passes, job, folder, by, means }
    }

    /// Returns the job.
    pub(super) fn job(&self) -> &Job<'a> {
        &self.job
    }

    /// Returns the folder of its files.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of its files.
    pub(super) fn into_folder(self) -> PathBuf {
        self.folder
    }

    /// Returns the existing plan, or a new one.
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

    /// Makes room for `bytes` at `path`, or returns an error.
    pub(super) fn must_hold(&self, path: &Path, bytes: u64) -> Result<()> {
        (self.means.must_hold)(path, bytes)?;
        // If other processes write here, files that look abandoned may still be in use, because locks on a network file
        // system may not be visible.
        if !self.by.is_shared() {
            remove_abandoned(path).map_err(|e| Error::io(path, e))?;
        }
        Ok(())
    }

    /// Returns the work on the fragments of `plan`.
    pub(super) fn work<'b>(&'b self, plan: &'b Plan) -> Work<'b, 'a> {
        let most = if self.by.is_shared() || was_shared(&self.folder) { SHARED } else { ALONE };
        Work { bench: self, plan, tree: Tree::new(plan.num_units(), most) }
    }
}

/// The work on the fragments of an image.
pub(super) struct Work<'b, 'a> {
    bench: &'b Bench<'a>,
    plan: &'b Plan,
    tree: Tree,
}

impl Work<'_, '_> {
    /// Returns fragments that together cover all units, in order. Reports the number of finished units to `counted`.
    pub(super) fn fragments(&self, counted: &Counted<'_>) -> Result<Vec<FragmentFile>> {
        if self.bench.by.is_shared() {
            return self.gathered(counted);
        }
        self.tree.top().map(|node| self.fragment(node, counted)).collect()
    }

    /// Returns the fragment of a node, and creates it if it does not exist. Opening a fragment computes the digest of
    /// the whole file, so each is opened only once.
    fn fragment(&self, node: usize, counted: &Counted<'_>) -> Result<FragmentFile> {
        let fragment = match self.existing(node)? {
            Some(fragment) => fragment,
            None => self.make(node, counted)?,
        };
        // Units are computed in order.
        counted.set(self.tree.units(node).end);
        Ok(fragment)
    }

    fn make(&self, node: usize, counted: &Counted<'_>) -> Result<FragmentFile> {
        if self.tree.is_unit(node) {
            self.do_unit(node)?;
        } else {
            let children =
                self.tree.children(node).map(|child| self.fragment(child, counted)).collect::<Result<_>>()?;
            self.do_merge(node, children)?;
            self.forget(node)?;
        }
        let origin = self.plan.origin_of(self.tree.units(node));
        Ok(FragmentFile::open(&self.path(node), &origin)?)
    }

    /// Waits for other processes, and returns fragments that together cover all units.
    fn gathered(&self, counted: &Counted<'_>) -> Result<Vec<FragmentFile>> {
        let mut top: Vec<Option<FragmentFile>> = self.tree.top().map(|_| None).collect();
        let mut seen = vec![false; self.tree.len()];
        let mut pause = Pause::default();
        loop {
            let before = seen.iter().filter(|&&seen| seen).count();
            for (slot, node) in top.iter_mut().zip(self.tree.top()).filter(|(slot, _)| slot.is_none()) {
                *slot = self.look(node, &mut seen)?;
            }
            counted.set(self.tree.top().map(|node| self.num_seen(node, &seen)).sum());
            if top.iter().all(Option::is_some) {
                return Ok(top.into_iter().flatten().collect());
            }
            if seen.iter().filter(|&&seen| seen).count() > before {
                pause = Pause::default();
            }
            let does = self.bench.by == UnitsBy::Anyone && self.do_free()?;
            if !does {
                self.must_stand()?;
                pause.take(self.bench.means.interrupt)?;
            }
        }
    }

    /// Returns an error if the folder was removed while its units are awaited, because then no process can compute
    /// them.
    fn must_stand(&self) -> Result<()> {
        let folder = &self.bench.folder;
        if disk::exists(folder).map_err(|e| Error::io(folder, e))? {
            return Ok(());
        }
        let reason = "the folder was removed while waiting for its units; continue the solve, which recreates \
            them";
        Err(Error::io(folder, std::io::Error::new(ErrorKind::NotFound, reason)))
    }

    /// Returns the fragment of a node if it exists; otherwise, looks for the fragments from which it is made. Fragments
    /// in `seen` are not examined again.
    fn look(&self, node: usize, seen: &mut [bool]) -> Result<Option<FragmentFile>> {
        if seen[node] {
            return Ok(None);
        }
        let found = self.existing(node)?;
        if found.is_some() {
            seen[node] = true;
            self.forget(node)?;
        } else {
            self.tree.children(node).try_for_each(|child| self.look(child, seen).map(drop))?;
        }
        Ok(found)
    }

    /// Returns the number of units of a node that are covered by fragments in `seen`.
    fn num_seen(&self, node: usize, seen: &[bool]) -> usize {
        if seen[node] {
            return self.tree.units(node).len();
        }
        self.tree.children(node).map(|child| self.num_seen(child, seen)).sum()
    }

    /// Removes the inputs of a node once its fragment exists.
    fn forget(&self, node: usize) -> Result<()> {
        let folder = &self.bench.folder;
        self.tree.children(node).try_for_each(|child| forget_fragment(folder, child))?;
        self.tree.units(node).try_for_each(|unit| forget_input(folder, unit))
    }

    /// Returns the units that are covered by no fragment, including fragments of merges.
    pub(super) fn units_to_do(&self) -> Result<Vec<usize>> {
        let mut units = Vec::new();
        self.tree.top().try_for_each(|node| self.add_units_to_do(node, &mut units))?;
        Ok(units)
    }

    fn add_units_to_do(&self, node: usize, units: &mut Vec<usize>) -> Result<()> {
        if self.existing(node)?.is_none() {
            units.extend(self.tree.is_unit(node).then_some(node));
            self.tree.children(node).try_for_each(|child| self.add_units_to_do(child, units))?;
        }
        Ok(())
    }

    fn path(&self, node: usize) -> PathBuf {
        fragment_path(&self.bench.folder, node)
    }

    /// Returns the fragment of a node if it exists. A fragment that is damaged or belongs to another plan is removed,
    /// so that it is recreated.
    fn existing(&self, node: usize) -> Result<Option<FragmentFile>> {
        let path = self.path(node);
        match FragmentFile::open(&path, &self.plan.origin_of(self.tree.units(node))) {
            Ok(fragment) => Ok(Some(fragment)),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => {
                must_be_made(e)?;
                disk::remove_file(&path).map_err(|e| Error::io(&path, e))?;
                Ok(None)
            }
        }
    }

    /// Computes a unit or a merge that no other process is working on, and returns `true` if there was one.
    fn do_free(&self) -> Result<bool> {
        let folder = &self.bench.folder;
        for node in (0..self.tree.len()).filter(|&node| !is_done(folder, &self.tree, node)) {
            // The existence of the files is checked first, so that no merge with a missing fragment is begun.
            let ready = self.tree.children(node).all(|child| self.path(child).exists());
            if ready
                && let Claim::Ours(_claimed) = Claimed::take(folder, node)
                && self.do_one(node)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Computes a unit or a merge, and returns `true` if there was anything to do.
    fn do_one(&self, node: usize) -> Result<bool> {
        if self.tree.is_unit(node) {
            return self.do_unit(node);
        }
        let children =
            self.tree.children(node).map(|child| self.existing(child)).collect::<Result<Option<_>>>()?;
        children.map_or(Ok(false), |children| self.do_merge(node, children))
    }

    fn do_unit(&self, unit: usize) -> Result<bool> {
        self.finish(unit, || Ok(self.bench.job.unit(self.plan, unit)?))
    }

    fn do_merge(&self, node: usize, fragments: Vec<FragmentFile>) -> Result<bool> {
        self.finish(node, || Ok(self.bench.passes.merge_some(fragments)?))
    }

    /// Creates the fragment of a node if it does not exist or has to be recreated, and returns `true` if there was
    /// anything to do.
    fn finish(&self, node: usize, make: impl FnOnce() -> Result<Fragment>) -> Result<bool> {
        let origin = self.plan.origin_of(self.tree.units(node));
        finish(&self.path(node), &origin, |path, bytes| self.bench.must_hold(path, bytes), make)
    }
}

/// The waiting time between two checks, which increases.
struct Pause(Duration);

impl Default for Pause {
    fn default() -> Self {
        Self(Duration::from_millis(5))
    }
}

impl Pause {
    const LONGEST: Duration = Duration::from_millis(250);

    fn take(&mut self, interrupt: &AtomicBool) -> Result<()> {
        check_interrupt(interrupt)?;
        std::thread::sleep(self.0);
        self.0 = (self.0 * 3 / 2).min(Self::LONGEST);
        Ok(())
    }
}
