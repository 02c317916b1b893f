//! A solution of any form, opened for queries.

use std::ops::Deref;
#[cfg(feature = "engine")]
use std::path::Path;
use std::time::Duration;

#[cfg(feature = "engine")]
use nerode_dfa::ScratchDir;

use super::Stored;
#[cfg(feature = "engine")]
use super::digest::digest_of;
#[cfg(feature = "engine")]
use crate::check::{Report, one_ply};
use crate::error::Result;
#[cfg(feature = "engine")]
use crate::solve::resources::Resources;

/// A solved game. Several threads can query it at the same time.
///
/// It is stored in a directory of files that are read, and checked against their digests, when they are first needed.
/// The methods for queries are those of [`Stored`] and of `dyn Stored`.
pub struct Solution {
    stored: Box<dyn Stored>,
    digest: String,
    /// The directory of the files if it is temporary. It is the last field, so that it is dropped after the files.
    #[cfg(feature = "engine")]
    scratch: Option<ScratchDir>,
}

impl Solution {
    /// Creates a solution from its form and its digest, which is empty if it is not known.
    #[must_use]
    pub fn new(stored: Box<dyn Stored>, digest: String) -> Self {
        Self {
            stored,
            digest,
            #[cfg(feature = "engine")]
            scratch: None,
        }
    }

    /// Returns a digest of the solution at the time it was opened: 16 hexadecimal digits that change when the
    /// directory changes, for example when a run is resumed.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the digest that the solution in `directory` would have if it were opened now.
    ///
    /// # Errors
    /// Returns [`Error::Io`](crate::error::Error::Io) if the directory cannot be read.
    #[cfg(feature = "engine")]
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
    #[cfg(feature = "engine")]
    #[must_use]
    pub fn within(self, scratch: ScratchDir) -> Self {
        Self { scratch: Some(scratch), ..self }
    }

    /// Checks every set of the solution against the rules, one ply at a time.
    ///
    /// Cost: several times that of solving.
    ///
    /// # Errors
    /// Returns [`Error::NoSets`](crate::error::Error::NoSets) for a folder of values, scores or sectors, and an error
    /// if the run is unfinished, a file is damaged, memory is exhausted or the work is interrupted.
    #[cfg(feature = "engine")]
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
        let mut said = f.debug_struct("Solution");
        said.field("game", &self.game().spec());
        #[cfg(feature = "engine")]
        said.field("scratch", &self.scratch.as_ref().map(ScratchDir::path));
        said.finish()
    }
}
