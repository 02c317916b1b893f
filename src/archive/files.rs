//! Files that are whole or absent: everything this library leaves on disk goes through [`write_atomic`].
//!
//! Invariant: a file under its final name was written completely and reached the disk; a write that fails, whether the
//! disk is full or the contents could not be produced, leaves no file of its own behind, and an older file of the same
//! name as it was.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

pub(crate) use nerode_dfa::Hashing;

/// What the names of unfinished files end with.
const UNFINISHED: &str = ".tmp";

/// Makes the file under which `path` is written until it is complete: its name begins with that of `path`, ends with `.tmp` and
/// is no other file's, so that two writers of one path do not meet.
fn unfinished_file(path: &Path) -> Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(path.as_os_str());
        name.push(format!(".{}-{number}{UNFINISHED}", std::process::id()));
        let name = PathBuf::from(name);
        match File::create_new(&name) {
            Ok(file) => return Ok((file, name)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::io(path, e)),
        }
    }
}

/// Removes what killed writers have left in the directory `path`, of files whose names begin with `prefix`. For one who alone
/// may write these.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn remove_unfinished(path: &Path, prefix: &str) -> Result<()> {
    let io = |e| Error::io(path, e);
    for entry in fs::read_dir(path).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = entry.file_name();
        let is_unfinished = |name: &str| name.starts_with(prefix) && name.ends_with(UNFINISHED);
        if name.to_str().is_some_and(is_unfinished) && entry.file_type().map_err(io)?.is_file() {
            fs::remove_file(entry.path()).map_err(|e| Error::io(entry.path(), e))?;
        }
    }
    Ok(())
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

/// Writes the file `path` by `fill`, and gives what `fill` gave: first under a temporary name, then synchronised to the disk,
/// then renamed to `path`, then the directory synchronised.
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
    let (file, temporary) = unfinished_file(path)?;
    fill_and_rename(file, temporary, path, fill)
}

/// [`write_atomic`] with the file, called `temporary`, that becomes `path`.
fn fill_and_rename<T>(
    file: File,
    temporary: PathBuf,
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
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

    // `/dev/full` refuses every byte as a full disk does.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_leaves_nothing() {
        for len in [10, 1 << 20] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("value.bin");
            let temporary = dir.path().join("value.bin.tmp");
            std::os::unix::fs::symlink("/dev/full", &temporary).unwrap();
            let full = File::options().write(true).open("/dev/full").unwrap();
            let fill = |writer: &mut BufWriter<File>| {
                writer.write_all(&vec![7; len]).map_err(|e| Error::io(&path, e))
            };
            match fill_and_rename(full, temporary, &path, fill) {
                Err(Error::Io { source, .. }) => {
                    assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
                }
                other => panic!("expected a full disk, got {other:?}"),
            }
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        }
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
        for name in ["a.dfa", "a.dfa.7-0.tmp", "b.dfa.9-4.tmp"] {
            fs::write(dir.path().join(name), b"x").unwrap();
        }
        let left = || fs::read_dir(dir.path()).unwrap().count();
        remove_unfinished(dir.path(), "a.dfa").unwrap();
        assert_eq!(left(), 2);
        remove_unfinished(dir.path(), "").unwrap();
        assert_eq!(left(), 1);
    }
}
