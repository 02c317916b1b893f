//! Preparation of a run that is to be continued: admits more plies, removes unnamed files, and finds damaged ones.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use super::{Kind, Request, RunDir, SETS, SetName};
use crate::error::{Error, Result, check_interrupt};
use crate::solve::method::Method;
use nerode_dfa::disk;

/// The file name extension of sets.
const SUFFIX: &str = ".dfa";

impl RunDir {
    /// Extends the request of the run to more plies. Sets derived from its last ply are discarded, because they will be
    /// derived from a later one. A run that already contains the last possible ply is not changed.
    pub(super) fn go_further(&mut self, request: &Request) -> Result<()> {
        let method = request.method;
        let progress = &mut self.manifest.progress;
        if progress.finished && progress.is_at_the_end(method) {
            return Ok(());
        }
        progress.finished = false;
        progress.backed_up = None;
        let derived = |kind| match method {
            Method::Retrograde => matches!(kind, Kind::D | Kind::U),
            Method::Meet => matches!(kind, Kind::RW | Kind::RL | Kind::RD | Kind::RU),
        };
        self.manifest.sets.retain(|name, _| !SetName::parse(name).is_some_and(|name| derived(name.kind)));
        self.manifest.request = request.clone();
        self.commit()
    }

    /// Marks the sets W and L of plies before `ply` as dropped, except those whose file is shared with a later set.
    /// Their numbers remain available. Returns the files, which are to be removed once the manifest is on disk.
    pub(crate) fn drop_before(&mut self, ply: u32) -> BTreeSet<String> {
        let is_early = |name: &str| {
            let name = SetName::parse(name);
            name.is_some_and(|name| matches!(name.kind, Kind::W | Kind::L) && name.ply < ply)
        };
        let sets = &mut self.manifest.sets;
        let later: BTreeSet<String> =
            sets.iter().filter(|(name, _)| !is_early(name)).map(|(_, entry)| entry.file.clone()).collect();
        let mut files = BTreeSet::new();
        for (name, entry) in sets.iter_mut() {
            if is_early(name) && !entry.dropped && !later.contains(&entry.file) {
                entry.dropped = true;
                files.insert(entry.file.clone());
            }
        }
        files
    }

    /// Removes files of this directory that are no longer needed by any set.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub(crate) fn remove_files(&self, files: &BTreeSet<String>) -> Result<()> {
        files
            .iter()
            .map(|file| self.path().join(file))
            .try_for_each(|path| disk::remove_file_if_there(&path).map_err(|e| Error::io(path, e)))
    }

    /// Removes files of sets that the manifest does not name. They were written for a ply that was not finished, or
    /// were derived from a ply that is no longer the last one.
    pub(super) fn remove_unnamed(&self) -> Result<()> {
        let folder = self.path().join(SETS);
        let kept = self.manifest.sets.values().filter(|entry| !entry.dropped);
        let named: BTreeSet<&str> = kept.map(|entry| entry.file.as_str()).collect();
        for entry in disk::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let name = entry.file_name();
            let is_set = |name: &str| name.strip_suffix(SUFFIX).and_then(SetName::parse).is_some();
            let Some(name) = name.to_str().filter(|name| is_set(name)) else { continue };
            let is_file = entry.file_type().map_err(|e| Error::io(entry.path(), e))?.is_file();
            if is_file && !named.contains(format!("{SETS}/{name}").as_str()) {
                disk::remove_file(&entry.path()).map_err(|e| Error::io(entry.path(), e))?;
            }
        }
        Ok(())
    }

    /// Returns the sets whose files are missing or were changed. If several sets share a file, returns the set for
    /// which it was written. Cost: reads every file.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`] if the manifest names a file that is not that of a set, or
    /// [`Error::Interrupted`].
    pub(crate) fn damaged(&self, interrupt: &AtomicBool) -> Result<BTreeSet<SetName>> {
        let mut seen = BTreeSet::new();
        let mut damaged = BTreeSet::new();
        for entry in
            self.manifest.sets.values().filter(|entry| !entry.dropped && seen.insert(entry.file.as_str()))
        {
            check_interrupt(interrupt)?;
            if entry.stored.is_whole(&self.path().join(&entry.file))? {
                continue;
            }
            let name = entry.file.strip_prefix(SETS).and_then(|name| name.strip_prefix('/'));
            let name = name.and_then(|name| name.strip_suffix(SUFFIX)).and_then(SetName::parse);
            let no_set =
                || Error::corrupt(self.manifest_path(), format!("'{}' is not the file of a set", entry.file));
            damaged.insert(name.ok_or_else(no_set)?);
        }
        Ok(damaged)
    }
}
