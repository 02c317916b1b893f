//! The files of an image: where they are, and when one is made.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use nerode_dfa::disk;
use nerode_dfa::{Fragment, FragmentFile, Origin};

use super::tree::Tree;
use crate::error::{Error, Result};

/// The list of units that others may do, in the folder of the image.
pub(super) const LIST: &str = "list";
/// The same once it is taken back. Who goes on merges as the others did, and so finds their merges.
pub(super) const WITHDRAWN: &str = "withdrawn";

/// What units are done under.
pub struct Means<'a> {
    /// Refuses to write so many bytes at a path where they do not fit.
    pub must_hold: &'a dyn Fn(&Path, u64) -> Result<()>,
    /// Set to stop at the next safe point.
    pub interrupt: &'a AtomicBool,
}

/// The file of the fragment of a unit or a merge.
pub(super) fn fragment_path(folder: &Path, node: usize) -> PathBuf {
    folder.join(format!("unit-{node:06}"))
}

/// Whether a unit or a merge has a fragment, or a merge of it has, which are not looked at.
pub(super) fn is_done(folder: &Path, tree: &Tree, node: usize) -> bool {
    tree.upwards(node).any(|node| fragment_path(folder, node).exists())
}

/// Removes what a unit is made from, once its fragment is held.
pub(super) fn forget_input(folder: &Path, unit: usize) -> Result<()> {
    forget(input_path(folder, unit))
}

/// Removes a fragment, once a merge of it is held.
pub(super) fn forget_fragment(folder: &Path, node: usize) -> Result<()> {
    forget(fragment_path(folder, node))
}

fn forget(path: PathBuf) -> Result<()> {
    disk::remove_file_if_there(&path).map_err(|e| Error::io(path, e))
}

/// The file of what a unit is made from.
pub(super) fn input_path(folder: &Path, unit: usize) -> PathBuf {
    folder.join(format!("input-{unit:06}"))
}

/// Makes the fragment of a unit or a merge in the file `path`, if it is not there or has to be made again; whether it was made.
///
/// # Errors
/// Those of `make`; what `must_hold` refuses; [`Error::Io`].
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

/// Whether others could do the units of the image in `folder`, now or before a stop.
pub(super) fn was_shared(folder: &Path) -> bool {
    [LIST, WITHDRAWN].iter().any(|name| folder.join(name).exists())
}

/// Whether a file is not there, or no longer.
pub(super) fn is_absent(error: &nerode_dfa::Error) -> bool {
    let kinds = [ErrorKind::NotFound, ErrorKind::StaleNetworkFileHandle];
    matches!(error, nerode_dfa::Error::Io { source, .. } if kinds.contains(&source.kind()))
}

/// Whether a file that could not be read is to be made: it is missing, damaged, or of another version or plan.
pub(super) fn must_be_made(error: nerode_dfa::Error) -> Result<()> {
    match error {
        nerode_dfa::Error::Corrupt { .. } | nerode_dfa::Error::Version { .. } => Ok(()),
        error if is_absent(&error) => Ok(()),
        other => Err(other.into()),
    }
}
