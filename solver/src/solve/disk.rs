//! Free disk, looked at before something is written: a full disk in the middle of a ply costs the ply.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Dfa;

use crate::error::{Error, Result};

/// Bytes that are left free for others.
pub const MARGIN: u64 = 64 << 20;

/// Who says how many bytes are free where a file is to be; `None` where nobody knows.
type Told = dyn Fn(&Path) -> Option<u64> + Send + Sync;

/// The disk that files go to.
#[derive(Clone)]
pub struct Disk {
    free: Arc<Told>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

impl Default for Disk {
    /// Free space as the file system tells it.
    fn default() -> Self {
        Self::told(told_by_file_system)
    }
}

/// Bytes free at `path`, or at the nearest directory above it that exists; not known of a device or a pipe.
fn told_by_file_system(path: &Path) -> Option<u64> {
    if path.exists() && !path.is_file() && !path.is_dir() {
        return None;
    }
    let there = path.ancestors().find(|at| at.exists()).filter(|at| !at.as_os_str().is_empty());
    fs4::available_space(there.unwrap_or(Path::new("."))).ok()
}

impl Disk {
    /// A disk with as many free bytes as `free` says; `None`: it is not known.
    pub fn told(free: impl Fn(&Path) -> Option<u64> + Send + Sync + 'static) -> Self {
        Self { free: Arc::new(free) }
    }

    /// Bytes that may be written at `path`: what is free, less the margin. `None` where the file system does not tell.
    pub fn room(&self, path: &Path) -> Option<u64> {
        (self.free)(path).map(|free| free.saturating_sub(MARGIN))
    }

    /// Refuses to write `bytes` at `path` where they do not fit beside the margin. Nothing is refused where the file system
    /// does not tell what is free.
    ///
    /// # Errors
    /// [`Error::DiskFull`].
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

/// Bytes that the file of `set` takes at most, but for sets as random as none was seen to be.
pub fn file_bytes(set: &Dfa) -> u64 {
    let shape = set.shape();
    let transitions =
        (0..shape.num_layers()).map(|layer| set.num_states_in(layer) * shape.num_letters(layer));
    FILE_BYTES + BYTES_A_TRANSITION * transitions.sum::<usize>() as u64
}

/// Bytes of a file beside its transitions, about.
const FILE_BYTES: u64 = 4096;

/// Breakthrough takes 1.7 at most.
const BYTES_A_TRANSITION: u64 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_beside_the_margin_is_refused() {
        let path = Path::new("somewhere");
        let disk = Disk::told(|_| Some(MARGIN + 10));
        assert!(disk.must_hold(path, 10).is_ok());
        let refused = disk.must_hold(path, 11).unwrap_err().to_string();
        for part in ["somewhere", "11 bytes", "64.0 MiB"] {
            assert!(refused.contains(part), "{part}: {refused}");
        }
        assert!(Disk::told(|_| Some(0)).must_hold(path, 0).is_err());
        assert!(disk.must_hold(path, u64::MAX).is_err());
        assert_eq!((disk.room(path), Disk::told(|_| Some(1)).room(path)), (Some(10), Some(0)));
    }

    #[test]
    fn a_file_system_that_does_not_tell_refuses_nothing() {
        assert!(Disk::told(|_| None).must_hold(Path::new("x"), u64::MAX).is_ok());
    }

    #[test]
    fn the_file_system_is_asked_where_the_file_will_be() {
        let folder = tempfile::tempdir().unwrap();
        let room = |path: &Path| Disk::default().room(path);
        assert!(room(&folder.path().join("not/yet/there")).is_some());
        assert!(room(Path::new("nor-this")).is_some());
        #[cfg(unix)]
        assert!(room(Path::new("/dev/null")).is_none());
    }
}
