//! Sets that take much of the room under the memory cap, in nameless files. The system has in memory what is read of them, and takes
//! that back where others need it.

use std::path::Path;

use crate::automaton::Dfa;
use crate::error::{Error, Result};

use super::Passes;

/// A set is in memory where it takes at most this part of the room, as a divisor.
const SHARE: u64 = 8;

/// Whether a set belongs into files, if it may: its tables take `bytes`, and it shares `room` bytes of memory with others.
pub fn belongs_in_files(bytes: u64, room: u64) -> bool {
    bytes > room / SHARE
}

impl Passes {
    /// Lets unions of sets be in nameless files beside the scratch files, where they are large. Without a folder for these, none is.
    /// With one, the large result of a merge of units is there anyway.
    pub fn set_sets_in_files(&mut self, yes: bool) {
        self.sets_in_files = yes;
    }

    /// The folder for files of a set whose tables take so many bytes; `None` where it belongs into memory.
    ///
    /// # Errors
    /// [`Error::Io`] where the disk has no room for it.
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

    /// The same set; in files, where it is large and may be. It must be the only one with its tables then, or stays as it is.
    ///
    /// Cost: writes the large layers once.
    ///
    /// # Errors
    /// [`Error::Io`], a full disk among them.
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
        // Rows of 64 targets: 5000 words have layers of more than 64 KiB.
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
