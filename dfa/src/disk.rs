//! Operations on files: those of `std::fs`, with one place where a test can make any of them fail.
//!
//! Invariant: what is kept on disk is read and written through this module, so that no operation is left out of such a test.
//! Failing is compiled into builds with debug assertions alone; in others the module is `std::fs` under another name.

use std::fs::{self, Metadata, Permissions, ReadDir, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fault::Operation;

mod fault;
mod mapped;
mod numbers;

pub(crate) use mapped::Mapped;
pub use mapped::release_mapped;
pub(crate) use numbers::{NumberReader, NumberWriter};

/// Does `operation`, unless a test lets it fail.
fn done<T>(operation: Operation, path: &Path, perform: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    fault::before(operation, path)?;
    perform()
}

/// The bytes of the file `path`.
///
/// # Errors
/// What the system says.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    done(Operation::Open, path, || fs::read(path))
}

/// The names in the directory `path`.
///
/// # Errors
/// What the system says.
pub fn read_dir(path: &Path) -> io::Result<ReadDir> {
    done(Operation::List, path, || fs::read_dir(path))
}

/// What the system knows about the file `path`, or about the one that it leads to.
///
/// # Errors
/// What the system says; [`io::ErrorKind::NotFound`] where nothing is there.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    done(Operation::Look, path, || fs::metadata(path))
}

/// Whether something is at `path`. Unlike [`Path::exists`] this tells "it is not there" from "nobody knows".
///
/// # Errors
/// What the system says where it does not know.
pub fn exists(path: &Path) -> io::Result<bool> {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory};
    match done(Operation::Look, path, || path.try_exists()) {
        // Nothing can have such a name.
        Err(e) if [InvalidFilename, InvalidInput, NotADirectory].contains(&e.kind()) => Ok(false),
        known => known,
    }
}

/// Makes the directory `path` with those above it; one that is there is left as it is.
///
/// # Errors
/// What the system says.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    done(Operation::MakeFolder, path, || fs::create_dir_all(path))
}

/// Gives `from` the name `to`, in the place of a file of that name.
///
/// # Errors
/// What the system says.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    done(Operation::Rename, to, || fs::rename(from, to))
}

/// Gives `from` the name `to` as well, which no file may have.
///
/// # Errors
/// What the system says.
pub fn hard_link(from: &Path, to: &Path) -> io::Result<()> {
    done(Operation::Link, to, || fs::hard_link(from, to))
}

/// Removes the file `path`.
///
/// # Errors
/// What the system says.
pub fn remove_file(path: &Path) -> io::Result<()> {
    done(Operation::Remove, path, || fs::remove_file(path))
}

/// The same for a file that may be gone by now.
///
/// # Errors
/// What the system says.
pub fn remove_file_if_there(path: &Path) -> io::Result<()> {
    match remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Removes the empty directory `path`.
///
/// # Errors
/// What the system says.
pub fn remove_dir(path: &Path) -> io::Result<()> {
    done(Operation::Remove, path, || fs::remove_dir(path))
}

/// Removes the directory `path` with all that is in it.
///
/// # Errors
/// What the system says.
pub fn remove_dir_all(path: &Path) -> io::Result<()> {
    done(Operation::Remove, path, || fs::remove_dir_all(path))
}

/// An open file.
#[derive(Debug)]
pub struct File(fs::File);

/// # Opening
impl File {
    /// The file `path`, to be read.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        done(Operation::Open, path, || fs::File::open(path).map(Self))
    }

    /// The file `path`, to be written from its beginning; made if it is not there.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> io::Result<Self> {
        done(Operation::Create, path, || fs::File::create(path).map(Self))
    }

    /// The file `path`, to be written, which must not be there yet.
    ///
    /// # Errors
    /// What the system says; [`io::ErrorKind::AlreadyExists`].
    pub fn create_new(path: &Path) -> io::Result<Self> {
        done(Operation::Create, path, || fs::File::create_new(path).map(Self))
    }

    /// The file, device or pipe `path`, which must be there, to be added to.
    ///
    /// # Errors
    /// What the system says.
    pub fn append(path: &Path) -> io::Result<Self> {
        done(Operation::Open, path, || fs::File::options().append(true).open(path).map(Self))
    }

    /// The file `path`, to be read and added to; made if it is not there.
    ///
    /// # Errors
    /// What the system says.
    pub fn log(path: &Path) -> io::Result<Self> {
        let options = || fs::File::options().create(true).read(true).append(true).open(path);
        done(Operation::Create, path, || options().map(Self))
    }

    /// A file without a name in the directory `folder`, which goes when it is closed.
    ///
    /// # Errors
    /// What the system says.
    pub fn nameless(folder: &Path) -> io::Result<Self> {
        done(Operation::Create, folder, || tempfile::tempfile_in(folder).map(Self))
    }
}

/// # An open file
impl File {
    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// What the system says: not all of it may be there then.
    pub fn sync_all(&self) -> io::Result<()> {
        fault::before(Operation::Sync, Path::new(""))?;
        self.0.sync_all()
    }

    /// Takes the lock of the file, if no other process has it.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] where another has it; what the system says.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        fault::before(Operation::Lock, Path::new("")).map_err(TryLockError::Error)?;
        self.0.try_lock()
    }

    /// Gives the lock back.
    ///
    /// # Errors
    /// What the system says.
    pub fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }

    /// What the system knows about the file.
    ///
    /// # Errors
    /// What the system says.
    pub fn metadata(&self) -> io::Result<Metadata> {
        fault::before(Operation::Look, Path::new(""))?;
        self.0.metadata()
    }

    /// Cuts the file off, or lengthens it with zeros, to so many bytes.
    ///
    /// # Errors
    /// What the system says.
    pub fn set_len(&self, bytes: u64) -> io::Result<()> {
        fault::before(Operation::Write, Path::new(""))?;
        self.0.set_len(bytes)
    }

    /// Says who may do what with the file.
    ///
    /// # Errors
    /// What the system says.
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
