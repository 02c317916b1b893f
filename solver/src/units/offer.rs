//! Units and merges that any process may compute, with their inputs in the folder of the image.
//!
//! Invariant: the list is written together with the plan. A unit may be computed once its input exists, and a merge
//! once its fragments exist.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use nerode_dfa::disk;
use nerode_dfa::{FragmentFile, PassMoves, Passes, Plan, UnitInput, UnitList};

use super::bench::{Bench, Work};
use super::choices::FOLDER;
use super::files::{LIST, Means, WITHDRAWN, finish, fragment_path, input_path, is_done};
use super::lock::{Claim, Claimed};
use super::tree::{SHARED, Tree};
use crate::error::{Error, Result};

/// Offers the units of `plan` that have no fragment, and merges, to other processes. `moves` is a number by which these
/// identify the moves.
///
/// Cost: the parts of the sets that each unit needs are copied, compressed and written.
pub(super) fn write((bench, work): (&Bench<'_>, &Work<'_, '_>), plan: &Plan, moves: u32) -> Result<()> {
    let folder = bench.folder();
    plan.list().write(&folder.join(LIST))?;
    for unit in work.units_to_do()? {
        let (path, input) = (input_path(folder, unit), bench.job().input(plan, unit, moves)?);
        bench.must_hold(&path, input.bytes())?;
        input.write(&path)?;
    }
    Ok(())
}

/// Withdraws all offered units in the directory `home` of a solve, because they may no longer be needed.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn withdraw(home: &Path) -> Result<()> {
    names(home)?.iter().try_for_each(|name| withdraw_one(&home.join(FOLDER).join(name)))
}

/// Withdraws the units of the image in `folder`.
pub(super) fn withdraw_one(folder: &Path) -> Result<()> {
    let path = folder.join(LIST);
    match disk::rename(&path, &folder.join(WITHDRAWN)) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Error::io(path, e)),
        _ => Ok(()),
    }
}

