//! Destinations of the files that a command writes for its user: standard output, or a path that may be overwritten.

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

/// The name of standard output in error messages.
const STANDARD_OUTPUT: &str = "standard output";

/// The destination of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// The open standard output, which the path `-` selects.
    StandardOutput,
    /// A file, device or pipe.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether an existing file may be replaced.
        overwrite: bool,
    },
}

/// The result of writing, and the number of bytes written.
pub(super) struct Sent<T> {
    pub(super) value: T,
    pub(super) bytes: u64,
}

impl Destination {
    /// Returns the destination that `path` names. `overwrite` allows replacing an existing file.
    ///
    /// # Errors
    /// Returns an error if the path is a directory, if it lies inside a run or another directory of this program, or
    /// if the file already exists and `overwrite` is not set.
    pub(super) fn of(path: &Path, overwrite: bool) -> Result<Self> {
        if is_standard_output(path) {
            return Ok(Self::StandardOutput);
        }
        must_be_writable(path, overwrite)?;
        must_have_folder(path)?;
        Ok(Self::File { path: path.into(), overwrite })
    }

    /// Writes with `fill`, which is given the name of the destination for error messages. Returns `None` if the
    /// reader of standard output has closed it.
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

/// Rejects a file in a folder that does not exist.
fn must_have_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.exists()) {
        None => Ok(()),
        Some(folder) => Err(advised(
            format!("{}: the folder {} does not exist", path.display(), folder.display()),
            format!("create it with 'mkdir -p {}'", shell(folder)),
        )),
    }
}

/// Returns the value parser of `--plot`, which rejects file names with an extension other than SVG.
pub(super) fn svg_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.extension() {
        Some(extension) if !extension.eq_ignore_ascii_case("svg") => {
            Err(format!("drawings are SVG files; name the file {}", path.with_extension("svg").display()))
        }
        _ => Ok(path),
    })
}

/// Returns `true` if `path` stands for standard output.
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

/// Opens standard output as a file, without the line buffer.
#[cfg(unix)]
fn open_standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Opens standard output as a file, without the line buffer.
#[cfg(windows)]
fn open_standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// The reader of standard output, which remembers whether the output has been closed.
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
