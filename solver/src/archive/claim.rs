//! Exclusive write access to a directory, granted to one process at a time and only if the directory contains no
//! foreign files.

use std::io;
use std::path::Path;
use std::time::Duration;

use nerode_dfa::disk::File;
use nerode_dfa::{disk, unfinished};

use super::contents::{BOUNDS_FOLDER, Contents, DEPTHS_FILE, look, other_contents};
use super::files::remove_unfinished;
use crate::error::{Error, Result};
use crate::units::lock::{Lock, try_lock};

/// The name of the lock file.
pub const LOCK: &str = "lock";

/// How long [`claim`] waits before it reports that another process is writing.
const MOMENT: Duration = Duration::from_millis(20);

/// The prefix of the description of a directory with foreign contents.
pub const FOREIGN: &str = "foreign files";

/// Returns an error for a file, and for a directory with contents of a kind other than `kind`. An empty directory is
/// accepted.
///
/// # Errors
/// Returns [`Error::OtherContents`], or [`Error::Io`] for a file and for a directory that cannot be read.
pub fn must_be_free_for(path: &Path, kind: Contents) -> Result<()> {
    match look(path).map_err(|(_, e)| Error::io(path, e))? {
        Some(found) if found == kind => Ok(()),
        Some(found) => Err(other_contents(path, Some(found), kind)),
        None if disk::metadata(path).is_ok_and(|found| !found.is_dir()) => {
            let reason = "this is a file; name a directory";
            Err(Error::io(path, io::Error::new(io::ErrorKind::InvalidInput, reason)))
        }
        None => must_be_empty(path, kind),
    }
}

/// Returns an error for a directory that contains files whose names this library does not use. Hidden files and
/// possible remains of an interrupted writer are ignored.
fn must_be_empty(path: &Path, kind: Contents) -> Result<()> {
    let io = |e| Error::io(path, e);
    let entries = match disk::read_dir(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(io)?,
    };
    for entry in entries {
        let name = entry.map_err(io)?.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with('.') || is_left_over(&name)) {
            let found = format!("{FOREIGN}, such as '{name}'");
            return Err(Error::OtherContents { path: path.into(), found, expected: kind.to_string() });
        }
    }
    Ok(())
}

/// Returns `true` if the name is used by this library for a file or directory that can exist without a manifest.
fn is_left_over(name: &str) -> bool {
    const NAMES: [&str; 7] = [LOCK, "locks", "sets", "values", "packed", BOUNDS_FOLDER, DEPTHS_FILE];
    const ENDINGS: [&str; 6] = ["dfa", "map", "sector", "ranks", "packed", "bounds"];
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    NAMES.contains(&name)
        || unfinished(name).is_some()
        || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Claims the right to write contents of the given kind into the directory `path`, which is created if necessary.
/// Removes temporary files left by killed writers.
///
/// # Errors
/// Returns [`Error::OtherContents`], [`Error::Busy`] while another process writes, or [`Error::Io`].
pub fn claim(path: &Path, kind: Contents) -> Result<Lock> {
    must_be_free_for(path, kind)?;
    disk::create_dir_all(path).map_err(|e| Error::io(path, e))?;
    let file = path.join(LOCK);
    let lock = match try_lock(&file)? {
        Some(lock) => lock,
        None => {
            // A process that only wants to know whether the directory is busy holds the lock for a moment.
            std::thread::sleep(MOMENT);
            try_lock(&file)?.ok_or_else(|| Error::Busy { path: path.into() })?
        }
    };
    remove_unfinished(path, "")?;
    Ok(lock)
}

/// Returns `true` if a process is writing into the directory `path` at this moment.
pub fn is_busy(path: &Path) -> bool {
    File::open(&path.join(LOCK)).is_ok_and(|file| file.is_locked())
}

/// Claims the directory as [`claim`] does, to write new contents. Existing contents are an error unless `overwrite` is
/// set, in which case their manifest is removed, so that they no longer count.
///
/// # Errors
/// Returns the same errors as [`claim`], or [`Error::Occupied`].
pub(crate) fn begin(path: &Path, kind: Contents, overwrite: bool) -> Result<Lock> {
    let lock = claim(path, kind)?;
    if kind.is_in(path) {
        if !overwrite {
            return Err(Error::Occupied { path: path.into(), contents: kind.to_string() });
        }
        let file = kind.file(path);
        disk::remove_file(&file).map_err(|e| Error::io(&file, e))?;
    }
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::*;
    use crate::archive::contents::{kind_of, read, read_from, write};

    #[test]
    fn a_directory_is_busy_while_it_is_claimed() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_busy(dir.path()));
        let lock = claim(dir.path(), Contents::Run).unwrap();
        assert!(is_busy(dir.path()));
        assert!(matches!(claim(dir.path(), Contents::Run), Err(Error::Busy { .. })));
        drop(lock);
        assert!(!is_busy(dir.path()));
        claim(dir.path(), Contents::Run).unwrap();
    }

    #[test]
    fn a_directory_holds_one_kind_of_thing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        assert_eq!(kind_of(path), None);
        for kind in Contents::ALL {
            let held = claim(path, kind).unwrap();
            assert!(matches!(claim(path, kind), Err(Error::Busy { .. })));
            write(&kind.file(path), kind, &serde_json::json!({ "a": 1 })).unwrap();
            drop(held);
            assert_eq!(kind_of(path), Some(kind));
            assert_eq!(read_from::<Value>(path, kind).unwrap(), serde_json::json!({ "a": 1 }));
            for other in Contents::ALL.into_iter().filter(|other| *other != kind) {
                let Err(Error::OtherContents { found, expected, .. }) = claim(path, other) else {
                    panic!("{other}")
                };
                assert_eq!((found, expected), (kind.to_string(), other.to_string()));
                assert!(matches!(read_from::<Value>(path, other), Err(Error::OtherContents { .. })));
                // A manifest under the name of another kind.
                let borrowed = path.join(".borrowed.json");
                fs::copy(kind.file(path), &borrowed).unwrap();
                assert!(matches!(
                    read::<Value>(&borrowed, other),
                    Err(Error::Corrupt { .. } | Error::WrongVersion { .. })
                ));
            }
            assert!(matches!(begin(path, kind, false), Err(Error::Occupied { .. })));
            drop(begin(path, kind, true).unwrap());
            assert_eq!(kind_of(path), None);
        }
    }
}
