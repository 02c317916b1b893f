//! Ways to continue interrupted work.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cli::words::resume_command;
use nerode_dfa::{disk, unfinished};
use nerode_solver::archive::Contents;
use nerode_solver::archive::run_dir::RunDir;

/// The way to continue interrupted work.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Continuation {
    /// A command line, which continues work on disk.
    Command(String),
    /// A command line, and the place where the command writes. Nothing is kept until the place changes.
    Writing(String, Place),
    /// The command has just started, and has not reported any data on disk.
    Begun(Beginning),
}

impl Continuation {
    /// Returns the command line, if any data has been written.
    pub(super) fn command(&self) -> Option<String> {
        match self {
            Self::Command(command) => Some(command.clone()),
            Self::Writing(command, place) => place.has_changed().then(|| command.clone()),
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

/// A file or a folder in which a command writes, and its state when the command began.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Place {
    path: PathBuf,
    before: State,
}

/// The names of files, with their lengths and times. Temporary files, which do not stay, are left out.
type State = Vec<(OsString, u64, String)>;

impl Place {
    /// Records the state of a file, or of the files in a folder. It need not exist.
    pub(in crate::cli) fn look(path: &Path) -> Self {
        Self { path: path.into(), before: state(path) }
    }

    fn has_changed(&self) -> bool {
        state(&self.path) != self.before
    }
}

/// Returns the state of a place. What cannot be read counts as missing.
fn state(path: &Path) -> State {
    let of = |name: OsString, path: &Path| {
        let found = disk::metadata(path).ok().filter(|found| found.is_file())?;
        Some((name, found.len(), format!("{:?}", found.modified().ok())))
    };
    let entries = disk::read_dir(path).into_iter().flatten().flatten();
    let is_lasting = |name: &OsString| unfinished(&name.to_string_lossy()).is_none() && name != "lock";
    let names = entries.map(|entry| entry.file_name()).filter(is_lasting);
    let mut files: State = names.filter_map(|name| of(name.clone(), &path.join(name))).collect();
    files.extend(of(OsString::new(), path));
    files.sort();
    files
}

fn manifest(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(Contents::Run.file(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_before_something_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("made");
        std::fs::write(dir.path().join("other"), "").unwrap();
        let begun = |path: &Path| Continuation::Writing("nerode go on".into(), Place::look(path));
        let (folder, file) = (begun(&path), begun(&dir.path().join("log")));
        assert_eq!((folder.command(), file.command()), (None, None));
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("lock"), "").unwrap();
        assert_eq!(folder.command(), None, "a folder without results has nothing to continue");
        std::fs::write(path.join("a.sector"), "x").unwrap();
        std::fs::write(dir.path().join("log"), "x").unwrap();
        assert!(folder.command().is_some() && file.command().is_some());
        let again = begun(&path);
        assert_eq!(again.command(), None, "what was there before is not what was written");
        std::fs::write(path.join("a.sector"), "longer").unwrap();
        assert!(again.command().is_some());
    }

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
