//! The files of a solution, wherever they are: in a directory, in memory, or behind the range requests of a host.

use std::io;
#[cfg(feature = "disk")]
use std::path::PathBuf;

#[cfg(feature = "disk")]
use nerode_dfa::disk::{self, File};
use nerode_dfa::packed::ReadAt;

/// A source of files by name. Several threads may use it at the same time.
pub trait Folder: Send + Sync {
    /// Opens the file `name`.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::NotFound`] if no file has this name, or the error of the system.
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadAt>>;

    /// Reads the file `name` completely.
    ///
    /// # Errors
    /// Returns the same errors as [`Folder::open`], or [`io::ErrorKind::OutOfMemory`].
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = self.open(name)?;
        let too_long = || io::Error::from(io::ErrorKind::OutOfMemory);
        let len = usize::try_from(file.num_bytes()?).map_err(|_| too_long())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| too_long())?;
        bytes.resize(len, 0);
        file.read_at(0, &mut bytes)?;
        Ok(bytes)
    }
}

/// The directory with this path.
#[cfg(feature = "disk")]
impl Folder for PathBuf {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadAt>> {
        Ok(Box::new(File::open(&self.join(name))?))
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        disk::read(&self.join(name))
    }
}
