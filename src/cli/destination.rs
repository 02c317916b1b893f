//! Where a file goes that a command writes for its user: standard output, or a path that may be written.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::hints::advised;
use super::words::shell;
use nerode_solver::archive::files::{Counted, write_for_user};
use nerode_solver::archive::place::must_be_writable;
use nerode_solver::error::Result as LibraryResult;

/// What errors call standard output.
const STANDARD_OUTPUT: &str = "standard output";

/// Where a file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Standard output, as it is open: the path `-`.
    StandardOutput,
    /// A file, or a device or pipe.
    File {
        /// Where.
        path: PathBuf,
        /// Whether a file that is there may be replaced.
        overwrite: bool,
    },
}

/// What writing gave, and the bytes written.
pub(super) struct Sent<T> {
    pub(super) value: T,
    pub(super) bytes: u64,
}

impl Destination {
    /// The destination that `path` names. `overwrite`: a file of that name may be replaced.
    ///
    /// # Errors
    /// A path inside a run or another directory of ours; a directory; a file that is there already, without `overwrite`.
    pub(super) fn of(path: &Path, overwrite: bool) -> Result<Self> {
        if is_standard_output(path) {
            return Ok(Self::StandardOutput);
        }
        must_be_writable(path, overwrite)?;
        must_have_folder(path)?;
        Ok(Self::File { path: path.into(), overwrite })
    }

    /// Writes by `fill`, which is told how errors call the destination. `None`: whoever reads standard output has seen enough.
    pub(super) fn write<T>(
        &self,
        fill: impl FnOnce(&mut (dyn Write + Send), &Path) -> LibraryResult<T>,
    ) -> Result<Option<Sent<T>>> {
        match self {
            Self::StandardOutput => to_standard_output(fill),
            Self::File { path, overwrite } => Ok(Some(write_for_user(path, *overwrite, |file| {
                let mut out = Counted::new(file);
                let value = fill(&mut out, path)?;
                Ok(Sent { value, bytes: out.bytes() })
            })?)),
        }
    }
}

/// Refuses a file in a folder that is not there.
fn must_have_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.exists()) {
        None => Ok(()),
        Some(folder) => Err(advised(
            format!("{}: there is no folder {}", path.display(), folder.display()),
            format!("'mkdir -p {}' makes it", shell(folder)),
        )),
    }
}

/// The reader of `--plot`, which refuses names that promise something other than SVG.
pub(super) fn svg_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("svg") => {
            Err(format!("drawings are SVG; name the file {}", path.with_extension("svg").display()))
        }
        _ => Ok(path),
    })
}

/// Whether `path` stands for standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

fn to_standard_output<T>(
    fill: impl FnOnce(&mut (dyn Write + Send), &Path) -> LibraryResult<T>,
) -> Result<Option<Sent<T>>> {
    let file = open_standard_output().context("cannot write to standard output")?;
    let mut out = Counted::new(Reader { file: BufWriter::with_capacity(1 << 18, file), gone: false });
    let value = fill(&mut out, Path::new(STANDARD_OUTPUT));
    let flushed = out.flush();
    let bytes = out.bytes();
    if out.into_inner().gone {
        return Ok(None);
    }
    let value = value?;
    flushed.context("cannot write to standard output")?;
    Ok(Some(Sent { value, bytes }))
}

/// Standard output as a file, without the buffer that prints line by line.
#[cfg(unix)]
fn open_standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output as a file, without the buffer that prints line by line.
#[cfg(windows)]
fn open_standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Whoever reads standard output. Remembers that it went away.
struct Reader {
    file: BufWriter<File>,
    gone: bool,
}

impl Reader {
    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        self.gone |= matches!(&result, Err(e) if e.kind() == io::ErrorKind::BrokenPipe);
        result
    }
}

impl Write for Reader {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.noted(flushed)
    }
}
