//! Unfinished files and their writers.
//!
//! Invariant: a writer that is alive holds a lock of the system on its unfinished file, where the file system has locks. So one
//! that nobody holds was left by a writer that was killed.

use crate::disk::{self, File};
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names of unfinished files hold after the name of the file that is written.
const MARK: &str = ".unfinished-";
/// What the names of unfinished files end with.
const SUFFIX: &str = ".tmp";
/// Characters of the file's own name that the name of an unfinished file repeats: systems allow 255 bytes in all.
const REPEATED: usize = 48;

/// The name of the file that was being written under the name `name`; `None` if [`write_atomic`](crate::write_atomic) gives no such
/// names.
///
/// Of a long name only the beginning is known.
///
/// # Examples
/// ```
/// assert_eq!(nerode_dfa::unfinished("a.dfa.unfinished-17-0.tmp"), Some("a.dfa"));
/// assert_eq!(nerode_dfa::unfinished("a.dfa.tmp"), None);
/// ```
pub fn unfinished(name: &str) -> Option<&str> {
    let (written, numbers) = name.strip_suffix(SUFFIX)?.rsplit_once(MARK)?;
    let (process, counter) = numbers.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(counter)).then_some(written)
}

/// What the name of an unfinished file repeats of the file's own.
fn beginning(path: &Path) -> io::Result<String> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(name.to_string_lossy().chars().take(REPEATED).collect())
}

/// Makes the file under which `path` is written until it is complete, and locks it.
pub(super) fn begin(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let beginning = beginning(path)?;
    let process = std::process::id();
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = path.with_file_name(format!("{beginning}{MARK}{process}-{number}{SUFFIX}"));
        match File::create_new(&path) {
            // Another process may have taken it for abandoned in the moment before it was locked.
            Ok(file) if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && path.exists() => {
                return Ok((file, path));
            }
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}

/// Refuses a file that is there, and one that another process writes.
pub(super) fn must_be_free(path: &Path, is_there: bool) -> io::Result<()> {
    if is_there {
        return Err(taken());
    }
    let is_written = remove_abandoned(path)?;
    // A long name is that of several files.
    if is_written && path.file_name().is_some_and(|name| name.to_string_lossy().chars().count() < REPEATED) {
        let reason = "another process is writing this file; wait for it, or name another";
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, reason));
    }
    Ok(())
}

/// The error for a file that was made by another in the meantime.
pub(super) fn taken() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "there is a file of this name already")
}

/// Removes what writers of the file `path` have left unfinished when they were killed. Whether some writer of it is alive.
///
/// *Cost*: a look at the names in the directory.
///
/// # Errors
/// What the system says when the directory cannot be read, or a file not be removed.
pub fn remove_abandoned(path: &Path) -> io::Result<bool> {
    let beginning = beginning(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_where(folder, |written| written == beginning)
}

/// Removes what writers of any file in `folder` have left unfinished when they were killed. Whether some writer is alive.
///
/// *Cost*: a look at the names in the directory.
///
/// # Errors
/// As [`remove_abandoned`].
pub fn remove_abandoned_in(folder: &Path) -> io::Result<bool> {
    remove_where(folder, |_| true)
}

/// [`remove_abandoned_in`] for the files whose names `is_meant` takes.
fn remove_where(folder: &Path, is_meant: impl Fn(&str) -> bool) -> io::Result<bool> {
    let mut is_written = false;
    for entry in disk::read_dir(folder)? {
        let entry = entry?;
        let is_unfinished = entry.file_name().to_str().and_then(unfinished).is_some_and(&is_meant);
        if !is_unfinished || !entry.file_type()?.is_file() {
            continue;
        }
        // One that is gone by now was finished or removed by its owner.
        let Ok(file) = File::open(&entry.path()) else { continue };
        match file.try_lock() {
            Ok(()) => disk::remove_file_if_there(&entry.path())?,
            Err(TryLockError::WouldBlock) => is_written = true,
            // Nobody knows.
            Err(TryLockError::Error(_)) => {}
        }
    }
    Ok(is_written)
}
