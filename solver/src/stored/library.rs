//! Opens solutions of any form, given the openers of all forms.

use std::path::Path;

use nerode_games::Registry;

use super::digest::digest_of;
use super::own::{PackedRun, SolvedRun};
use super::{Solution, Stored};
use crate::archive::packed::REACHED;
use crate::archive::resolver::Resolver;
use crate::archive::scores::ScoreDir;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::TableSolution;
use crate::archive::values::Values;
use crate::archive::{Contents, kind_of};
use crate::error::{Error, Result};

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
                return Ok(Solution::new(stored, digest));
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
