//! What goes on with work that is stopped.

use std::path::{Path, PathBuf};

use crate::cli::words::resume_command;
use nerode_solver::archive::Contents;
use nerode_solver::archive::run_dir::RunDir;

/// What goes on with work that is stopped.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Continuation {
    /// A command line.
    Command(String),
    /// The command is at its beginning, and has written nothing that it knows of.
    Begun(Beginning),
}

impl Continuation {
    /// The command line, where something was written.
    pub(super) fn command(&self) -> Option<String> {
        match self {
            Self::Command(command) => Some(command.clone()),
            Self::Begun(beginning) => beginning.has_written().then(|| resume_command(&beginning.path)),
        }
    }
}

/// What was in a directory before a run was begun there.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Beginning {
    path: PathBuf,
    /// The manifest of the run that was there.
    before: Option<Vec<u8>>,
}

impl Beginning {
    /// Looks at the directory `path`.
    pub(in crate::cli) fn look(path: &Path) -> Self {
        Self { path: path.into(), before: manifest(path) }
    }

    /// Whether a run was begun in the directory, or one that was there went on.
    pub(in crate::cli) fn has_written(&self) -> bool {
        RunDir::exists(&self.path) && manifest(&self.path) != self.before
    }

    /// Whether the run that was there is there still, as it was.
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
