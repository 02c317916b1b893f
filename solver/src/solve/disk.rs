//! Checks of free disk space before a file is written, because a disk that becomes full during a ply would cost the
//! work on that ply.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Dfa;

use crate::error::{Error, Result};

/// The number of bytes that are left free for other programs.
pub const MARGIN: u64 = 64 << 20;

/// A function that returns the number of free bytes at the location of a file, or `None` if it is unknown.
type FreeSpace = dyn Fn(&Path) -> Option<u64> + Send + Sync;

/// The disk to which files are written.
#[derive(Clone)]
pub struct Disk {
    free: Arc<FreeSpace>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

impl Default for Disk {
    /// Returns a disk whose free space is reported by the file system.
    fn default() -> Self {
        Self::with_free_space(free_space)
    }
}

/// Returns the number of free bytes at `path`, or at its nearest existing ancestor. It is unknown for a device or a
/// pipe.
fn free_space(path: &Path) -> Option<u64> {
    if path.exists() && !path.is_file() && !path.is_dir() {
        return None;
    }
    let there = path.ancestors().find(|at| at.exists()).filter(|at| !at.as_os_str().is_empty());
    fs4::available_space(there.unwrap_or(Path::new("."))).ok()
}

impl Disk {
    /// Creates a disk whose number of free bytes is reported by `free`; `None` means unknown.
    pub fn with_free_space(free: impl Fn(&Path) -> Option<u64> + Send + Sync + 'static) -> Self {
        Self { free: Arc::new(free) }
    }

    /// Returns the number of bytes that may be written at `path`: the free space minus the margin. Returns `None` if
    /// the file system does not report it.
    pub fn room(&self, path: &Path) -> Option<u64> {
        (self.free)(path).map(|free| free.saturating_sub(MARGIN))
    }

    /// Returns an error if `bytes` at `path` would not leave the margin free. Always succeeds if the file system does
    /// not report the free space.
    ///
    /// # Errors
    /// Returns [`Error::DiskFull`].
    pub fn must_hold(&self, path: &Path, bytes: u64) -> Result<()> {
        match (self.free)(path) {
            Some(free) if free < bytes.saturating_add(MARGIN) => Err(Error::DiskFull {
                path: path.into(),
                needed_bytes: bytes,
                free_bytes: free,
                margin_bytes: MARGIN,
            }),
            _ => Ok(()),
        }
    }
}

/// Returns an upper bound for the size of the file of `set` in bytes. Only sets that are more random than any observed
/// so far could exceed it.
pub fn file_bytes(set: &Dfa) -> u64 {
    let shape = set.shape();
    let transitions =
        (0..shape.num_layers()).map(|layer| set.num_states_in(layer) * shape.num_letters(layer));
    FILE_BYTES + BYTES_A_TRANSITION * transitions.sum::<usize>() as u64
}

/// The approximate size of a file in bytes, excluding its transitions.
const FILE_BYTES: u64 = 4096;

/// The bytes for each transition. Breakthrough needs at most 1.7.
const BYTES_A_TRANSITION: u64 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_would_use_the_margin_are_refused() {
        let path = Path::new("somewhere");
        let disk = Disk::with_free_space(|_| Some(MARGIN + 10));
        assert!(disk.must_hold(path, 10).is_ok());
        let refused = disk.must_hold(path, 11).unwrap_err().to_string();
        for part in ["somewhere", "11 bytes", "64.0 MiB"] {
            assert!(refused.contains(part), "{part}: {refused}");
        }
        assert!(Disk::with_free_space(|_| Some(0)).must_hold(path, 0).is_err());
        assert!(disk.must_hold(path, u64::MAX).is_err());
        assert_eq!((disk.room(path), Disk::with_free_space(|_| Some(1)).room(path)), (Some(10), Some(0)));
    }

    #[test]
    fn unknown_free_space_refuses_nothing() {
        assert!(Disk::with_free_space(|_| None).must_hold(Path::new("x"), u64::MAX).is_ok());
    }

    #[test]
    fn free_space_is_that_at_the_future_file() {
        let folder = tempfile::tempdir().unwrap();
        let room = |path: &Path| Disk::default().room(path);
        assert!(room(&folder.path().join("not/yet/there")).is_some());
        assert!(room(Path::new("nor-this")).is_some());
        #[cfg(unix)]
        assert!(room(Path::new("/dev/null")).is_none());
    }
}
