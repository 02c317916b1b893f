//! Unfinished files and their writers.
//!
//! Invariant: a live writer holds an operating-system lock on its unfinished file, if the file system supports locks.
//! Therefore, an unfinished file that is not locked was left by a killed writer.

use crate::disk::{self, File};
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The part of the name of an unfinished file that follows the name of the final file.
const MARK: &str = ".unfinished-";
/// The end of the name of an unfinished file.
const SUFFIX: &str = ".tmp";
/// The number of characters of the final name that the name of an unfinished file repeats. Operating systems limit
/// names to 255 bytes.
const REPEATED: usize = 48;

/// Returns the name of the final file if `name` is the name of an unfinished file that
/// [`write_atomic`](crate::write_atomic) creates, and `None` otherwise.
///
/// If the final name is long, only its beginning is returned.
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

/// Returns the part of the final name that the name of an unfinished file repeats.
fn beginning(path: &Path) -> io::Result<String> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(name.to_string_lossy().chars().take(REPEATED).collect())
}

/// Creates and locks the temporary file that is used until `path` is complete.
pub(super) fn begin(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let beginning = beginning(path)?;
    let process = std::process::id();
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = path.with_file_name(format!("{beginning}{MARK}{process}-{number}{SUFFIX}"));
        match File::create_new(&path) {
            // Another process may have considered the file abandoned before it was locked, and may have removed it.
            Ok(file) if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && path.exists() => {
                return Ok((file, path));
            }
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}

/// Rejects a file that exists, and one that another process is writing.
pub(super) fn must_be_free(path: &Path, is_there: bool) -> io::Result<()> {
    if is_there {
        return Err(taken());
    }
    let is_written = remove_abandoned(path)?;
    // A long name may belong to several files, because only its beginning is compared.
    if is_written && path.file_name().is_some_and(|name| name.to_string_lossy().chars().count() < REPEATED) {
        let reason = "another process is writing this file; wait until it finishes or choose another name";
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, reason));
    }
    Ok(())
}

/// Creates the error for a file that already exists.
pub(super) fn taken() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "a file with this name already exists")
}

/// Removes the unfinished files that killed writers of `path` have left. Returns `true` if another writer of the file
/// is alive.
///
/// *Cost*: one listing of the directory.
///
/// # Errors
/// Returns the error of the operating system if the directory cannot be read or a file cannot be removed.
pub fn remove_abandoned(path: &Path) -> io::Result<bool> {
    let beginning = beginning(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_where(folder, |written| written == beginning)
}

/// Removes the unfinished files that killed writers have left in `folder`. Returns `true` if another writer is alive.
///
/// *Cost*: one listing of the directory.
///
/// # Errors
/// Returns the same errors as [`remove_abandoned`].
pub fn remove_abandoned_in(folder: &Path) -> io::Result<bool> {
    remove_where(folder, |_| true)
}

/// Implements [`remove_abandoned_in`] for the files whose final names satisfy `is_meant`.
fn remove_where(folder: &Path, is_meant: impl Fn(&str) -> bool) -> io::Result<bool> {
    let mut is_written = false;
    for entry in disk::read_dir(folder)? {
        let entry = entry?;
        let is_unfinished = entry.file_name().to_str().and_then(unfinished).is_some_and(&is_meant);
        if !is_unfinished || !entry.file_type()?.is_file() {
            continue;
        }
        // A file that no longer exists was finished or removed by its owner.
        let Ok(file) = File::open(&entry.path()) else { continue };
        match file.try_lock() {
            Ok(()) => disk::remove_file_if_there(&entry.path())?,
            Err(TryLockError::WouldBlock) => is_written = true,
            // The state of the writer is unknown, so the file is kept.
            Err(TryLockError::Error(_)) => {}
        }
    }
    Ok(is_written)
}
