//! The files of an image: their paths, and the conditions under which they are created.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use nerode_dfa::disk;
use nerode_dfa::{Fragment, FragmentFile, Origin};

use super::tree::Tree;
use crate::error::{Error, Result};

/// The list of units that other processes may compute, in the folder of the image.
pub(super) const LIST: &str = "list";
/// The name of the list after it was withdrawn. A process that continues uses the same merges as the others, so that it
/// finds their results.
pub(super) const WITHDRAWN: &str = "withdrawn";

/// The constraints on the computation of units.
pub struct Means<'a> {
    /// Returns an error if this number of bytes does not fit at a path.
    pub must_hold: &'a dyn Fn(&Path, u64) -> Result<()>,
    /// Stops the computation at the next safe point when set.
    pub interrupt: &'a AtomicBool,
}

/// Returns the path of the fragment of a unit or a merge.
pub(super) fn fragment_path(folder: &Path, node: usize) -> PathBuf {
    folder.join(format!("unit-{node:06}"))
}

/// Returns `true` if there is a fragment of a unit or a merge, or of a merge that contains it. The contents of the
/// files are not checked.
pub(super) fn is_done(folder: &Path, tree: &Tree, node: usize) -> bool {
    tree.upwards(node).any(|node| fragment_path(folder, node).exists())
}

/// Removes the input of a unit once its fragment exists.
pub(super) fn forget_input(folder: &Path, unit: usize) -> Result<()> {
    forget(input_path(folder, unit))
}

/// Removes a fragment once a merge that contains it exists.
pub(super) fn forget_fragment(folder: &Path, node: usize) -> Result<()> {
    forget(fragment_path(folder, node))
}

fn forget(path: PathBuf) -> Result<()> {
    disk::remove_file_if_there(&path).map_err(|e| Error::io(path, e))
}

/// Returns the path of the input of a unit.
pub(super) fn input_path(folder: &Path, unit: usize) -> PathBuf {
    folder.join(format!("input-{unit:06}"))
}

/// Creates the fragment of a unit or a merge in the file `path` if it does not exist or has to be recreated, and
/// returns `true` if it was created.
///
/// # Errors
/// Returns any error of `make` or `must_hold`, or [`Error::Io`].
pub(super) fn finish(
    path: &Path,
    origin: &Origin,
    must_hold: impl Fn(&Path, u64) -> Result<()>,
    make: impl FnOnce() -> Result<Fragment>,
) -> Result<bool> {
    match FragmentFile::open(path, origin) {
        Ok(_) => return Ok(false),
        Err(e) => must_be_made(e)?,
    }
    let fragment = make()?;
    must_hold(path, fragment.bytes())?;
    fragment.write(path, origin)?;
    Ok(true)
}

/// Returns `true` if other processes may compute the units of the image in `folder`, or might have before an
/// interruption.
pub(super) fn was_shared(folder: &Path) -> bool {
    [LIST, WITHDRAWN].iter().any(|name| folder.join(name).exists())
}

/// Returns `true` if a file does not exist, or no longer exists.
pub(super) fn is_absent(error: &nerode_dfa::Error) -> bool {
    let kinds = [ErrorKind::NotFound, ErrorKind::StaleNetworkFileHandle];
    matches!(error, nerode_dfa::Error::Io { source, .. } if kinds.contains(&source.kind()))
}

/// Succeeds if a file that could not be read has to be recreated because it is missing, damaged, or belongs to another
/// version or plan. Otherwise, returns the error.
pub(super) fn must_be_made(error: nerode_dfa::Error) -> Result<()> {
    match error {
        nerode_dfa::Error::Corrupt { .. } | nerode_dfa::Error::Version { .. } => Ok(()),
        error if is_absent(&error) => Ok(()),
        other => Err(other.into()),
    }
}
