//! Files that are whole or absent.
//!
//! Invariant: a file under its final name was written completely and reached the disk. A write that fails leaves no file of
//! its own behind, and an older file of the same name as it was. Devices and pipes have no final name: they are written
//! through.

use crate::disk::{self, File};
use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use writers::{remove_abandoned, remove_abandoned_in, unfinished};

/// Symbolic links that are followed one after the other, as Linux does.
const MOST_LINKS: usize = 40;
/// Bytes between two writes.
const BUFFER: usize = 1 << 18;

/// Writes the file `path` by `fill`, and gives what `fill` gave.
///
/// The file has a temporary name at first, in the same directory. It is synchronised to the disk, then renamed to `path`; then
/// the directory is synchronised. No other file has the temporary name, so that nothing is destroyed and two writers of one
/// path do not meet. [`unfinished`] knows such names.
///
/// A symbolic link is followed: it stays, and the file that it leads to is replaced, or made. A file that is replaced hands its
/// permissions on. A device or a pipe cannot be replaced: `fill` writes to it at once.
///
/// *Cost*: that of `fill`, and two synchronisations of the disk.
///
/// # Errors
/// `io_error` of what the system says when the file cannot be made, written (a full disk among others), synchronised or
/// renamed; whatever `fill` returns. After an error a file of that name is as it was before.
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

/// [`write_atomic`] for a file that must not be there yet. Of two writers of one path at most one succeeds: the other learns it
/// at the start where that is possible, else at the end. What killed writers of `path` have left unfinished is removed.
///
/// *Cost*: as there, and a look at the names in the directory.
///
/// # Errors
/// As there; `io_error` of [`io::ErrorKind::AlreadyExists`] when the file is there, and of [`io::ErrorKind::ResourceBusy`] while
/// another process writes it. That file is left as it is.
pub fn write_new<T, E>(
    path: &Path,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    write(path, false, io_error, fill)
}

/// [`write_atomic`] with `replaces`, else [`write_new`].
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

/// What a path leads to.
enum Place {
    /// A device or a pipe, open.
    Stream(File),
    /// A file: there already, or to be made.
    File { path: PathBuf, replaced: Option<Metadata> },
}

impl Place {
    /// Follows symbolic links.
    fn of(path: &Path) -> io::Result<Self> {
        match disk::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // A link of the system to an open file leads to no name that could be replaced.
            Ok(found) if !found.is_file() || is_open_file(path) => File::append(path).map(Self::Stream),
            Ok(found) => Ok(Self::File { path: end_of_links(path)?, replaced: Some(found) }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                Ok(Self::File { path: end_of_links(path)?, replaced: None })
            }
            Err(e) => Err(e),
        }
    }
}

/// Whether the path leads through a link such as `/dev/stdout`, which stands for what the process has open.
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

/// Where the symbolic links that begin at `path` end, whether there is a file or not; `path` itself if it is no link.
///
/// # Errors
/// Links that lead to each other.
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

/// What the symbolic link `path` leads to; `None` for anything else.
fn next_link(path: &Path) -> Option<PathBuf> {
    let next = fs::read_link(path).ok()?;
    Some(path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next)))
}

/// Where a complete file goes.
struct Target<'a> {
    path: &'a Path,
    replaces: bool,
}

impl Target<'_> {
    /// Gives the file `unfinished` its final name. It is not there under another one afterwards, or is removed by its owner.
    fn take(&self, unfinished: &mut Unfinished) -> io::Result<()> {
        let rename = |from: &mut Unfinished| {
            disk::rename(&from.path, self.path)?;
            from.renamed = true;
            Ok(())
        };
        if self.replaces {
            return rename(unfinished);
        }
        // A link, unlike a name, is never put in the place of another file.
        match disk::hard_link(&unfinished.path, self.path) {
            Ok(()) => Ok(()),
            Err(_) if fs::symlink_metadata(self.path).is_ok() => Err(writers::taken()),
            Err(_) => rename(unfinished),
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
            // A disk may fail once. If it does so again nothing more can be done: the file under its final name is whole, or the
            // write's own error is on its way.
            let _ = disk::remove_file(&self.path).or_else(|_| disk::remove_file(&self.path));
        }
    }
}

/// What `fill` gave, and the file with everything that it wrote.
fn filled<T, E>(
    file: File,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<(T, File), E> {
    let mut writer = BufWriter::with_capacity(BUFFER, file);
    match fill(&mut writer).and_then(|value| writer.flush().map(|()| value).map_err(&io_error)) {
        Ok(value) => Ok((value, writer.into_parts().0)),
        Err(error) => {
            // Dropping a buffered writer would try to write the rest of the buffer once more.
            let _ = writer.into_parts();
            Err(error)
        }
    }
}

/// [`write`] with the file, called `temporary`, that goes to `target`.
fn fill_and_rename<T, E>(
    file: File,
    temporary: PathBuf,
    target: &Target<'_>,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut unfinished = Unfinished { path: temporary, renamed: false };
    let (value, file) = filled(file, &io_error, fill)?;
    file.sync_all().map_err(&io_error)?;
    // The file is open, and so locked, until it has its name: to others its writer is alive.
    target.take(&mut unfinished).map_err(&io_error)?;
    drop(file);
    sync_directory(target.path).map_err(io_error)?;
    Ok(value)
}

/// Makes the renaming itself durable, where the system can synchronise a directory.
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

mod writers;

#[cfg(test)]
mod tests;
