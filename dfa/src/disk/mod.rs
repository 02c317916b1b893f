//! File operations: those of `std::fs`, with a single place at which a test can make any of them fail.
//!
//! Invariant: all persistent files are read and written through this module, so that such a test covers every
//! operation. Fault injection is compiled only into builds with debug assertions. In all other builds, this module is a
//! thin wrapper around `std::fs`.

use std::fs::{self, Metadata, Permissions, ReadDir, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fault::Operation;

mod fault;
#[cfg(feature = "engine")]
mod mapped;
#[cfg(feature = "engine")]
mod numbers;

#[cfg(feature = "engine")]
pub(crate) use mapped::Mapped;
#[cfg(feature = "engine")]
pub use mapped::release_mapped;
#[cfg(feature = "engine")]
pub(crate) use numbers::{NumberReader, NumberWriter};

/// Performs `operation`, unless a test makes it fail.
fn done<T>(operation: Operation, path: &Path, perform: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    fault::before(operation, path)?;
    perform()
}

/// Reads the entire contents of the file `path`.
///
/// # Errors
/// Returns the error of the operating system.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    done(Operation::Open, path, || fs::read(path))
}

/// Returns an iterator over the entries of the directory `path`.
///
/// # Errors
/// Returns the error of the operating system.
pub fn read_dir(path: &Path) -> io::Result<ReadDir> {
    done(Operation::List, path, || fs::read_dir(path))
}

/// Returns the metadata of the file `path`, following symbolic links.
///
/// # Errors
/// Returns the error of the operating system, which is [`io::ErrorKind::NotFound`] if the file does not exist.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    done(Operation::Look, path, || fs::metadata(path))
}

/// Returns `true` if `path` exists. Unlike [`Path::exists`], this function distinguishes a missing file from a failed
/// query.
///
/// # Errors
/// Returns the error of the operating system if it cannot determine whether the file exists.
pub fn exists(path: &Path) -> io::Result<bool> {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory};
    match done(Operation::Look, path, || path.try_exists()) {
        // A file cannot have such a name.
        Err(e) if [InvalidFilename, InvalidInput, NotADirectory].contains(&e.kind()) => Ok(false),
        known => known,
    }
}

/// Creates the directory `path` and all missing parents. Does nothing if the directory already exists.
///
/// # Errors
/// Returns the error of the operating system.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    done(Operation::MakeFolder, path, || fs::create_dir_all(path))
}

/// Renames `from` to `to`, and replaces an existing file of that name.
///
/// # Errors
/// Returns the error of the operating system.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    done(Operation::Rename, to, || fs::rename(from, to))
}

/// Creates a hard link `to` for the file `from`. No file named `to` may exist.
///
/// # Errors
/// Returns the error of the operating system.
pub fn hard_link(from: &Path, to: &Path) -> io::Result<()> {
    done(Operation::Link, to, || fs::hard_link(from, to))
}

/// Removes the file `path`.
///
/// # Errors
/// Returns the error of the operating system.
pub fn remove_file(path: &Path) -> io::Result<()> {
    done(Operation::Remove, path, || fs::remove_file(path))
}

