//! Files that are whole or absent: everything this library leaves on disk goes through [`write_atomic`].
//!
//! Invariant: a file under its final name was written completely and reached the disk; a write that fails, whether the
//! disk is full or the contents could not be produced, leaves no file of its own behind, and an older file of the same
//! name as it was.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};
use nerode_dfa::disk::{self, File};

pub use nerode_dfa::Hashing;
use nerode_dfa::unfinished;

/// Removes what killed writers have left in the directory `path`, of files whose names begin with `prefix`. Only names that
/// [`write_atomic`] gives are removed. For one who alone may write these files.
///
/// # Errors
/// [`Error::Io`].
pub fn remove_unfinished(path: &Path, prefix: &str) -> Result<()> {
    let io = |e| Error::io(path, e);
    for entry in disk::read_dir(path).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = entry.file_name();
        let is_ours = |name: &str| unfinished(name).is_some_and(|written| written.starts_with(prefix));
        if name.to_str().is_some_and(is_ours) && entry.file_type().map_err(io)?.is_file() {
            disk::remove_file(&entry.path()).map_err(|e| Error::io(entry.path(), e))?;
        }
    }
    Ok(())
}

/// Removes what killed writers of the file `path` have left unfinished. What others are writing stays.
///
/// # Errors
/// [`Error::Io`].
pub fn remove_abandoned(path: &Path) -> Result<()> {
    nerode_dfa::remove_abandoned(path).map(drop).map_err(|e| Error::io(path, e))
}

/// [`remove_abandoned`] for every file in the directory `folder`.
///
/// # Errors
/// [`Error::Io`].
pub fn remove_abandoned_in(folder: &Path) -> Result<()> {
    nerode_dfa::remove_abandoned_in(folder).map(drop).map_err(|e| Error::io(folder, e))
}

/// Writes the file `path` by `fill`, and gives what `fill` gave: first under a temporary name, then synchronised to the disk,
/// then renamed to `path`, then the directory synchronised. Symbolic links are followed; a device or a pipe is written through.
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
/// nerode_solver::archive::files::write_atomic(&path, |w| {
///     writeln!(w, "whole or absent").map_err(|e| nerode_solver::error::Error::io("text", e))
/// })?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole or absent\n");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), nerode_solver::error::Error>(())
/// ```
pub fn write_atomic<T>(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    nerode_dfa::write_atomic(path, |e| Error::io(path, e), fill)
}

/// [`write_atomic`] with `overwrite`; else for a file that must not be there yet, of whose writers at most one succeeds. What
/// killed writers of the file have left unfinished is removed.
///
/// # Errors
/// As [`write_atomic`]; [`Error::Io`] without `overwrite` for a file that is there, or that another process writes.
pub fn write_for_user<T>(
    path: &Path,
    overwrite: bool,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
    let io = |e| Error::io(path, e);
    if !overwrite {
        return nerode_dfa::write_new(path, io, fill);
    }
    if path.is_file() {
        remove_abandoned(&nerode_dfa::end_of_links(path).map_err(io)?)?;
    }
    write_atomic(path, fill)
}

/// [`write_for_user`] for contents already in memory.
///
/// # Errors
/// As there.
pub fn write_bytes_for_user(path: &Path, overwrite: bool, bytes: &[u8]) -> Result<()> {
    write_for_user(path, overwrite, |writer| writer.write_all(bytes).map_err(|e| Error::io(path, e)))
}

/// [`write_atomic`] for contents already in memory.
///
/// # Errors
/// [`Error::Io`] as for [`write_atomic`].
pub fn write_bytes_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomic(path, |writer| writer.write_all(bytes).map_err(|e| Error::io(path, e)))
}

/// A writer that counts the bytes that it hands on.
pub struct Counted<W> {
    to: W,
    bytes: u64,
}

impl<W: Write> Counted<W> {
    /// Hands on to `to`.
    pub fn new(to: W) -> Self {
        Self { to, bytes: 0 }
    }

    /// Bytes handed on so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What the bytes were handed to.
    pub fn into_inner(self) -> W {
        self.to
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn writers_of_one_path_do_not_meet() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("value.bin");
        write_atomic(&path, |outer| {
            outer.write_all(b"outer").map_err(|e| Error::io(&path, e))?;
            write_bytes_atomic(&path, b"inner")
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"outer");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_killed_writers_left_is_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let foreign = ["a.dfa", "a.dfa.tmp", "notes.tmp", "a.dfa.7-0.tmp"];
        for name in foreign.into_iter().chain(["a.dfa.unfinished-7-0.tmp", "b.dfa.unfinished-9-4.tmp"]) {
            fs::write(dir.path().join(name), b"x").unwrap();
        }
        let left = || fs::read_dir(dir.path()).unwrap().count();
        remove_unfinished(dir.path(), "a.dfa").unwrap();
        assert_eq!(left(), foreign.len() + 1);
        remove_unfinished(dir.path(), "").unwrap();
        assert_eq!(left(), foreign.len());
    }
}
