//! Files that are either complete or absent.
//!
//! Invariant: a file under its final name was written completely and, outside a [`ScratchDir`], has reached the disk. A
//! write that fails leaves no file of its own behind, and does not change an older file of the same name. Devices and
//! pipes cannot be replaced in this way and are written directly.

use crate::disk::{self, File};
use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use scratch::ScratchDir;
pub use writers::{remove_abandoned, remove_abandoned_in, unfinished};

/// The maximum number of consecutive symbolic links that are followed, which is the limit of Linux.
const MOST_LINKS: usize = 40;
/// The size of the write buffer in bytes.
const BUFFER: usize = 1 << 18;

/// Writes the file `path` by calling `fill`, and returns the result of `fill`.
///
/// The file is first written under a temporary name in the same directory. It is synchronised to the disk and renamed
/// to `path`, and then the directory is synchronised. The temporary name is unique, so that no file is destroyed and
/// two writers of the same path do not interfere. [`unfinished`] recognises such names.
///
/// A symbolic link is followed: the link remains, and its target is replaced or created. If a file is replaced, the new
/// file gets its permissions. A device or a pipe cannot be replaced, so `fill` writes to it directly.
///
/// *Cost*: that of `fill`, and two synchronisations of the disk, unless the file is in a [`ScratchDir`].
///
/// # Errors
/// Returns `io_error` of the operating system's error if the file cannot be created, written (for example because the
/// disk is full), synchronised or renamed, or the error that `fill` returns. After an error, an existing file of that
/// name is unchanged.
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
    write(path, true, io_error, fill)
}

/// Writes the file `path` like [`write_atomic`], but the file must not exist yet. If there are two writers of the same
/// path, at most one of them succeeds. The other one fails at the start if possible, and otherwise at the end. Removes
/// the unfinished files of killed writers of `path`.
///
/// *Cost*: that of [`write_atomic`], and one listing of the directory.
///
/// # Errors
/// Returns the same errors as [`write_atomic`], as well as `io_error` of [`io::ErrorKind::AlreadyExists`] if the file
/// exists, and of [`io::ErrorKind::ResourceBusy`] while another process is writing it. The existing file is not
/// changed.
pub fn write_new<T, E>(
    path: &Path,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    write(path, false, io_error, fill)
}

/// Implements [`write_atomic`] if `replaces` is set, and [`write_new`] otherwise.
fn write<T, E>(
    path: &Path,
    replaces: bool,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    match Place::of(path).map_err(&io_error)? {
        Place::Stream(file) => filled(file, io_error, fill).map(|(value, _)| value),
        Place::File { path, replaced } => {
            if !replaces {
                writers::must_be_free(&path, replaced.is_some()).map_err(&io_error)?;
            }
            let (file, temporary) = writers::begin(&path).map_err(&io_error)?;
            let permissions = replaced.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
            let target = Target { path: &path, replaces };
            fill_and_rename(file, temporary, &target, &io_error, |writer| {
                permissions.map_err(&io_error)?;
                fill(writer)
            })
        }
    }
}

/// The destination of a path.
enum Place {
    /// A device or a pipe, which is open.
    Stream(File),
    /// A file that exists or is to be created.
    File { path: PathBuf, replaced: Option<Metadata> },
}

impl Place {
    /// Determines the destination of `path`, following symbolic links.
    fn of(path: &Path) -> io::Result<Self> {
        match disk::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // A link of the operating system to an open file does not lead to a name that could be replaced.
            Ok(found) if !found.is_file() || is_open_file(path) => File::append(path).map(Self::Stream),
            Ok(found) => Ok(Self::File { path: end_of_links(path)?, replaced: Some(found) }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                Ok(Self::File { path: end_of_links(path)?, replaced: None })
            }
            Err(e) => Err(e),
        }
    }
}

/// Returns `true` if the path leads through a link such as `/dev/stdout`, which stands for an open file of the process.
fn is_open_file(path: &Path) -> bool {
    let mut at = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if at.parent().and_then(|parent| parent.canonicalize().ok()).is_some_and(|p| p.starts_with("/proc")) {
            return true;
        }
        match next_link(&at) {
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

/// Follows the chain of symbolic links that begins at `path` and returns its end, whether or not a file exists there.
/// Returns `path` itself if it is not a link.
///
/// # Errors
/// Returns an error if the links form a cycle or the chain is too long.
pub fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match next_link(&at) {
            Some(next) => at = next,
            None => return Ok(at),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the target of the symbolic link `path`, or `None` if it is not a link.
fn next_link(path: &Path) -> Option<PathBuf> {
    let next = fs::read_link(path).ok()?;
    Some(path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next)))
}

/// The destination of a complete file.
struct Target<'a> {
    path: &'a Path,
    replaces: bool,
}

impl Target<'_> {
    /// Gives the file `unfinished` its final name. Afterwards, the temporary name either no longer exists or is removed
    /// by its owner.
    fn take(&self, unfinished: &mut Unfinished) -> io::Result<()> {
        let rename = |from: &mut Unfinished| {
            disk::rename(&from.path, self.path)?;
            from.renamed = true;
            Ok(())
        };
        if self.replaces {
            return rename(unfinished);
        }
        // Unlike renaming, creating a hard link never replaces another file.
        match disk::hard_link(&unfinished.path, self.path) {
            Ok(()) => Ok(()),
            Err(_) if fs::symlink_metadata(self.path).is_ok() => Err(writers::taken()),
            Err(_) => rename(unfinished),
        }
    }
}

/// Removes the unfinished file unless it was renamed, even if the writer panics.
struct Unfinished {
    path: PathBuf,
    renamed: bool,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.renamed {
            // The disk may fail once. If it fails again, nothing more can be done: either the file under its final name
            // is complete, or the error of the write is already being returned.
            let _ = disk::remove_file(&self.path).or_else(|_| disk::remove_file(&self.path));
        }
    }
}

/// Calls `fill` and returns its result, together with the file, to which all data has been written.
fn filled<T, E>(
    file: File,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<(T, File), E> {
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    match fill(&mut writer).and_then(|value| writer.flush().map(|()| value).map_err(&io_error)) {
        Ok(value) => Ok((value, writer.into_parts().0)),
        Err(error) => {
            // Dropping a buffered writer would try to write the rest of the buffer again.
            let _ = writer.into_parts();
            Err(error)
        }
    }
}

/// Completes [`write`] for the file named `temporary`, which is to be moved to `target`.
fn fill_and_rename<T, E>(
    file: File,
    temporary: PathBuf,
    target: &Target<'_>,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut unfinished = Unfinished { path: temporary, renamed: false };
    let (value, file) = filled(file, &io_error, fill)?;
    let must_last = !scratch::is_scratch(target.path);
    if must_last {
        file.sync_all().map_err(&io_error)?;
    }
    // The file stays open, and therefore locked, until it has its final name, so that others see that its writer is
    // alive.
    target.take(&mut unfinished).map_err(&io_error)?;
    drop(file);
    if must_last {
        sync_directory(target.path).map_err(io_error)?;
    }
    Ok(value)
}

/// Makes the renaming itself durable, if the operating system can synchronise a directory.
fn sync_directory(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        Some(_) => File::open(Path::new("."))?.sync_all(),
        None => Ok(()),
    }
}

mod scratch;
mod writers;

#[cfg(test)]
mod tests;