/// Removes the file `path`, and succeeds if it no longer exists.
///
/// # Errors
/// Returns the error of the operating system.
pub fn remove_file_if_there(path: &Path) -> io::Result<()> {
    match remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Removes the empty directory `path`.
///
/// # Errors
/// Returns the error of the operating system.
pub fn remove_dir(path: &Path) -> io::Result<()> {
    done(Operation::Remove, path, || fs::remove_dir(path))
}

/// Removes the directory `path` with all of its contents.
///
/// # Errors
/// Returns the error of the operating system.
pub fn remove_dir_all(path: &Path) -> io::Result<()> {
    done(Operation::Remove, path, || fs::remove_dir_all(path))
}

/// An open file.
#[derive(Debug)]
pub struct File(fs::File);

/// # Opening
impl File {
    /// Opens the file `path` for reading.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn open(path: &Path) -> io::Result<Self> {
        done(Operation::Open, path, || fs::File::open(path).map(Self))
    }

    /// Opens the file `path` for writing and truncates it. Creates the file if it does not exist.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn create(path: &Path) -> io::Result<Self> {
        done(Operation::Create, path, || fs::File::create(path).map(Self))
    }

    /// Creates the file `path` for writing. The file must not exist yet.
    ///
    /// # Errors
    /// Returns the error of the operating system, which is [`io::ErrorKind::AlreadyExists`] if the file exists.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        done(Operation::Create, path, || fs::File::create_new(path).map(Self))
    }

    /// Opens the existing file, device or pipe `path` for appending.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn append(path: &Path) -> io::Result<Self> {
        done(Operation::Open, path, || fs::File::options().append(true).open(path).map(Self))
    }

    /// Opens the file `path` for reading and appending. Creates the file if it does not exist.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn log(path: &Path) -> io::Result<Self> {
        let options = || fs::File::options().create(true).read(true).append(true).open(path);
        done(Operation::Create, path, || options().map(Self))
    }

    /// Creates a file without a name in the directory `folder`. The file is deleted when it is closed.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    #[cfg(feature = "engine")]
    pub fn nameless(folder: &Path) -> io::Result<Self> {
        done(Operation::Create, folder, || tempfile::tempfile_in(folder).map(Self))
    }
}

/// # Open files
impl File {
    /// Waits until all written data has reached the disk.
    ///
    /// # Errors
    /// Returns the error of the operating system; in this case, some of the data may be lost.
    pub fn sync_all(&self) -> io::Result<()> {
        fault::before(Operation::Sync, Path::new(""))?;
        self.0.sync_all()
    }

    /// Acquires the lock of the file, if no other process holds it.
    ///
    /// # Errors
    /// Returns [`TryLockError::WouldBlock`] if another process holds the lock, or the error of the operating system.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        fault::before(Operation::Lock, Path::new("")).map_err(TryLockError::Error)?;
        self.0.try_lock()
    }

    /// Returns `true` if the lock of the file is held through another handle, usually by another process.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let found = self.0.try_lock_shared();
        if found.is_ok() {
            let _ = self.0.unlock();
        }
        matches!(found, Err(TryLockError::WouldBlock))
    }

    /// Releases the lock.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }

    /// Returns the metadata of the file.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn metadata(&self) -> io::Result<Metadata> {
        fault::before(Operation::Look, Path::new(""))?;
        self.0.metadata()
    }

    /// Truncates the file, or extends it with zeros, to `bytes` bytes.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn set_len(&self, bytes: u64) -> io::Result<()> {
        fault::before(Operation::Write, Path::new(""))?;
        self.0.set_len(bytes)
    }

    /// Fills `bytes` with those from byte `at` of the file on. Several threads may read at the same time.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::UnexpectedEof`] if the file ends too early, or the error of the operating system.
    pub fn read_exact_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        fault::before(Operation::Read, Path::new(""))?;
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_exact_at(&self.0, bytes, at);
        #[cfg(windows)]
        {
            let mut done = 0;
            while done < bytes.len() {
                let place = at + done as u64;
                match std::os::windows::fs::FileExt::seek_read(&self.0, &mut bytes[done..], place)? {
                    0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                    count => done += count,
                }
            }
            Ok(())
        }
    }

    /// Writes `bytes` from byte `at` of the file on. Several threads may write at the same time, to different places.
    ///
    /// # Errors
    /// Returns the error of the operating system; in this case, some of the bytes may be written.
    pub fn write_all_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let taken = fault::taken(bytes.len() - done)?;
            let (place, part) = (at + done as u64, &bytes[done..done + taken]);
            #[cfg(unix)]
            let written = std::os::unix::fs::FileExt::write_at(&self.0, part, place)?;
            #[cfg(windows)]
            let written = std::os::windows::fs::FileExt::seek_write(&self.0, part, place)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            done += written;
        }
        Ok(())
    }

    /// Changes the permissions of the file.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        fault::before(Operation::Look, Path::new(""))?;
        self.0.set_permissions(permissions)
    }
}

impl Read for &File {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        fault::before(Operation::Read, Path::new(""))?;
        (&self.0).read(bytes)
    }
}

impl Read for File {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        (&*self).read(bytes)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = fault::taken(bytes.len())?;
        self.0.write(&bytes[..taken])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
