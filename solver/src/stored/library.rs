//! Opens solutions of any form, given the openers of all forms.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nerode_dfa::ScratchDir;
use nerode_games::Registry;

use super::Stored;
use super::digest::digest_of;
use super::own::{PackedRun, SolvedRun};
use crate::archive::packed::REACHED;
use crate::archive::resolver::Resolver;
use crate::archive::scores::ScoreDir;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::TableSolution;
use crate::archive::values::Values;
use crate::archive::{Contents, kind_of};
use crate::check::{Report, one_ply};
use crate::error::{Error, Result};
use crate::solve::resources::Resources;

/// Opens the solution at a path with contents of the given kind, where `None` stands for a file, or for a directory
/// without a manifest. Returns `None` for kinds that it does not open.
pub type Opener = fn(&Library<'_>, Option<Contents>, &Path) -> Result<Option<Box<dyn Stored>>>;

/// The openers of all forms of solutions, and the games that they are solutions of.
#[derive(Clone, Copy)]
pub struct Library<'a> {
    /// The openers, the first of which to recognise a directory opens it.
    pub openers: &'a [Opener],
    /// The games that have a name.
    pub registry: &'a Registry,
    /// The source of the games that manifests describe: the registry, or a custom game.
    pub resolver: &'a (dyn Resolver + Sync),
}

impl Library<'_> {
    /// Opens the solution in a directory or a table file.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] for a directory that contains no solution,
    /// [`Error::WrongVersion`] or
    /// [`Error::WrongRules`] for one that was written by another version of this
    /// library, [`Error::Corrupt`], [`Error::Io`], or an error
    /// of the source of games.
    pub fn open(&self, path: &Path) -> Result<Solution> {
        // The digest is computed before anything is read, so that a later comparison detects changes made in the
        // meantime.
        let digest = digest_of(path).unwrap_or_default();
        let kind = kind_of(path);
        for opener in self.openers {
            if let Some(stored) = opener(self, kind, path)? {
                return Ok(Solution { stored, digest, scratch: None });
            }
        }
        let found = kind.map_or_else(String::new, |kind| kind.to_string());
        let expected = "a solution, such as the sectors around it".into();
        Err(Error::OtherContents { path: path.into(), found, expected })
    }
}

/// Opens runs, values, scores and tables.
///
/// # Errors
/// Returns the errors of the form.
pub fn open_own(
    library: &Library<'_>,
    kind: Option<Contents>,
    path: &Path,
) -> Result<Option<Box<dyn Stored>>> {
    Ok(Some(match kind {
        Some(Contents::Run) => Box::new(SolvedRun::new(StoredRun::open_with(path, library.resolver)?)),
        Some(Contents::Values) => {
            let values = Values::open_with(path, library.resolver)?;
            match values.manifest().care() {
                Some(REACHED) => Box::new(PackedRun::new(values)),
                _ => Box::new(values),
            }
        }
        Some(Contents::Scores) => Box::new(ScoreDir::open_with(path, library.resolver)?),
        None if path.is_file() => Box::new(TableSolution::open(path, library.registry, library.resolver)?),
        // The error of a run says that the directory contains nothing.
        None => Box::new(SolvedRun::new(StoredRun::open_with(path, library.resolver)?)),
        Some(_) => return Ok(None),
    }))
}

/// A solved game. Several threads can query it at the same time.
///
/// It is stored in a directory of files that are read, and checked against their digests, when they are first needed.
/// The methods for queries are those of [`Stored`] and of `dyn Stored`.
pub struct Solution {
    stored: Box<dyn Stored>,
    digest: String,
    /// The directory of the files if it is temporary. It is the last field, so that it is dropped after the files.
    scratch: Option<ScratchDir>,
}

impl Solution {
    /// Returns a digest of the solution at the time it was opened: 16 hexadecimal digits that change when the
    /// directory changes, for example when a run is resumed.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the digest that the solution in `directory` would have if it were opened now.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the directory cannot be read.
    pub fn digest_at(directory: impl AsRef<Path>) -> Result<String> {
        digest_of(directory.as_ref())
    }

    /// Makes a solution out of an unfinished run, see [`Stored::stop_at_last_ply`].
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::stop_at_last_ply`].
    pub fn so_far(mut self) -> Result<Self> {
        self.stored.stop_at_last_ply()?;
        Ok(self)
    }

    /// Limits the memory for what is read, see [`Stored::limit_memory`].
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.stored.limit_memory(memory);
        self
    }

    /// Limits the time that searches for depths may take in the answer to one query, see [`Stored::limit_search`].
    #[must_use]
    pub fn with_search_time(mut self, time: Duration) -> Self {
        self.stored.limit_search(time);
        self
    }

    /// Attaches a temporary directory that is deleted together with the solution.
    #[must_use]
    pub fn within(self, scratch: ScratchDir) -> Self {
        Self { scratch: Some(scratch), ..self }
    }

    /// Checks every set of the solution against the rules, one ply at a time.
    ///
    /// Cost: several times that of solving.
    ///
    /// # Errors
    /// Returns [`Error::NoSets`] for a folder of values, scores or sectors, and an error
    /// if the run is unfinished, a file is damaged, memory is exhausted or the work is interrupted.
    pub fn verify(&self, resources: &Resources) -> Result<Report> {
        one_ply::check(self.run()?, resources, &mut |_| ())
    }
}

impl Deref for Solution {
    type Target = dyn Stored;

    fn deref(&self) -> &Self::Target {
        self.stored.as_ref()
    }
}

impl std::fmt::Debug for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let directory: Option<PathBuf> = self.scratch.as_ref().map(|folder| folder.path().into());
        f.debug_struct("Solution").field("game", &self.game().spec()).field("scratch", &directory).finish()
    }
}
