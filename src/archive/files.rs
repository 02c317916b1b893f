//! Files that are whole or absent: everything this library leaves on disk goes through [`write_atomic`].
//!
//! Invariant: a file under its final name was written completely and reached the disk; a write that fails, whether the
//! disk is full or the contents could not be produced, leaves no file of its own behind, and an older file of the same
//! name as it was.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The name under which `path` is written until it is complete: `path` with `.tmp` appended.
pub fn temporary_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(".tmp");
    PathBuf::from(name)
}

/// Removes the unfinished file unless it was renamed, also when the writer panics.
struct Unfinished {
    path: PathBuf,
    renamed: bool,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing more can be done if this fails as well; the write's own error is already on its way.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes the file `path` by `fill`, and gives what `fill` gave: first under [`temporary_name`], then synchronised to
/// the disk, then renamed to `path`, then the directory synchronised.
///
/// *Cost*: that of `fill`, and two synchronisations of the disk.
///
/// # Errors
/// [`Error::Io`] when the file cannot be made, written (a full disk among others), synchronised or renamed; whatever
/// `fill` returns. After an error `path` is as it was before.
///
/// # Examples
/// ```
/// use std::io::Write;
/// let dir = std::env::temp_dir();
/// let path = dir.join("nerode-doc-write-atomic.txt");
/// nerode::archive::files::write_atomic(&path, |w| {
///     writeln!(w, "whole or absent").map_err(|e| nerode::error::Error::io("text", e))
/// })?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole or absent\n");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), nerode::error::Error>(())
/// ```
pub fn write_atomic<T>(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let temporary = temporary_name(path);
    let file = File::create(&temporary).map_err(|e| Error::io(&temporary, e))?;
    let mut unfinished = Unfinished { path: temporary, renamed: false };
    let mut writer = BufWriter::with_capacity(1 << 18, file);
    let filled = fill(&mut writer);
    let value = match filled {
        Ok(value) => value,
        Err(error) => {
            // Dropping a buffered writer would try to write the rest of the buffer once more.
            let _ = writer.into_parts();
            return Err(error);
        }
    };
    let file = writer.into_inner().map_err(|e| Error::io(path, e.into_error()))?;
    file.sync_all().map_err(|e| Error::io(path, e))?;
    drop(file);
    fs::rename(&unfinished.path, path).map_err(|e| Error::io(path, e))?;
    unfinished.renamed = true;
    sync_directory(path).map_err(|e| Error::io(path.parent().unwrap_or(path), e)).map(|()| value)
}

/// [`write_atomic`] for contents already in memory.
///
/// # Errors
/// [`Error::Io`] as for [`write_atomic`].
pub fn write_bytes_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomic(path, |writer| writer.write_all(bytes).map_err(|e| Error::io(path, e)))
}

/// A writer that takes the digest of what passes, to be written last.
pub(crate) struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<W: Write> Hashing<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, hasher: blake3::Hasher::new(), bytes: 0 }
    }

    /// Writes the digest of all that was written; the number of bytes, digest included.
    pub(crate) fn finish(mut self) -> std::io::Result<u64> {
        let digest = *self.hasher.finalize().as_bytes();
        self.write_all(&digest)?;
        Ok(self.bytes)
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.hasher.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

/// The right to write what a lock file stands for, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process being started at this moment has a copy of it for an instant.
        let _ = self.0.unlock();
    }
}

/// Takes the lock file `path`, an advisory lock of the system that ends with the process; `None` while another process holds it.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn try_lock(path: &Path) -> Result<Option<Lock>> {
    let file = File::create(path).map_err(|e| Error::io(path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(e)) => Err(Error::io(path, e)),
    }
}

/// Makes the renaming itself durable, where the system can synchronise a directory.
fn sync_directory(path: &Path) -> std::io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        Some(_) => File::open(".")?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_old_file_and_leaves_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("value.bin");
        write_bytes_atomic(&path, b"old").unwrap();
        write_bytes_atomic(&path, b"new and longer").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new and longer");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failing_writer_keeps_the_old_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("value.bin");
        write_bytes_atomic(&path, b"old").unwrap();
        let failed: Result<()> = write_atomic(&path, |w| {
            w.write_all(b"half").map_err(|e| Error::io(&path, e))?;
            Err(Error::Interrupted)
        });
        assert!(matches!(failed, Err(Error::Interrupted)));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("absent").join("value.bin");
        assert!(matches!(write_bytes_atomic(&path, b"x"), Err(Error::Io { .. })));
    }

    // `/dev/full` refuses every byte as a full disk does; the temporary name leads there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_leaves_nothing() {
        for len in [10, 1 << 20] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("value.bin");
            std::os::unix::fs::symlink("/dev/full", temporary_name(&path)).unwrap();
            match write_bytes_atomic(&path, &vec![7; len]) {
                Err(Error::Io { source, .. }) => {
                    assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
                }
                other => panic!("expected a full disk, got {other:?}"),
            }
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        }
    }
}
