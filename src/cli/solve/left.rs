//! What a solve that was stopped has left on disk.

use std::fmt;
use std::path::Path;

use crate::cli::hints::Beginning;
use crate::cli::output::Output;
use crate::cli::words;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::error::Error;

/// An error, with what was done before it.
#[derive(Debug)]
pub(in crate::cli) struct Left {
    cause: anyhow::Error,
    left: String,
}

impl Left {
    /// The error `cause`, with `left`: a sentence that says what is on disk.
    pub(in crate::cli) fn of(cause: impl Into<anyhow::Error>, left: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Self { cause: cause.into(), left: left.into() })
    }

    /// The error `cause` that stopped the run in `path`. An error that did not stop it in the middle is left as it is, and so is
    /// one before there was a run. `beginning`: what was there when the run was begun, if it is a new one.
    pub(in crate::cli) fn of_run(
        cause: Error,
        path: &Path,
        beginning: Option<&Beginning>,
        out: &Output,
    ) -> anyhow::Error {
        match beginning {
            Some(beginning) if beginning.is_untouched() && stops_midway(&cause) => {
                return Self::of(
                    cause,
                    format!("the old solution in {} is still there, untouched", path.display()),
                );
            }
            Some(beginning) if !beginning.has_written() => return cause.into(),
            _ => {}
        }
        match RunDir::open(path) {
            Ok(run) if stops_midway(&cause) => {
                continues(path, out);
                Self::of(cause, format!("{} holds {}", path.display(), words::how_far(&run)))
            }
            _ => cause.into(),
        }
    }
}

/// What `error` says about what is on disk.
pub(in crate::cli) fn left_of(error: &anyhow::Error) -> Option<&str> {
    error.downcast_ref::<Left>().map(|left| left.left.as_str())
}

/// Whether the work was stopped in the middle, by the user or for want of room, so that what is on disk is worth a word.
pub(in crate::cli) fn stops_midway(error: &Error) -> bool {
    match error {
        Error::Interrupted | Error::TooLarge { .. } => true,
        Error::Dfa(nerode_dfa::Error::Interrupted) => true,
        other => other.is_full_disk() || other.is_out_of_room(),
    }
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

/// Tells whoever stops the command that 'nerode resume' goes on with the directory `path`.
pub(in crate::cli) fn continues(path: &Path, out: &Output) {
    out.continue_with(words::resume_command(path));
}
