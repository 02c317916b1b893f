//! Atomic file writes: the files of a solution are written by [`write_atomic`], so that a file is either complete or
//! absent. The implementation is in [`nerode_dfa`]; this module reports its failures as [`Error`].
//!
//! Invariant: a file under its final name is complete and has reached the disk. A write that fails, because the disk is
//! full or because the contents could not be produced, leaves no file of its own behind and does not change an existing
//! file of the same name.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::{Error, Result};
use nerode_dfa::disk::{self, File};

pub use nerode_dfa::Hashing;
use nerode_dfa::unfinished;

/// Removes temporary files left by killed writers in the directory `path`, for files whose names begin with `prefix`.
/// Only files named by [`write_atomic`] are removed. The caller must be the only writer of these files.
///
/// # Errors
/// Returns [`Error::Io`].
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

/// Removes temporary files left by killed writers of the file `path`. Files that other processes are still writing are
/// kept.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn remove_abandoned(path: &Path) -> Result<()> {
    nerode_dfa::remove_abandoned(path).map(drop).map_err(|e| Error::io(path, e))
}

/// Calls [`remove_abandoned`] for every file in the directory `folder`.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn remove_abandoned_in(folder: &Path) -> Result<()> {
    nerode_dfa::remove_abandoned_in(folder).map(drop).map_err(|e| Error::io(folder, e))
}

/// Writes the file `path` using `fill`, and returns the result of `fill`. The data is first written to a temporary file
/// and synchronised to disk; then the file is renamed to `path` and the directory synchronised. Symbolic links are
/// followed. A device or pipe is written to directly.
///
/// *Cost*: that of `fill`, and two synchronisations of the disk.
///
/// # Errors
/// Returns [`Error::Io`] if the file cannot be created, written (for example because the disk is full), synchronised or
/// renamed, and any error of `fill`. After an error, `path` is unchanged.
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

/// Writes a file as [`write_atomic`] does. Without `overwrite`, the file must not exist yet, and at most one of several
/// concurrent writers succeeds. Removes temporary files left by killed writers of the file.
///
/// # Errors
/// Returns the same errors as [`write_atomic`]. Without `overwrite`, also returns [`Error::Io`] for a file that exists
/// or is being written by another process.
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

/// Calls [`write_for_user`] for contents that are already in memory.
///
/// # Errors
/// Returns the same errors as [`write_for_user`].
pub fn write_bytes_for_user(path: &Path, overwrite: bool, bytes: &[u8]) -> Result<()> {
    write_for_user(path, overwrite, |writer| writer.write_all(bytes).map_err(|e| Error::io(path, e)))
}

/// Calls [`write_atomic`] for contents that are already in memory.
///
/// # Errors
/// Returns [`Error::Io`] as for [`write_atomic`].
pub fn write_bytes_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomic(path, |writer| writer.write_all(bytes).map_err(|e| Error::io(path, e)))
}

/// The length of the digest at the end of a table or of the file of a sector.
pub(crate) const DIGEST_BYTES: u64 = 32;

/// Returns an error unless the digest at the end of the file is that of all bytes before.
///
/// Cost: reads the whole file.
///
/// # Errors
/// Returns [`Error::Corrupt`] if the digest differs, or [`Error::Io`].
pub(crate) fn verify_digest(file: &mut File, path: &Path) -> Result<()> {
    let io = |e| Error::io(path, e);
    let bytes = file.seek(SeekFrom::End(0)).map_err(io)?;
    file.rewind().map_err(io)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader((&*file).take(bytes.saturating_sub(DIGEST_BYTES))).map_err(io)?;
    let mut stored = [0; 32];
    file.read_exact(&mut stored).map_err(io)?;
    if blake3::Hash::from_bytes(stored) == hasher.finalize() {
        return Ok(());
    }
    Err(Error::corrupt(path, "its digest differs from its contents: at least one byte is damaged"))
}

/// Returns the error that the file `path`, which ends in the digest of all bytes before, is damaged, if it is, or else `error`. A reader
/// calls this if a header contradicts the other information about the file, since the header of a damaged file may name another game or version.
///
/// Cost: reads the whole file, unless `error` already means that it is damaged or cannot be read.
pub fn damaged_or(path: &Path, error: Error) -> Error {
    if matches!(
        error,
        Error::Io { .. } | Error::Corrupt { .. } | Error::OtherContents { .. } | Error::Interrupted
    ) {
        return error;
    }
    let checked =
        File::open(path).map_err(|e| Error::io(path, e)).and_then(|mut file| verify_digest(&mut file, path));
    match checked {
        Err(damaged @ Error::Corrupt { .. }) => damaged,
        _ => error,
    }
}

/// A writer that counts the bytes it passes on.
pub struct Counted<W> {
    to: W,
    bytes: u64,
}

impl<W: Write> Counted<W> {
    /// Creates a writer that passes its bytes on to `to`.
    pub fn new(to: W) -> Self {
        Self { to, bytes: 0 }
    }

    /// Returns the number of bytes passed on so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the underlying writer.
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
