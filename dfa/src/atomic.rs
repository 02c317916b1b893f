//! Files that are whole or absent.
//!
//! Invariant: a file under its final name was written completely and reached the disk. A write that fails leaves no file of
//! its own behind, and an older file of the same name as it was. Devices and pipes have no final name: they are written
//! through.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names of unfinished files hold after the name of the file that is written.
const MARK: &str = ".unfinished-";
/// What the names of unfinished files end with.
const SUFFIX: &str = ".tmp";
/// Characters of the file's own name that the name of an unfinished file repeats: systems allow 255 bytes in all.
const REPEATED: usize = 48;
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
    match Place::of(path).map_err(&io_error)? {
        Place::Stream(file) => filled(file, io_error, fill).map(|(value, _)| value),
        Place::File { path, replaced } => {
            let (file, temporary) = unfinished_file(&path).map_err(&io_error)?;
            let permissions = replaced.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
            fill_and_rename(file, temporary, &path, &io_error, |writer| {
                permissions.map_err(&io_error)?;
                fill(writer)
            })
        }
    }
}

/// The name of the file that was being written under the name `name`; `None` if [`write_atomic`] gives no such names.
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
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // A link of the system to an open file leads to no name that could be replaced.
            Ok(found) if !found.is_file() || is_open_file(path) => {
                File::options().append(true).open(path).map(Self::Stream)
            }
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

/// Makes the file under which `path` is written until it is complete.
fn unfinished_file(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let beginning: String = name.to_string_lossy().chars().take(REPEATED).collect();
    let process = std::process::id();
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = path.with_file_name(format!("{beginning}{MARK}{process}-{number}{SUFFIX}"));
        match File::create_new(&path) {
            Ok(file) => return Ok((file, path)),
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

/// [`write_atomic`] with the file, called `temporary`, that becomes `path`.
fn fill_and_rename<T, E>(
    file: File,
    temporary: PathBuf,
    path: &Path,
    io_error: impl Fn(io::Error) -> E,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut unfinished = Unfinished { path: temporary, renamed: false };
    let (value, file) = filled(file, &io_error, fill)?;
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
mod tests;
