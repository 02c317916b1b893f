//! Sets that take much of the room under the memory cap, in nameless files. The system has in memory what is read of them, and takes
//! that back where others need it.

use crate::automaton::Dfa;
use crate::error::{Error, Result};

use super::Passes;

/// A set is in memory where it takes at most this part of the room, as a divisor.
const SHARE: u64 = 8;

/// Whether a set of so many bytes belongs into files, if it may.
pub(super) fn is_much(bytes: u64, room: u64) -> bool {
    bytes > room / SHARE
}

impl Passes {
    /// Lets unions of sets and what [`Passes::in_files`] is given be in nameless files beside the scratch files, where they are large.
    /// Without a folder for these, none is. With one, the large result of a merge of units is there anyway.
    pub fn set_sets_in_files(&mut self, yes: bool) {
        self.sets_in_files = yes;
    }

    /// The same set; in files, where it is large and may be. It must be the only one with its tables then, or stays as it is.
    ///
    /// Cost: writes the large layers once.
    ///
    /// # Errors
    /// [`Error::Io`], a full disk among them.
    pub fn in_files(&self, set: Dfa) -> Result<Dfa> {
        let (room, bytes) = (self.budget.lend(0).room(), set.bytes());
        match self.scratch.as_ref().filter(|_| self.sets_in_files && is_much(bytes, room)) {
            None => Ok(set),
            Some(scratch) => {
                scratch.must_hold(bytes).map_err(|e| Error::io(scratch.folder(), e))?;
                set.in_files(scratch.folder())
            }
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
