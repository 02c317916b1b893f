//! Storage of large sets in unnamed files. A set is stored in this way if it takes a large part of the memory under the
//! cap. The operating system loads the parts that are read, and reclaims their memory when it is needed elsewhere.

use std::path::Path;

use crate::automaton::Dfa;
use crate::error::{Error, Result};

use super::Passes;

/// A set is kept in memory if it takes at most the available memory divided by this number.
const SHARE: u64 = 8;

/// Returns `true` if a set should be stored in files when possible, where its tables take `bytes` and it shares `room`
/// bytes of memory with others.
pub fn belongs_in_files(bytes: u64, room: u64) -> bool {
    bytes > room / SHARE
}

impl Passes {
    /// Allows large unions of sets to be stored in unnamed files in the scratch folder. This has no effect unless a
    /// scratch folder is set. With a scratch folder, a large result of merging units is always stored in files.
    pub fn set_sets_in_files(&mut self, yes: bool) {
        self.sets_in_files = yes;
    }

    /// Returns the folder for the files of a set whose tables take `bytes` bytes, or `None` if the set should be kept
    /// in memory.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the disk has no room for the set.
    pub fn folder_for(&self, bytes: u64) -> Result<Option<&Path>> {
        let room = self.budget.lend(0).room();
        let Some(scratch) =
            self.scratch.as_ref().filter(|_| self.sets_in_files && belongs_in_files(bytes, room))
        else {
            return Ok(None);
        };
        scratch.must_hold(bytes).map_err(|e| Error::io(scratch.folder(), e))?;
        Ok(Some(scratch.folder()))
    }

    /// Moves the set into files if it is large and files are allowed. A set that shares its tables with others remains
    /// unchanged.
    ///
    /// Cost: the large layers are written once.
    ///
    /// # Errors
    /// Returns [`Error::Io`], for example if the disk is full.
    pub(super) fn in_files(&self, set: Dfa) -> Result<Dfa> {
        match self.folder_for(set.bytes())? {
            None => Ok(set),
            Some(folder) => set.in_files(folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    #[test]
    fn a_large_set_is_the_same_in_files_and_counts_no_more() -> Result<()> {
        // With rows of 64 targets, 5000 words yield layers of more than 64 KiB.
        let shape = Shape::uniform(6, 64)?;
        let word = |i: u64| {
            (0..6)
                .map(|k| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (58 - 6 * k)) as u8 % 64)
                .collect::<Vec<_>>()
        };
        let mut words: Vec<Vec<u8>> = (1..=5000).map(word).collect();
        words.sort();
        let set = Dfa::from_sorted_words(&shape, &words)?;
        let folder = tempfile::tempdir().map_err(|e| Error::io("scratch", e))?;
        let mut passes = Passes::new(set.bytes(), 1)?;
        let again = |set: &Dfa| Dfa::from_bytes(&set.to_bytes()?, folder.path());
        assert_eq!(passes.in_files(again(&set)?)?.bytes(), set.bytes());
        passes.set_scratch(folder.path().into());
        assert_eq!(passes.in_files(again(&set)?)?.bytes(), set.bytes());
        passes.set_sets_in_files(true);
        let other = again(&set)?;
        passes.charge(&other);
        let held = passes.bytes();
        let filed = passes.in_files(other)?;
        assert!(filed.bytes() < set.bytes() && passes.bytes() < held);
        assert_eq!((&filed, filed.to_bytes()?), (&set, set.to_bytes()?));
        let shared = again(&set)?;
        let copy = shared.clone();
        assert_eq!(passes.in_files(shared)?.bytes(), copy.bytes());
        Ok(())
    }
}
