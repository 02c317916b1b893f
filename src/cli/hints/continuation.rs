//! Ways to continue interrupted work.

use std::path::{Path, PathBuf};

use crate::cli::words::resume_command;
use nerode_solver::archive::Contents;
use nerode_solver::archive::run_dir::RunDir;

/// The way to continue interrupted work.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Continuation {
    /// A command line.
    Command(String),
    /// The command has just started, and has not reported any data on disk.
    Begun(Beginning),
}

impl Continuation {
    /// Returns the command line, if any data has been written.
    pub(super) fn command(&self) -> Option<String> {
        match self {
            Self::Command(command) => Some(command.clone()),
            Self::Begun(beginning) => beginning.has_written().then(|| resume_command(&beginning.path)),
        }
    }
}

/// The state of a directory before a run was started in it.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Beginning {
    path: PathBuf,
    /// The manifest of the run that was there before.
    before: Option<Vec<u8>>,
}

impl Beginning {
    /// Records the state of the directory `path`.
    pub(in crate::cli) fn look(path: &Path) -> Self {
        Self { path: path.into(), before: manifest(path) }
    }

    /// Returns `true` if a run has been started in the directory, or if the existing run has made progress.
    pub(in crate::cli) fn has_written(&self) -> bool {
        RunDir::exists(&self.path) && manifest(&self.path) != self.before
    }

    /// Returns `true` if the existing run is still there and unchanged.
    pub(in crate::cli) fn is_untouched(&self) -> bool {
        self.before.is_some() && manifest(&self.path) == self.before
    }
}

fn manifest(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(Contents::Run.file(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_there_before_is_not_what_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path();
        let fresh = Beginning::look(path);
        assert!(!fresh.has_written() && !fresh.is_untouched());
        std::fs::write(Contents::Run.file(path), "old").unwrap();
        let replacing = Beginning::look(path);
        assert!(fresh.has_written());
        assert!(!replacing.has_written() && replacing.is_untouched());
        assert_eq!(Continuation::Begun(replacing.clone()).command(), None);
        std::fs::write(Contents::Run.file(path), "new").unwrap();
        assert!(replacing.has_written() && !replacing.is_untouched());
        assert!(Continuation::Begun(replacing).command().is_some_and(|command| command.contains("resume")));
    }
}
