//! Files that are whole or absent.
//!
//! Invariant: a file under its final name was written completely and reached the disk. A write that fails leaves no file of
//! its own behind, and an older file of the same name as it was.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names of unfinished files end with.
pub const UNFINISHED: &str = ".tmp";

/// Writes the file `path` by `fill`, and gives what `fill` gave.
///
/// The file has a temporary name at first. It is synchronised to the disk, then renamed to `path`; then the directory is
/// synchronised. The temporary name begins with that of `path`, ends with [`UNFINISHED`] and is no other file's, so that two
/// writers of one path do not meet.
///
/// *Cost*: that of `fill`, and two synchronisations of the disk.
///
/// # Errors
/// `io_error` of what the system says when the file cannot be made, written (a full disk among others), synchronised or
/// renamed; whatever `fill` returns. After an error `path` is as it was before.
///
/// # Examples
/// ```
/// use std::io::Write;
/// let path = std::env::temp_dir().join("nerode-doc-write-atomic.txt");
/// nerode_dfa::write_atomic(&path, |e| e, |out| writeln!(out, "whole or absent"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "whole or absent\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomic<T, E>(
    path: &Path,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let (file, temporary) = unfinished_file(path).map_err(&io_error)?;
    fill_and_rename(file, temporary, path, io_error, fill)
}

/// Makes the file under which `path` is written until it is complete.
fn unfinished_file(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(path.as_os_str());
        name.push(format!(".{}-{number}{UNFINISHED}", std::process::id()));
        let name = PathBuf::from(name);
        match File::create_new(&name) {
            Ok(file) => return Ok((file, name)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
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

/// [`write_atomic`] with the file, called `temporary`, that becomes `path`.
fn fill_and_rename<T, E>(
    file: File,
    temporary: PathBuf,
    path: &Path,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut unfinished = Unfinished { path: temporary, renamed: false };
    let mut writer = BufWriter::with_capacity(1 << 18, file);
    let value = match fill(&mut writer) {
        Ok(value) => value,
        Err(error) => {
            // Dropping a buffered writer would try to write the rest of the buffer once more.
            let _ = writer.into_parts();
            return Err(error);
        }
    };
    let file = writer.into_inner().map_err(|e| io_error(e.into_error()))?;
    file.sync_all().map_err(&io_error)?;
    drop(file);
    fs::rename(&unfinished.path, path).map_err(&io_error)?;
    unfinished.renamed = true;
    sync_directory(path).map_err(io_error)?;
    Ok(value)
}

/// Makes the renaming itself durable, where the system can synchronise a directory.
fn sync_directory(path: &Path) -> io::Result<()> {
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
    use std::io::Write;

    use super::*;

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
            let fill = |writer: &mut BufWriter<File>| writer.write_all(&vec![7; len]);
            let failed = fill_and_rename(full, temporary, &path, |e| e, fill);
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        }
    }
}