/// Returns the names of the folders that may contain units.
fn names(home: &Path) -> Result<Vec<String>> {
    let folder = home.join(FOLDER);
    let entries = match disk::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io(folder, e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(&folder, e))?;
        names.extend(entry.file_name().into_string().ok().filter(|name| is_name(name)));
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns `true` if `name` is a valid name of an image.
fn is_name(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The units of an image that any process may compute, and the merges of their fragments, which are numbered after the
/// units.
#[derive(Debug)]
pub struct Offer {
    image: String,
    folder: PathBuf,
    list: UnitList,
    tree: Tree,
}

impl Offer {
    /// Returns all offers in the directory `home` of a solve, by name.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if a list cannot be read.
    pub fn all(home: &Path) -> Result<Vec<Self>> {
        let open = |name: &String| Self::open(home, name).transpose();
        names(home)?.iter().filter_map(open).collect()
    }

    /// Opens the units of the image with this name. Returns `None` if there are none, or they were withdrawn.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if the list cannot be read.
    pub fn open(home: &Path, image: &str) -> Result<Option<Self>> {
        if !is_name(image) {
            return Ok(None);
        }
        let folder = home.join(FOLDER).join(image);
        match UnitList::read(&folder.join(LIST)) {
            Ok(list) => {
                let tree = Tree::new(list.words().len(), SHARED);
                Ok(Some(Self { image: image.into(), folder, list, tree }))
            }
            Err(nerode_dfa::Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(of_input(e)),
        }
    }

    /// Returns the name of the image.
    pub fn image(&self) -> &str {
        &self.image
    }

    /// Returns the name of a unit or a merge.
    pub fn name(&self, unit: usize) -> String {
        format!("{}/{unit}", self.image)
    }

    /// Returns the number of units and merges.
    pub fn num_units(&self) -> usize {
        self.tree.len()
    }

    /// Returns the number of units that a unit or a merge covers, which is 1 for a unit.
    pub fn num_merged(&self, unit: usize) -> usize {
        self.tree.units(unit).len()
    }

    /// Returns the number of words of the keys of a unit or a merge, which is roughly proportional to the work.
    pub fn words(&self, unit: usize) -> u64 {
        self.list.words()[self.tree.units(unit)].iter().map(|&words| u64::from(words)).sum()
    }

    /// Returns `true` if there is a fragment of a unit or a merge, or of a merge that contains it. The contents of the
    /// file are not checked.
    pub fn is_done(&self, unit: usize) -> bool {
        is_done(&self.folder, &self.tree, unit)
    }

    /// Returns the units and merges that can be computed now, because their inputs exist and their fragments do not.
    pub fn open_units(&self) -> impl Iterator<Item = usize> {
        (0..self.num_units()).filter(|&unit| !self.is_done(unit) && self.input_bytes(unit).is_some())
    }

    /// Returns the size in bytes of the input of a unit, or of the fragments of a merge, if they exist.
    pub fn input_bytes(&self, unit: usize) -> Option<u64> {
        if self.tree.is_unit(unit) {
            return disk::metadata(&input_path(&self.folder, unit)).ok().map(|found| found.len());
        }
        self.tree.children(unit).map(|child| self.bytes_of(child)).sum()
    }

    /// Returns the size in bytes of the fragment of a unit or a merge, if it exists.
    pub fn bytes_of(&self, unit: usize) -> Option<u64> {
        disk::metadata(&fragment_path(&self.folder, unit)).ok().map(|found| found.len())
    }

    /// Returns `true` if the units are still needed.
    pub fn stands(&self) -> bool {
        self.folder.join(LIST).exists()
    }

    /// Computes a unit or a merge if its fragment does not exist or has to be recreated, and returns `true` if there
    /// was anything to do. `moves` returns the moves with a given number.
    ///
    /// Cost: that of the unit, or of [`Passes::merge_some`] for a merge.
    ///
    /// # Errors
    /// Returns [`Error::UnitInput`] if its input is missing or damaged; [`Error::OtherUnits`] if it was planned for
    /// other moves; the errors of [`Passes::unit`]; any error of `means`; or [`Error::Io`].
    pub fn finish(
        &self,
        unit: usize,
        passes: &Passes,
        moves: impl FnOnce(u32) -> Result<Option<PassMoves>>,
        means: &Means<'_>,
    ) -> Result<bool> {
        if !self.tree.is_unit(unit) {
            return self.merge(unit, passes, means);
        }
        let path = input_path(&self.folder, unit);
        let input = match UnitInput::read(&path).map_err(of_input) {
            // The solving process already has the fragment and no longer needs the input.
            Err(Error::UnitInput { .. }) if self.is_done(unit) && !path.exists() => return Ok(false),
            input => input?,
        };
        let other = || Error::OtherUnits { path: path.clone() };
        finish(&fragment_path(&self.folder, unit), input.origin(), means.must_hold, || {
            let moves = moves(input.moves())?.ok_or_else(other)?;
            passes.unit(&input, &moves).map_err(|error| match error {
                nerode_dfa::Error::Corrupt { .. } | nerode_dfa::Error::ShapeMismatch(_) => other(),
                error => error.into(),
            })
        })
    }

    /// Computes a merge as [`Offer::finish`] does.
    fn merge(&self, unit: usize, passes: &Passes, means: &Means<'_>) -> Result<bool> {
        let origin = |unit| self.list.origin_of(self.tree.units(unit));
        let open = |unit| FragmentFile::open(&fragment_path(&self.folder, unit), &origin(unit));
        let path = fragment_path(&self.folder, unit);
        if !path.exists() && self.is_done(unit) {
            return Ok(false);
        }
        if let Some(child) = self.tree.children(unit).find(|&child| !self.is_done(child)) {
            return Err(Error::UnitWaits { unit: self.name(unit), lacks: self.name(child) });
        }
        let done = finish(&path, &origin(unit), means.must_hold, || {
            let fragments = self.tree.children(unit).map(open).collect::<nerode_dfa::Result<Vec<_>>>();
            Ok(passes.merge_some(fragments.map_err(of_input)?)?)
        });
        // The fragments are removed once another process has merged them.
        if done.is_err() && self.is_done(unit) { Ok(false) } else { done }
    }

    /// Calls `work` with a unit or a merge that can be computed, that no other process is working on, and that is not
    /// in `except`. Returns the result of `work`, or `None` if there is no such unit. The search begins at `first`.
    pub fn with_free<T>(
        &self,
        first: usize,
        except: &BTreeSet<usize>,
        work: impl FnOnce(usize) -> T,
    ) -> Option<T> {
        let mut open: Vec<usize> = self.open_units().filter(|unit| !except.contains(unit)).collect();
        let start = first % open.len().max(1);
        open.rotate_left(start);
        for unit in open {
            if let Claim::Ours(_claimed) = Claimed::take(&self.folder, unit)
                && !self.is_done(unit)
            {
                return Some(work(unit));
            }
        }
        None
    }
}

/// Converts the error of an input file of a unit.
fn of_input(error: nerode_dfa::Error) -> Error {
    match error {
        nerode_dfa::Error::Corrupt { path, reason } => Error::UnitInput { path, reason },
        nerode_dfa::Error::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            Error::UnitInput { path, reason: "it is missing".into() }
        }
        other => other.into(),
    }
}
