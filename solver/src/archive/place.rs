//! Checks on paths of output files named by the user: they must not lie inside a directory of this library, and
//! existing files are overwritten only on request.

use std::io;
use std::path::{Path, PathBuf};

use nerode_dfa::disk;
use nerode_dfa::end_of_links;
use serde_json::Value;

use crate::archive::contents::{Contents, VERSION};
use crate::error::{Error, Result};

/// The description of a place at which files of the user may be written.
pub const OUTSIDE: &str = "a directory without nerode data";

/// Returns an error if writing the file `path` could destroy data. Devices and pipes are allowed.
///
/// # Errors
/// Returns [`Error::OtherContents`] for a file inside a run or another directory of this library, after following
/// symbolic links. Returns [`Error::Io`] for a directory; without `overwrite` also for an existing file, and with it
/// for a read-only file.
pub fn must_be_writable(path: &Path, overwrite: bool) -> Result<()> {
    must_be_outside(path)?;
    let refuse = |kind, reason: &str| Err(Error::io(path, io::Error::new(kind, reason)));
    match disk::metadata(path) {
        Ok(found) if found.is_dir() => refuse(io::ErrorKind::IsADirectory, "this is a directory, not a file"),
        Ok(found) if found.is_file() && !overwrite => {
            refuse(io::ErrorKind::AlreadyExists, "a file with this name already exists")
        }
        Ok(found) if found.is_file() && found.permissions().readonly() => {
            refuse(io::ErrorKind::PermissionDenied, "this file is read-only")
        }
        _ => Ok(()),
    }
}

/// Returns an error for a path that is, or lies inside, a directory of this library.
///
/// # Errors
/// Returns [`Error::OtherContents`].
pub fn must_be_outside(path: &Path) -> Result<()> {
    let io = |e| Error::io(path, e);
    let end = end_of_links(path).map_err(io)?;
    let absolute = end.canonicalize().or_else(|_| {
        let folder = end.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
        Ok::<PathBuf, io::Error>(end.file_name().map_or_else(|| folder.clone(), |name| folder.join(name)))
    });
    // A missing folder is reported when the file is created.
    let Ok(absolute) = absolute else { return Ok(()) };
    for folder in absolute.ancestors() {
        if let Some(found) = Contents::ALL.into_iter().find(|kind| is_ours(folder, *kind)) {
            return Err(Error::OtherContents {
                path: folder.into(),
                found: found.to_string(),
                expected: OUTSIDE.into(),
            });
        }
    }
    Ok(())
}

/// Returns `true` if a manifest of this kind exists and appears to be written by this library; other programs use the
/// name `manifest.json` too.
fn is_ours(folder: &Path, kind: Contents) -> bool {
    let is_foreign = |bytes: Vec<u8>| {
        serde_json::from_slice::<Value>(&bytes).is_ok_and(|document| document.get(VERSION).is_none())
    };
    let file = kind.file(folder);
    file.is_file() && !disk::read(&file).is_ok_and(is_foreign)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn nothing_is_written_into_a_directory_of_ours() {
        let dir = tempfile::tempdir().unwrap();
        for kind in Contents::ALL {
            let ours = dir.path().join(kind.manifest());
            fs::create_dir_all(ours.join("deep/below")).unwrap();
            for manifest in ["damaged", "", "{\"format_version\":99}", "[]"] {
                fs::write(kind.file(&ours), manifest).unwrap();
                for name in ["x.csv", "manifest.json", "deep/below/x.csv", "deep/../x.csv", "deep", "."] {
                    let found = must_be_writable(&ours.join(name), true);
                    let foreign = manifest == "[]";
                    assert_eq!(
                        matches!(found, Err(Error::OtherContents { .. })),
                        !foreign,
                        "{kind} {manifest} {name}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_file_is_replaced_only_if_that_is_wanted() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.csv");
        assert!(must_be_writable(&path, false).is_ok());
        fs::write(&path, "old").unwrap();
        let refused = must_be_writable(&path, false).unwrap_err().to_string();
        assert!(refused.contains("a file with this name already exists"), "{refused}");
        assert!(must_be_writable(&path, true).is_ok());
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(must_be_writable(&path, true).unwrap_err().to_string().contains("read-only"));
        assert!(must_be_writable(dir.path(), true).unwrap_err().to_string().contains("a directory"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_first() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("run");
        fs::create_dir(&run).unwrap();
        fs::write(run.join("manifest.json"), "").unwrap();
        for target in ["run/manifest.json", "run/new"] {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink(target, &link).unwrap();
            assert!(matches!(must_be_writable(&link, true), Err(Error::OtherContents { .. })), "{target}");
            fs::remove_file(link).unwrap();
        }
        assert!(must_be_writable(Path::new("/dev/null"), false).is_ok());
    }
}
