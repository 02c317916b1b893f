//! The values of a run in its own directory, which answer its queries.

use std::sync::{Arc, OnceLock};

use nerode_dfa::Letter;
use nerode_games::{Game, Side};

use super::{FOLDER, Values};
use crate::archive::packed::Packed;
use crate::archive::run_dir::RunDir;
use crate::error::{Error, Result};
use crate::outcome::Outcome;

impl Values {
    /// Returns an error unless the folder was created from the current state of `run`.
    ///
    /// # Errors
    /// Returns [`Error::Outdated`].
    pub fn check_source(&self, run: &RunDir) -> Result<()> {
        if self.manifest.request == run.manifest.request && self.manifest.source == run.digest()? {
            return Ok(());
        }
        Err(Error::Outdated { path: self.path.clone(), source_path: run.path().into() })
    }
}

/// The values folder in the directory of a run, if there is one. A folder that cannot be used is ignored, and the
/// reason is recorded.
pub struct Attached {
    values: Option<Values>,
    problem: OnceLock<Error>,
}

impl Attached {
    /// Looks for the folder of `run`, which must be a run of `game`.
    pub fn of(run: &RunDir, game: &Arc<dyn Game>) -> Self {
        let path = run.path().join(FOLDER);
        if !Values::exists(&path) {
            return Self { values: None, problem: OnceLock::new() };
        }
        let same_game = |_: &str, _: &str| Ok(Arc::clone(game));
        let opened = Values::open_with(&path, &same_game).and_then(|values| {
            values.check_source(run)?;
            Ok(values)
        });
        match opened {
            Ok(values) => Self { values: Some(values), problem: OnceLock::new() },
            Err(error) => Self { values: None, problem: OnceLock::from(error) },
        }
    }

    /// Returns the outcome of a word, or `None` if no usable folder covers it.
    pub fn get(&self, word: &[Letter], side: Side) -> Option<Outcome> {
        let values = self.values.as_ref().filter(|_| self.problem.get().is_none())?;
        values.get(word, side).map_err(|error| self.give_up(error)).ok().flatten()
    }

    /// Returns the packed values of reached positions, if the folder contains them and is usable.
    pub(crate) fn packed(&self) -> Option<&Packed> {
        let values = self.values.as_ref().filter(|_| self.problem.get().is_none())?;
        values.packed().map_err(|error| self.give_up(error)).ok().flatten()
    }

    /// Ignores the folder from now on because of `error`.
    pub(crate) fn give_up(&self, error: Error) {
        // If several threads encounter a problem, the first one is recorded.
        drop(self.problem.set(error));
    }

    pub(crate) fn limit_memory(&mut self, memory: u64) {
        if let Some(values) = &mut self.values {
            values.limit_memory(memory);
        }
    }

    /// Returns the reason why the folder is ignored, if it is.
    pub fn problem(&self) -> Option<String> {
        self.problem.get().map(ToString::to_string)
    }
}
