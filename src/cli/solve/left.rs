//! Descriptions of the data that an interrupted solve has stored on disk.

use std::fmt;
use std::path::Path;

use crate::cli::hints::Beginning;
use crate::cli::memory::cap_error;
use crate::cli::output::Output;
use crate::cli::words;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::error::Error;

/// An error, with a description of the work completed before it.
#[derive(Debug)]
pub(in crate::cli) struct Left {
    cause: anyhow::Error,
    left: String,
}

impl Left {
    /// Wraps the error `cause` with `left`, a sentence that describes the data on disk.
    pub(in crate::cli) fn of(cause: impl Into<anyhow::Error>, left: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Self { cause: cause.into(), left: left.into() })
    }

    /// Wraps the error `cause`, which stopped the run in `path`. An error that did not interrupt the run, or that
    /// occurred before the run existed, is returned unchanged. `beginning` is the state of the directory before the
    /// run was started, if it is a new run.
    pub(in crate::cli) fn of_run(
        cause: Error,
        path: &Path,
        beginning: Option<&Beginning>,
        out: &Output,
    ) -> anyhow::Error {
        match beginning {
            Some(beginning) if beginning.is_untouched() && stops_midway(&cause) => {
                return Self::of(cause, format!("the old solution in {} is unchanged", path.display()));
            }
            Some(beginning) if !beginning.has_written() => return cause.into(),
            _ => {}
        }
        match RunDir::open(path) {
            Ok(run) if stops_midway(&cause) => {
                continues(path, out);
                Self::of(cause, format!("{} contains {}", path.display(), words::how_far(&run)))
            }
            _ => cause.into(),
        }
    }
}

/// Returns the description of the data on disk that `error` contains.
fn left_of(error: &anyhow::Error) -> Option<&str> {
    error.downcast_ref::<Left>().map(|left| left.left.as_str())
}

/// Returns the error to report instead of the interruption `error` if the memory cap was exceeded, or `None` if it was
/// not.
pub(in crate::cli) fn instead_of(error: &anyhow::Error) -> Option<anyhow::Error> {
    let cap = cap_error()?;
    Some(match left_of(error) {
        Some(left) => Left::of(cap, left),
        None => cap.into(),
    })
}

/// Returns `true` if the work was interrupted by the user, or by a lack of memory or disk space, so that the data on
/// disk is worth mentioning.
pub(in crate::cli) fn stops_midway(error: &Error) -> bool {
    matches!(error, Error::TooLarge { .. })
        || error.is_interruption()
        || error.is_full_disk()
        || error.is_out_of_room()
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}; {}", self.cause, self.left)
    }
}

impl std::error::Error for Left {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.cause.as_ref())
    }
}

/// Registers 'nerode resume' as the way to continue with the directory `path` after an interruption.
pub(in crate::cli) fn continues(path: &Path, out: &Output) {
    out.continue_with(words::resume_command(path));
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_solver::error::CapError;

    #[test]
    fn the_data_on_disk_is_mentioned() {
        let error = Left::of(CapError::Work { cap: 64 << 20 }, "run holds a ply");
        assert!(error.to_string().ends_with("; raise the memory limit; run holds a ply"), "{error}");
    }
}
